# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""Running programs."""

import os
import signal
import subprocess


def call(*command, limit=30, **options):
    """Output of a command, whatever its exit code; both come back."""
    result = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            timeout=limit, **options)
    return result.returncode, result.stdout.decode(errors="replace")


def must(*command, limit=30, **options):
    code, output = call(*command, limit=limit, **options)
    if code != 0:
        raise RuntimeError(f"{' '.join(map(str, command))} ended with {code}: {output.strip()}")
    return output


def end(process, limit=5):
    """Ends a process that may have ended, by force if needed. Its exit code, None where even that does not help."""
    if process.poll() is None:
        process.terminate()
        try:
            return process.wait(limit)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
    try:
        return process.wait(limit)
    except subprocess.TimeoutExpired:
        return None


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def resident(pid):
    """Bytes of memory that a process holds."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS:")) * 1024


def processor_time(pid):
    """Seconds that a process and its children have computed for."""
    total = 0
    for number in [str(pid), *must("ps", "-o", "pid=", "--ppid", str(pid)).split()]:
        with open(f"/proc/{number}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")
