# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""The guest machine: boot it, save it while it waits for the host's word, start it again from there.

Always emulated in software: /dev/kvm may be there where it does not work. One processor: with two, the emulator's
threads get in each other's way on a host with two. A saved machine starts in a second where a boot takes 15 to 20; it
can be used with the same QEMU, kernel, images and options only.
"""

import json
import os
import shutil
import socket
import subprocess
import tempfile
import time

OPTIONS = [
    "-accel", "tcg,thread=multi,tb-size=512", "-cpu", "max", "-machine", "q35", "-smp", "1", "-m", "2048",
    "-nodefaults", "-no-user-config", "-display", "none", "-monitor", "none", "-no-reboot",
    "-object", "rng-random,filename=/dev/urandom,id=random", "-device", "virtio-rng-pci,rng=random",
]
KERNEL_LINE = (
    "console=ttyS0 quiet panic=-1 mitigations=off nokaslr audit=0 apparmor=0 cryptomgr.notests nowatchdog "
    "net.ifnames=0 random.trust_cpu=1 systemd.show_status=0"
)
READY = b"guest: ready"


class MachineError(Exception):
    pass


class Control:
    """QEMU's own protocol, as far as it is needed here."""

    def __init__(self, path, process):
        self.socket = socket.socket(socket.AF_UNIX)
        connect(self.socket, path, process)
        self.lines = self.socket.makefile("rw")
        self._answer()
        self.run("qmp_capabilities")

    def _answer(self):
        while True:
            line = self.lines.readline()
            if not line:
                raise MachineError("QEMU closed its control socket")
            message = json.loads(line)
            if "event" not in message:
                return message

    def run(self, command, **arguments):
        self.lines.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self.lines.flush()
        answer = self._answer()
        if "error" in answer:
            raise MachineError(f"QEMU: {command}: {answer['error']['desc']}")
        return answer["return"]


def connect(client, path, process, limit=20):
    end = time.monotonic() + limit
    while True:
        try:
            return client.connect(path)
        except OSError:
            if process.poll() is not None or time.monotonic() > end:
                raise MachineError("QEMU did not start") from None
            time.sleep(0.02)


class Machine:
    """A guest that runs. `share` is the folder that it sees as /host; logs go to `share`/out."""

    def __init__(self, vmlinux, initramfs, image, share, state=None):
        self.output = os.path.join(share, "out")
        os.makedirs(self.output, exist_ok=True)
        self.sockets = tempfile.mkdtemp(prefix="datascand-vm.")  # a socket's path has 107 bytes at the most
        self.console = os.path.join(self.output, "console.log")
        self.errors = os.path.join(self.output, "qemu.log")
        command = ["qemu-system-x86_64", *OPTIONS, "-kernel", vmlinux, "-initrd", initramfs, "-append", KERNEL_LINE,
                   "-drive", f"file={image},format=raw,if=none,id=root,readonly=on,cache=unsafe",
                   "-device", "virtio-blk-pci,drive=root",
                   "-fsdev", f"local,id=share,path={share},security_model=none",
                   "-device", "virtio-9p-pci,fsdev=share,mount_tag=host",
                   "-serial", f"file:{self.console}",
                   "-chardev", f"socket,id=word,path={self.sockets}/word,server=on,wait=off", "-serial", "chardev:word",
                   "-qmp", f"unix:{self.sockets}/control,server=on,wait=off"]
        if state:
            command += ["-incoming", f"exec:cat '{state}'"]
        with open(self.errors, "wb") as errors:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors)
        try:
            self.control = Control(f"{self.sockets}/control", self.process)
        except MachineError as error:
            self.end()
            raise MachineError(f"{error}: {self.tail(self.errors)}") from None

    @staticmethod
    def tail(path, size=2000):
        try:
            with open(path, "rb") as file:
                return file.read()[-size:].decode(errors="replace").strip()
        except OSError:
            return ""

    def runs(self):
        return self.process.poll() is None

    def end(self):
        if self.runs():
            self.process.kill()
        self.process.wait()
        shutil.rmtree(self.sockets, ignore_errors=True)

    def wait_until_ready(self, limit=180):
        end = time.monotonic() + limit
        while READY.decode() not in self.tail(self.console):
            if not self.runs() or time.monotonic() > end:
                raise MachineError(f"the guest did not boot: {self.tail(self.console)} {self.tail(self.errors)}")
            time.sleep(0.1)

    def save(self, path):
        """Writes the state of the machine to a file and ends it."""
        time.sleep(0.5)  # for the guest to go from its last word to waiting
        self.control.run("migrate-set-parameters", **{"max-bandwidth": 8 << 30})
        self.control.run("migrate", uri=f"exec:cat > '{path}'")
        while True:
            state = self.control.run("query-migrate")
            if state["status"] == "completed":
                return self.end()
            if state["status"] in ("failed", "cancelled"):
                raise MachineError(f"QEMU could not save the machine: {state.get('error-desc', state['status'])}")
            time.sleep(0.05)

    def go(self):
        """Lets a machine that was started from its saved state begin, with the host's time of day."""
        while not self.control.run("query-status")["running"]:
            time.sleep(0.02)
        self.word = socket.socket(socket.AF_UNIX)  # stays open: QEMU forgets what the guest has not read at its end
        connect(self.word, f"{self.sockets}/word", self.process)
        self.word.sendall(b"go %.3f\n" % time.time())
