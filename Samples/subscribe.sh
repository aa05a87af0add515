#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
#
# Prints each item that appears before the camera (+) and each one that goes (-).
# usage: subscribe.sh [SOCKET]

socat -u "UNIX-CONNECT:${1:-/run/datascand/default/events.sock}" - | jq --unbuffered -r '
    {"didAdd": "+", "didRemove": "-"}[.method] as $sign | select($sign) | .params.items[]
    | "\($sign) \(.symbology // "text") \(.transcript // .payload.string // .payload.base64)"'
