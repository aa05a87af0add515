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


def wraps(t, vivid, daemon, subscriber):
    """Sequence numbers and timestamps that wrap are taken for what they are."""
    t.step = "wrap_sequence_number"
    moment, before = subscriber.mark(), daemon.capture()
    vivid.set(wrap_sequence_number=1)
    vivid.set(disconnect=1)  # it takes effect when a stream starts: 128 frames before the wrap
    subscriber.expect("becameUnavailable", moment, 2, "cameraLost")
    available_again(t, subscriber, moment, 7)
    daemon.wait_for_status(lambda s: s["capture"]["framesTaken"] > before["framesTaken"] + 150, 15)
    after = daemon.capture()
    drops = after["driverDrops"] - before["driverDrops"]
    t.check(after["framesTaken"] > before["framesTaken"] + 150 and drops < 1000,
            f"{after['framesTaken'] - before['framesTaken']} frames, {drops} drops counted (limit 1000)")
    vivid.set(wrap_sequence_number=0)
    for value, kind in ((1, "64 bits"), (2, "32 bits")):
        t.step = f"wrap_timestamp, {kind}"
        moment = subscriber.mark()
        vivid.set(wrap_timestamp=value)
        t.pause(2)
        capture = daemon.capture()
        t.check(capture["newestFrameAge"] < 1, f"newest frame {capture['newestFrameAge']:.2f} s old, "
                f"{capture['timestampsReplaced']} timestamps replaced")
        subscriber.none("becameUnavailable", moment)
    vivid.set(wrap_timestamp=0)


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
    t.check(daemon.descriptors() == descriptors, f"descriptors: {descriptors}, then {daemon.descriptors()}")
    subscriber.none("didAdd", subscriber.mark())
    subscriber.only(set())
    subscriber.connected()
