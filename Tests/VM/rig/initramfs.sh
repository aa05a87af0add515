#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
#
# Makes the initramfs: busybox and the modules that the root file system needs. It is not compressed, for the same
# reason as the kernel.
# usage: initramfs.sh KERNEL-FOLDER RELEASE FILE
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
kernel=$(realpath "$1") release=$2 file=$(realpath "$3")
# shellcheck source=modules.sh
source "$here/modules.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{bin,dev,proc,sys,newroot,overlay}
cp /bin/busybox "$work/bin/"
cp "$here/init.sh" "$work/init"
chmod 755 "$work/init"
copy_modules "$kernel" "$release" "$work" virtio_pci virtio_blk ext4 overlay crc32c_generic
(cd "$work" && find . | cpio -o -H newc --quiet -R 0:0) >"$file"
