// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import CUdev
internal import Glibc

/// udev's events about video devices, sent when its rules have run: with links and permissions in place.
///
/// It is made where udev does not run, too, and is silent there. Confined to one thread.
final class UdevMonitor: ChangeSource {
    private let context: OpaquePointer
    private let monitor: OpaquePointer

    /// Events taken at once; more come with the next call.
    private static let maximumEvents = 256

    /// `nil` where there are no netlink sockets, as in a unit with RestrictAddressFamilies= and without AF_NETLINK.
    init?() {
        guard let context = udev_new() else { return nil }
        guard let monitor = udev_monitor_new_from_netlink(context, "udev") else {
            udev_unref(context)
            return nil
        }
        self.context = context
        self.monitor = monitor
        if udev_monitor_filter_add_match_subsystem_devtype(monitor, "video4linux", nil) < 0
            || udev_monitor_enable_receiving(monitor) < 0
        {
            return nil
        }
    }

    deinit {
        udev_monitor_unref(monitor)
        udev_unref(context)
    }

    var descriptor: Int32 { udev_monitor_get_fd(monitor) }

    func drain() -> ChangeReading {
        var reading = ChangeReading.nothing
        for _ in 0..<UdevMonitor.maximumEvents {
            errno = 0
            if let device = udev_monitor_receive_device(monitor) {
                udev_device_unref(device)
                reading = .changed
                continue
            }
            switch errno {
            case ENOBUFS: reading = .changed  // events were lost: any may have been ours
            case EINTR: continue
            case EAGAIN, 0: return reading
            default: return .broken
            }
        }
        return reading
    }
}
