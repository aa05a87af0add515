#!/bin/busybox sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
#
# The first program of the guest: puts a memory file system over the read-only root image and hands over to systemd.
/bin/busybox mkdir -p /sbin /usr/bin /usr/sbin
/bin/busybox --install -s
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
for module in virtio_pci virtio_blk ext4 overlay; do
    modprobe "$module"
done
tries=0
while [ ! -b /dev/vda ] && [ "$tries" -lt 200 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
mount -t tmpfs -o size=75% tmpfs /overlay
mkdir -p /overlay/lower /overlay/upper /overlay/work
if ! mount -o ro /dev/vda /overlay/lower ||
    ! mount -t overlay -o lowerdir=/overlay/lower,upperdir=/overlay/upper,workdir=/overlay/work overlay /newroot; then
    echo "guest: no root file system"
    poweroff -f
fi
for folder in dev proc sys; do
    mount --move "/$folder" "/newroot/$folder"
done
exec switch_root /newroot /sbin/init
