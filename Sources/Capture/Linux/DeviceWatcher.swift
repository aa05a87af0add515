// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem
internal import ScanModel

/// Waits for something to change about the video devices: one comes, goes, is released, gets other permissions.
///
/// Changes are kept while nobody waits. A camera that is plugged in makes a dozen of them, so one is told when it has
/// become quiet for a moment. Confined to one thread.
final class DeviceWatcher {
    private var udev: RenewedSource<AnyChangeSource>
    private var files: RenewedSource<FileWatch>
    private let node: Box

    /// The node that is watched, for a `FileWatch` that is made anew.
    private final class Box {
        var path: String?
    }

    /// How long nothing may happen before a change is told, and the longest that it is held back for.
    private static let quiet = Duration.milliseconds(30)
    private static let longestUnrest = Duration.milliseconds(200)

    /// - Parameters:
    ///   - root: `/dev`, or a test's directory.
    ///   - udev: makes what tells of udev's events; `nil` where there is none.
    init(root: String = "/dev", udev: @escaping () -> (any ChangeSource)? = { UdevMonitor() }) {
        let node = Box()
        self.node = node
        self.udev = RenewedSource { udev().map { AnyChangeSource($0) } }
        files = RenewedSource {
            // udev makes the inner ones with the first camera and removes them with the last.
            FileWatch(
                directories: [
                    (root, ["video", "v4l"]), (root + "/v4l", []), (root + "/v4l/by-id", []),
                    (root + "/v4l/by-path", []),
                ], node: node.path)
        }
    }

    /// Says which node's closing and permissions matter as well.
    func watch(_ node: String?) {
        self.node.path = node
        files.source?.watch(node)
    }

    /// Closes a node without taking that for another's closing.
    func closeUnnoticed(_ close: () -> Void) {
        if let files = files.source { files.closeUnnoticed(close) } else { close() }
    }

    func wait(until deadline: MonotonicTime, cancellation: EventDescriptor) -> DeviceWait {
        let began = MonotonicTime.now
        var isChanged = udev.renew(now: began.nanoseconds)
        isChanged = files.renew(now: began.nanoseconds) || isChanged
        isChanged = drain() || isChanged
        var changedAt = isChanged ? began : nil
        while true {
            var end = deadline
            if let changedAt { end = min(.now + DeviceWatcher.quiet, changedAt + DeviceWatcher.longestUnrest) }
            let found = poll(until: end, cancellation)
            if found.isCancelled { return .cancelled }
            let now = MonotonicTime.now
            if drain(found, now) {
                changedAt = changedAt ?? now
            } else if !found.isAny, now >= end {
                return changedAt == nil ? .deadline : .changed
            }
            if let changedAt, now - changedAt >= DeviceWatcher.longestUnrest { return .changed }
            if changedAt == nil, now >= deadline { return .deadline }
        }
    }

    /// What poll found at each source.
    private struct Found {
        var udev: Readiness = []
        var files: Readiness = []
        var isCancelled = false
        var isAny: Bool { !udev.isEmpty || !files.isEmpty }
    }

    private func poll(until deadline: MonotonicTime, _ cancellation: EventDescriptor) -> Found {
        // poll(2) passes over -1.
        let wanted = [
            (descriptor: cancellation.raw, events: Readiness.readable),
            (descriptor: udev.source?.descriptor ?? -1, events: Readiness.readable),
            (descriptor: files.source?.descriptor ?? -1, events: Readiness.readable),
        ]
        guard let found = try? pollDescriptors(wanted, until: deadline) else {
            // The kernel has no memory for it (ENOMEM): to go round without waiting would take the processor as well.
            usleep(50_000)
            return Found()
        }
        return Found(udev: found[1], files: found[2], isCancelled: !found[0].isEmpty)
    }

    /// Whether anything changed; a source that breaks may have been about to tell so.
    private func drain(_ found: Found = Found(), _ now: MonotonicTime = .now) -> Bool {
        let readings = [
            udev.drain(isReady: !found.udev.isEmpty, isBad: isBad(found.udev), now: now.nanoseconds),
            files.drain(isReady: !found.files.isEmpty, isBad: isBad(found.files), now: now.nanoseconds),
        ]
        return readings.contains { $0 == .changed || $0 == .broken }
    }

    private func isBad(_ readiness: Readiness) -> Bool {
        // POLLERR alone is how netlink tells of lost events: reading says which.
        readiness.contains(.hangUp) || readiness.rawValue & Int16(POLLNVAL) != 0
    }
}
