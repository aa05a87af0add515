# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""The kernel's virtual video driver: many formats, and faults at the level of ioctls."""

import os

from .checks import Failed, wait_for
from .processes import call, must

WEBCAM, HDMI = 0, 3
DRIVER = "/sys/bus/platform/drivers/vivid"


class Vivid:
    """One or more instances with a capture node each: /dev/video10, /dev/video11, ..."""

    def __init__(self, devices=1, first_node=10):
        self.nodes = [f"/dev/video{first_node + i}" for i in range(devices)]
        each = lambda value: ",".join([str(value)] * devices)
        must("modprobe", "vivid", f"n_devs={devices}", f"node_types={each('0x1')}", f"num_inputs={each(1)}",
             f"input_types={each(hex(WEBCAM))}", f"vid_cap_nr={','.join(n.removeprefix('/dev/video') for n in self.nodes)}")
        for node in self.nodes:
            if wait_for(lambda: os.path.exists(node), 10) is None:
                raise Failed(f"vivid made no {node}")
        must("udevadm", "settle", "--timeout=10")
        self.node = self.nodes[0]

    def set(self, node=None, **controls):
        pairs = ",".join(f"{name}={value}" for name, value in controls.items())
        must("v4l2-ctl", "-d", node or self.node, "-c", pairs)

    def format(self, width, height, fourcc, node=None):
        must("v4l2-ctl", "-d", node or self.node, f"--set-fmt-video=width={width},height={height},pixelformat={fourcc}")

    def rate(self, frames_per_second, node=None):
        must("v4l2-ctl", "-d", node or self.node, f"--set-parm={frames_per_second}")

    def capture(self, path, node=None, frames=1, skip=2):
        must("v4l2-ctl", "-d", node or self.node, "--stream-mmap=4", f"--stream-skip={skip}",
             f"--stream-count={frames}", f"--stream-to={path}")

    def unbind(self):
        with open(f"{DRIVER}/unbind", "w", encoding="ascii") as file:
            file.write("vivid.0")

    def bind(self):
        with open(f"{DRIVER}/bind", "w", encoding="ascii") as file:
            file.write("vivid.0")
        if wait_for(lambda: os.path.exists(self.node), 10) is None:
            raise Failed(f"no {self.node} after binding vivid")

    def end(self):
        wait_for(lambda: call("modprobe", "-r", "vivid")[0] == 0, 10, interval=0.2)
