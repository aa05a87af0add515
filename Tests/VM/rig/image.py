# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""What a guest machine is made of, out of the cache where that is possible."""

import concurrent.futures
import os
import subprocess

from .machine import KERNEL_LINE, OPTIONS, Machine

RIG = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(RIG)
AS_ROOT = [] if os.geteuid() == 0 else ["sudo"]


class BuildError(Exception):
    pass


def run(*command):
    result = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode != 0:
        output = result.stdout.decode(errors="replace")[-4000:]
        raise BuildError(f"{' '.join(command)} ended with {result.returncode}:\n{output}")
    return result.stdout.decode(errors="replace")


def script(name):
    return os.path.join(RIG, name)


def as_root(name, *arguments):
    """Runs a script as root and makes what it made, the last argument, the caller's own."""
    run(*AS_ROOT, script(name), *arguments)
    if AS_ROOT:
        run(*AS_ROOT, "chown", f"{os.geteuid()}:{os.getegid()}", arguments[-1])


def kernel_release(cache):
    """The release of Debian's kernel: the one in the cache, else the newest. A newer one is no reason to rebuild."""
    for name in os.listdir(cache.folder):
        modules = os.path.join(cache.folder, name, "lib", "modules")
        if name.startswith("kernel-") and not name.endswith(".part") and os.path.isdir(modules):
            return os.listdir(modules)[0]
    for line in run("apt-cache", "depends", "linux-image-amd64").splitlines():
        if "Depends: linux-image-" in line:
            return line.split("linux-image-")[1].strip()
    raise BuildError("apt knows no linux-image-amd64; run `apt-get update`")


class Image:
    """Kernel, initramfs, root file system, saved state, tools and pictures."""

    def __init__(self, cache):
        self.cache, self.release = cache, kernel_release(cache)
        with concurrent.futures.ThreadPoolExecutor() as pool:
            base = pool.submit(self._base)  # waits for the network mostly
            self.kernel = cache.made("kernel", [script("kernel.sh"), self.release],
                                     lambda path: run(script("kernel.sh"), self.release, path))
            self.vmlinux = os.path.join(self.kernel, "vmlinux")
            self.initramfs = self._initramfs()
            self.fakecam = self._fakecam()
            self.pictures = self._pictures()
            self.base = base.result()
        self.root = self._root()
        self.state = self._state()

    def _base(self):
        return self.cache.made("base", [script("base.sh")], lambda path: as_root("base.sh", path))

    def _initramfs(self):
        inputs = [script("initramfs.sh"), script("init.sh"), script("modules.sh"), self.kernel_name()]
        return self.cache.made("initramfs", inputs,
                               lambda path: run(script("initramfs.sh"), self.kernel, self.release, path))

    def _root(self):
        inputs = [script("rootfs.sh"), script("modules.sh"), script("root"), os.path.basename(self.base),
                  self.kernel_name()]
        return self.cache.made("root", inputs,
                               lambda path: as_root("rootfs.sh", self.base, self.kernel, self.release, path))

    def _fakecam(self):
        source = os.path.join(TESTS, "fakecam")
        return self.cache.made("fakecam", [source], lambda path: run(os.path.join(source, "build.sh"), path))

    def _pictures(self):
        source = os.path.join(TESTS, "pictures")
        return self.cache.made("pictures", [source], lambda path: run(os.path.join(source, "make.py"), path))

    def _state(self):
        inputs = [run("qemu-system-x86_64", "--version"), *OPTIONS, KERNEL_LINE, script("machine.py"),
                  self.kernel_name(), os.path.basename(self.initramfs), os.path.basename(self.root)]
        return self.cache.made("state", inputs, self._save)

    def _save(self, path):
        share = os.path.join(self.cache.folder, "boot")
        machine = Machine(self.vmlinux, self.initramfs, self.root, share)
        try:
            machine.wait_until_ready()
            machine.save(path)
        finally:
            machine.end()

    def kernel_name(self):
        return os.path.basename(self.kernel)

    def start(self, share):
        """A machine that waits for `go`."""
        return Machine(self.vmlinux, self.initramfs, self.root, share, state=self.state)

