# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
#
# Copies kernel modules and all that they depend on.
# usage: copy_modules KERNEL-FOLDER RELEASE DESTINATION MODULE ...
copy_modules() {
    local kernel=$1 release=$2 destination=$3 module path relative
    shift 3
    mkdir -p "$destination/lib/modules/$release"
    for module in "$@"; do
        modprobe -d "$kernel" -S "$release" --show-depends "$module" | awk '$1 == "insmod" { print $2 }'
    done | sort -u | while read -r path; do
        relative=lib/modules/${path#*/lib/modules/}
        mkdir -p "$destination/$(dirname "$relative")"
        cp "$kernel/$relative" "$destination/$relative"
    done
    cp "$kernel/lib/modules/$release/"modules.{order,builtin,builtin.modinfo} "$destination/lib/modules/$release/"
    depmod -b "$destination" "$release"
}
