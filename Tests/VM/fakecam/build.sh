#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
#
# Builds fakecam, with all libraries in it, so that it runs whatever the guest has.
# usage: build.sh FILE
set -euo pipefail
exec gcc -std=c17 -O2 -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Werror -D_GNU_SOURCE -static \
    -o "$1" "$(dirname "${BASH_SOURCE[0]}")"/*.c
