# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""Where things are in the guest."""

import json
import os
import pathlib

HOST = pathlib.Path("/host")
OUTPUT = HOST / "out"
LOCAL = pathlib.Path("/opt/scenarios")  # copies: reading the host's files is slow
PROGRAMS = LOCAL / "bin"
PICTURES = LOCAL / "pictures"
WORK = pathlib.Path("/run/scenarios")


def program(name):
    return str(PROGRAMS / name)


def picture(name, kind="jpg", width=640):
    """The path of a picture, e.g. A in JPEG."""
    return str(PICTURES / f"{name}-{width}.{kind}")


def payloads(name):
    """The payloads of a picture's codes."""
    with open(PICTURES / "payloads.json", encoding="utf-8") as file:
        return set(json.load(file).get(name, {}).values())


def exists(path):
    return os.path.lexists(path)
