#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""Prints the items that appear (+), change (~) and go (-), and connects again when the daemon was restarted.

usage: subscribe.py [SOCKET]
"""

import json
import signal
import socket
import sys
import time

path = sys.argv[1] if len(sys.argv) > 1 else "/run/datascand/default/events.sock"
signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a traceback
signs = {"didAdd": "+", "didUpdate": "~", "didRemove": "-"}

while True:
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(path)
            for line in connection.makefile(encoding="utf-8"):
                message = json.loads(line)
                for item in message["params"]["items"] if message.get("method") in signs else []:
                    payload = item.get("payload", {})
                    value = item.get("transcript") or payload.get("string") or payload.get("base64", "")
                    print(signs[message["method"]], item.get("symbology", "text"), value, flush=True)
    except OSError as error:
        print("no daemon at %s: %s" % (path, error.strerror), file=sys.stderr)
    time.sleep(1)
