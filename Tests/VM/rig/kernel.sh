#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
#
# Unpacks Debian's kernel into a folder: vmlinux, and the modules under lib/modules/RELEASE.
# usage: kernel.sh RELEASE FOLDER
#
# vmlinux is taken out of the compressed image, because QEMU can boot the ELF file by itself (PVH), and unpacking it
# inside an emulated machine takes 10 s.
set -euo pipefail
release=$1 folder=$2

mkdir -p "$folder"
cd "$folder"
apt-get -q download "linux-image-$release"
dpkg --fsys-tarfile linux-image-*.deb | tar -x ./boot ./lib/modules
rm linux-image-*.deb
depmod -b . "$release"
python3 - "boot/vmlinuz-$release" vmlinux <<'PYTHON'
import lzma, struct, sys

# The x86 boot protocol: sectors of set-up code at 0x1f1, offset and length of the compressed kernel behind it at 0x248.
image = open(sys.argv[1], "rb").read()
offset, length = struct.unpack_from("<II", image, 0x248)
start = ((image[0x1F1] or 4) + 1) * 512 + offset
kernel = lzma.LZMADecompressor(lzma.FORMAT_XZ).decompress(image[start : start + length])
assert kernel.startswith(b"\x7fELF"), "the compressed kernel is no ELF file"
open(sys.argv[2], "wb").write(kernel)
PYTHON
rm -r boot
