#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
#
# Makes the image of the root file system of a tar file, the kernel's modules and what is under root/.
# Must run as root.
# usage: rootfs.sh TAR KERNEL-FOLDER RELEASE FILE
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tar=$(realpath "$1") kernel=$(realpath "$2") release=$3 file=$(realpath "$4")
# shellcheck source=modules.sh
source "$here/modules.sh"

work=$(mktemp -d "${TMPDIR:-/tmp}/datascand-vm.XXXXXX")
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
tar -C "$work" --numeric-owner --exclude='./dev/*' -xpf "$tar"
copy_modules "$kernel" "$release" "$work" vivid uvcvideo vhci-hcd 9p 9pnet_virtio virtio_rng virtio_console autofs4
cp -r "$here/root/." "$work/"
chmod 755 "$work/usr/local/sbin/"*
chroot "$work" useradd --system --no-create-home --groups video datascand
chroot "$work" systemctl --quiet enable scenarios.service
chroot "$work" systemctl --quiet set-default multi-user.target

echo guest >"$work/etc/hostname"
: >"$work/etc/fstab"
# A machine without an ID goes through all units' presets when it first boots: 15 s.
echo 0123456789abcdef0123456789abcdef >"$work/etc/machine-id"
# What no scenario needs and every boot would wait for.
masked=(
    apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer fstrim.timer e2scrub_all.timer e2scrub_reap.service
    systemd-networkd.service systemd-networkd.socket systemd-network-generator.service systemd-timesyncd.service
    getty.target getty@tty1.service serial-getty@ttyS0.service systemd-logind.service systemd-user-sessions.service
    systemd-pstore.service systemd-firstboot.service systemd-random-seed.service systemd-binfmt.service
    systemd-update-utmp.service systemd-update-utmp-runlevel.service systemd-update-done.service
    systemd-machine-id-commit.service systemd-hwdb-update.service ldconfig.service systemd-journal-flush.service
    systemd-journal-catalog-update.service systemd-sysusers.service systemd-remount-fs.service systemd-repart.service
    modprobe@drm.service modprobe@dm_mod.service modprobe@loop.service modprobe@efi_pstore.service
    proc-sys-fs-binfmt_misc.automount dev-hugepages.mount dev-mqueue.mount
)
for unit in "${masked[@]}"; do
    ln -sf /dev/null "$work/etc/systemd/system/$unit"
done

rm -rf "$work"/usr/share/{doc,man,locale,info} "$work"/var/{cache,lib}/apt "$work/var/log/"*
size=$(du -sm --apparent-size "$work" | cut -f1)
truncate -s "$((size * 5 / 4 + 64))M" "$file"
mkfs.ext4 -q -F -O ^has_journal -d "$work" "$file"
