# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""The faults that the driver vivid can inject into ioctls and buffers."""

from vm.checks import wait_for


def available_again(t, subscriber, moment, limit=5):
    subscriber.expect("becameAvailable", moment, limit, patience=20)


def counted(t, vivid, daemon, subscriber):
    """A buffer with the error flag is counted, and that is all."""
    t.step = "inject_v4l2_buf_flag_error"
    moment, before = subscriber.mark(), daemon.capture()["damagedFrames"]
    vivid.set(inject_v4l2_buf_flag_error=1)
    waited = daemon.wait_for_status(lambda s: s["capture"]["damagedFrames"] == before + 1, 3)
    t.check(waited is not None, f"damagedFrames {before} -> {daemon.capture()['damagedFrames']}")
    subscriber.none("becameUnavailable", moment)


def reopened(t, vivid, daemon, subscriber, **control):
    """The stream breaks: everything is closed and opened anew. Where that is quick enough nobody is told."""
    t.step = next(iter(control))
    before = daemon.capture()
    vivid.set(**control)
    waited = daemon.wait_for_status(lambda s: s["capture"]["openings"] > before["openings"]
                                    and s["capture"]["framesTaken"] > before["framesTaken"]
                                    and "sourceUnavailable" not in s, 10)
    t.check(waited is not None and waited <= 5, f"opened anew, with frames, after {waited} s (limit 5)")


def armed(t, vivid, daemon, subscriber, control):
    """An ioctl fails once when the stream is opened, after a fault that makes it open."""
    t.step = control
    before = daemon.capture()["openings"]
    vivid.set(**{control: 1})
    vivid.set(inject_fatal_streaming_error=1)
    waited = daemon.wait_for_status(lambda s: s["capture"]["openings"] > before and "sourceUnavailable" not in s
                                    and s["capture"]["newestFrameAge"] < 0.5, 10)
    t.check(waited is not None and waited <= 5, f"opened anew, with frames, after {waited} s (limit 5)")


def no_frames(t, vivid, subscriber):
    t.step = "percentage_of_dropped_buffers=100"
    moment = subscriber.mark()
    vivid.set(percentage_of_dropped_buffers=100)
    subscriber.expect("becameUnavailable", moment, 2, "noFrames")
    moment = subscriber.mark()
    vivid.set(percentage_of_dropped_buffers=0)
    available_again(t, subscriber, moment)


def restarted(t, vivid, subscriber, **controls):
    """vivid takes these when a stream starts."""
    vivid.set(**controls)
    moment = subscriber.mark()
    vivid.set(disconnect=1)
    subscriber.expect("becameUnavailable", moment, 2, "cameraLost")
    available_again(t, subscriber, moment, 7)
    return subscriber.mark()


def keeps_on(t, daemon, subscriber, moment, before, frames):
    """Frames come, with times that make sense, and no frame is thought lost that was not."""
    daemon.wait_for_status(lambda s: s["capture"]["framesTaken"] >= before["framesTaken"] + frames, 30)
    after = daemon.capture()
    taken, drops, replaced = (after[key] - before[key] for key in ("framesTaken", "driverDrops", "timestampsReplaced"))
    t.check(taken >= frames and drops < taken, f"{taken} frames, {drops} drops counted, {replaced} timestamps replaced")
    t.check(after["newestFrameAge"] < 1, f"the newest frame is {after['newestFrameAge']:.2f} s old")
    subscriber.none("becameUnavailable", moment)
    return replaced


def wraps(t, vivid, daemon, subscriber):
    """Sequence numbers and timestamps that wrap are taken for what they are."""
    t.step = "wrap_timestamp, 64 bits"
    before = daemon.capture()
    moment = restarted(t, vivid, subscriber, wrap_timestamp=1)
    t.check(keeps_on(t, daemon, subscriber, moment, before, 30) > 0, "times from the far future are not believed")
    t.step = "both wrap"
    before = daemon.capture()
    moment = restarted(t, vivid, subscriber, wrap_timestamp=2, wrap_sequence_number=1)
    t.pause(16)  # the time wraps then; the sequence has after 128 frames
    keeps_on(t, daemon, subscriber, moment, before, 150)
    vivid.set(wrap_timestamp=0, wrap_sequence_number=0)


def gone(t, vivid, subscriber):
    t.step = "disconnect"
    moment = subscriber.mark()
    vivid.set(disconnect=1)
    subscriber.expect("becameUnavailable", moment, 2, "cameraLost")
    available_again(t, subscriber, moment, 7)
    t.step = "unbind"
    moment = subscriber.mark()
    vivid.unbind()
    subscriber.expect("becameUnavailable", moment, 2, "cameraLost")
    t.pause(1)
    t.step = "bind"
    moment = subscriber.mark()
    vivid.bind()
    available_again(t, subscriber, moment)


def run(t):
    vivid = t.vivid()
    daemon = t.daemon(vivid.node, "--size", "640x360", "--rate", 30)
    subscriber = t.subscriber(daemon)
    t.need(wait_for(lambda: daemon.status()["framesDelivered"] > 5, 10) is not None, "frames come")
    counted(t, vivid, daemon, subscriber)
    reopened(t, vivid, daemon, subscriber, inject_vidioc_qbuf_error=1)
    reopened(t, vivid, daemon, subscriber, inject_fatal_streaming_error=1)
    descriptors = daemon.descriptors()
    armed(t, vivid, daemon, subscriber, "inject_vidioc_reqbufs_error")
    armed(t, vivid, daemon, subscriber, "inject_vidioc_streamon_error")
    no_frames(t, vivid, subscriber)
    gone(t, vivid, subscriber)
    wraps(t, vivid, daemon, subscriber)
    t.step = "all"
    t.check(daemon.descriptors() <= descriptors, f"descriptors: {descriptors}, then {daemon.descriptors()}")
    subscriber.only(set())
    subscriber.connected()
