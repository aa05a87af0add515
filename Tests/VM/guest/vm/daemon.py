# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""datascand, and what it says of itself."""

import json
import os
import signal
import socket
import subprocess
import time

from .checks import wait_for
from .places import program
from .processes import descriptors, end, processor_time, resident

# The mode that costs the emulated machine the least, for scenarios that are about something else.
LIGHT = ["--format", "MJPG", "--size", "640x480", "--rate", 10]


class Daemon:
    """A running datascand whose sockets are in `folder`."""

    def __init__(self, folder, log_path, arguments, user=None):
        self.folder, self.log_path = str(folder), log_path
        os.makedirs(folder, exist_ok=True)
        options = {"user": user, "group": user, "extra_groups": ["video"]} if user else {}
        if user:
            os.chmod(folder, 0o777)
        command = [program("datascand"), *map(str, arguments), "--socket-dir", self.folder]
        with open(log_path, "ab") as log:
            self.started = time.monotonic()
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **options)
        self.pid = self.process.pid

    @property
    def socket(self):
        return os.path.join(self.folder, "events.sock")

    def wait_until_open(self, limit=10):
        """Seconds until it takes connections; None if it does not or has ended."""
        found = wait_for(lambda: self.answers() or not self.runs(), limit)
        return found if self.runs() else None

    def answers(self):
        """Whether its socket takes connections: a socket has its name, and then its mode, before it listens."""
        with socket.socket(socket.AF_UNIX) as client:
            return client.connect_ex(self.socket) == 0

    def runs(self):
        return self.process.poll() is None

    def log(self):
        with open(self.log_path, encoding="utf-8", errors="replace") as file:
            return file.read()

    def ask(self, method, socket_name="control.sock", limit=10):
        """The answer to a request."""
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(limit)
            client.connect(os.path.join(self.folder, socket_name))
            client.sendall(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method}).encode() + b"\n")
            for line in client.makefile("r", encoding="utf-8"):
                message = json.loads(line)
                if message.get("id") == 1:
                    return message["result"]
        raise RuntimeError(f"the daemon closed the connection before it answered {method}")

    def status(self, limit=10):
        """The answer to getStatus."""
        return self.ask("getStatus", "events.sock", limit)

    def capture(self):
        """The part of the status that is about the camera."""
        return self.status().get("capture", {})

    def wait_for_status(self, holds, limit):
        """Seconds until the status is as wanted, None if it does not become so."""
        return wait_for(lambda: holds(self.status()), limit, interval=0.1)

    def descriptors(self):
        return descriptors(self.pid)

    def resident(self):
        return resident(self.pid)

    def processor_time(self):
        """Seconds that it and its workers have computed for."""
        return processor_time(self.pid)

    def terminate(self, limit=10):
        """Seconds that it takes to end after SIGTERM, None if it does not within the limit."""
        start = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(limit)
        except subprocess.TimeoutExpired:
            return None
        return time.monotonic() - start

    def end(self):
        return end(self.process, 8)
