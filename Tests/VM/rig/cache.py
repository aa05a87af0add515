# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""A folder of things that take long to make.

Each is named after what it was made from, and made anew when that changes.
"""

import contextlib
import fcntl
import hashlib
import os
import shutil
import time


def digest(*inputs):
    """A short name for inputs: paths of files and folders that exist, and words."""
    total = hashlib.sha256()
    for item in inputs:
        if os.path.isdir(item):
            files = sorted(os.path.join(folder, name) for folder, _, names in os.walk(item) for name in names)
        else:
            files = [item] if os.path.isfile(item) else []
            total.update(os.path.basename(item).encode() + b"\0")
        for path in files:
            total.update(os.path.relpath(path, item).encode() + b"\0")
            with open(path, "rb") as file:
                total.update(hashlib.sha256(file.read()).digest())
    return total.hexdigest()[:16]


def remove(path):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.remove(path)


class Cache:
    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        os.makedirs(self.folder, exist_ok=True)
        self._lock = None

    @contextlib.contextmanager
    def locked(self):
        """One run at a time: another one waits."""
        with open(os.path.join(self.folder, "lock"), "w", encoding="ascii") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                print(f"test-vm: waiting for another run that uses {self.folder}", flush=True)
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def made(self, kind, inputs, make):
        """The path of a thing of that kind; `make(path)` makes it where it is not there yet. Older ones go."""
        name = f"{kind}-{digest(*inputs)}"
        path = os.path.join(self.folder, name)
        if os.path.exists(path):
            return path
        for old in os.listdir(self.folder):
            if old.startswith(kind + "-"):
                remove(os.path.join(self.folder, old))
        start = time.monotonic()
        make(path + ".part")
        os.rename(path + ".part", path)
        print(f"test-vm: {kind} made in {time.monotonic() - start:.1f} s", flush=True)
        return path
