#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
#
# Makes a tar file of Debian 12 with what the guest needs: systemd and udev, the libraries of datascand, and tools.
# Must run as root.
# usage: base.sh FILE
set -euo pipefail
file=$1

packages=(
    systemd systemd-sysv udev kmod procps # the machine
    libzbar0 libzxing2 libtesseract5 tesseract-ocr-eng liblept5 libturbojpeg0 libpopt0 libudev1 libv4l-0 # datascand
    v4l-utils python3 jq socat strace # scenarios
)
mirror=$(awk '/^URIs:/ { print $2; exit }' /etc/apt/sources.list.d/debian.sources 2>/dev/null || true)
# In memory, where there is room for it: on a disk it takes three times as long.
room=$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1 || echo 0)
if ((room > 1536 * 1024)); then
    TMPDIR=/dev/shm
fi
TMPDIR=$(mktemp -d "${TMPDIR:-/tmp}/datascand-vm.XXXXXX")
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
chmod 755 "$TMPDIR"
include=$(IFS=, && echo "${packages[*]}")
mmdebstrap --format=tar --variant=minbase --include="$include" --aptopt='APT::Install-Recommends "false"' \
    --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/zoneinfo/*' \
    bookworm "$file" "${mirror:-http://deb.debian.org/debian}"
