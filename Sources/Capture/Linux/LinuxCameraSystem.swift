// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem
internal import ScanModel

/// The machine's cameras: the kernel's nodes, udev's names and events, inotify.
///
/// Confined to the capture thread.
final class LinuxCameraSystem: CameraSystem {
    private let watcher: DeviceWatcher
    private var patience = UdevPatience()
    /// A test has lists of its own.
    private let list: () -> VideoNodeList

    convenience init() { self.init(watcher: DeviceWatcher(), list: VideoNodeList.current) }

    init(watcher: DeviceWatcher, list: @escaping () -> VideoNodeList) {
        self.watcher = watcher
        self.list = list
    }

    var now: MonotonicTime { .now }
    var wallTime: WallTime { .now }

    func locate(_ selection: CameraSelection) -> LocatedCamera? {
        let list = list()
        patience.look(at: list.entries, now: now)
        switch selection {
        case .path(let path): return locate(path, in: list)
        case .automatic:
            guard let entry = list.entries.first(where: { patience.isOver(for: $0, now: now) && isCamera($0) }) else {
                return nil
            }
            let links = list.stableLinks(of: entry.node, target: resolvedPath)
            return LocatedCamera(node: entry.node, stablePath: links.stable)
        }
    }

    func open(_ node: String, converting: Bool) throws(SystemError) -> any VideoDevice {
        let device = try KernelVideoDevice.open(node, converting: converting)
        device.surroundClose = { [watcher] close in watcher.closeUnnoticed(close) }
        return device
    }

    func holders(of node: String) -> [DeviceHolder] { DeviceHolder.all(of: node) }

    func waitForChange(until deadline: MonotonicTime, cancellation: EventDescriptor) -> DeviceWait {
        watcher.wait(until: deadline, cancellation: cancellation)
    }

    func watch(_ node: String?) { watcher.watch(node) }

    /// What is at a path, whatever it is: opening it tells what is wrong with it.
    private func locate(_ path: String, in list: VideoNodeList) -> LocatedCamera? {
        guard let node = resolvedPath(path) else { return nil }
        if let entry = list.entries.first(where: { $0.node == node }), !patience.isOver(for: entry, now: now) {
            return nil
        }
        let links = list.stableLinks(of: node, target: resolvedPath)
        // A link was chosen by somebody who wants what it leads to, unless two cameras want to be it.
        let isChosen = linkText(path) != nil && !list.isWantedTwice(path)
        return LocatedCamera(node: node, stablePath: isChosen ? path : links.stable)
    }

    private func isCamera(_ entry: VideoNodeEntry) -> Bool {
        // Told from outside, a metadata node is not woken up to be asked.
        if entry.capabilities != nil, entry.isCaptureByName == false { return false }
        do throws(SystemError) {
            let device = try open(entry.node, converting: false)
            defer { device.close() }
            let capability = try device.capability()
            return capability.isCapture && capability.isStreaming
        } catch {
            // It is gone in between, or it is there and may not be asked: then its name tells.
            return [EACCES, EPERM, EBUSY].contains(error.code) && entry.isCaptureByName ?? true
        }
    }
}
