// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem
import ScanModel

@testable import Capture

/// The machine as a test plays it: cameras, their comings and goings, and a clock that goes only while somebody waits.
final class ScriptedCameraSystem: CameraSystem {
    private(set) var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
    let start = MonotonicTime(nanoseconds: 1_000_000_000_000)
    var suspendedTime = Duration.zero
    /// In the order in which `automatic` finds them.
    var cameras: [ScriptedCamera]
    /// When the caller is told to stop.
    var cancelAt: MonotonicTime?
    /// A change of some device that often, whatever happens to ours.
    var stormInterval: Duration?

    private var timeline: [(at: MonotonicTime, action: (ScriptedCameraSystem) -> Void)] = []
    private var pendingChanges = 0
    private var lastStorm: MonotonicTime?
    private(set) var watched: [String?] = []

    // What was done.
    private(set) var openings: [(at: MonotonicTime, node: String)] = []
    private(set) var devices: [ScriptedVideoDevice] = []
    private(set) var holderQueries = 0
    private var callsAtOnce = 0
    private var callsInSecond = 0
    private var second: Int64 = 0
    private(set) var mostCallsInSecond = 0
    /// What no program should do, in words.
    var violations: [String] = []

    init(_ cameras: [ScriptedCamera]) { self.cameras = cameras }

    var wallTime: WallTime { WallTime(milliseconds: 1_796_030_794_000 + (now - start).inNanoseconds / 1_000_000) }

    // MARK: - The script

    /// Does something when the clock comes to `seconds` after the start.
    func at(_ seconds: Double, _ action: @escaping (ScriptedCameraSystem) -> Void) {
        timeline.append((moment(seconds), action))
        timeline.sort { $0.at < $1.at }
    }

    func moment(_ seconds: Double) -> MonotonicTime { start + .nanoseconds(Int64(seconds * 1e9)) }

    /// Something about a video device changed.
    func change() { pendingChanges += 1 }

    func unplug(_ camera: ScriptedCamera) {
        camera.isPlugged = false
        change()
    }

    func plug(_ camera: ScriptedCamera, as node: String? = nil) {
        if let node { camera.node = node }
        camera.isPlugged = true
        change()
    }

    // MARK: - Time

    /// Lets the clock go to `time`, or to the next thing that happens before.
    func advance(towards time: MonotonicTime) {
        let event = timeline.first?.at
        let target = [time, event, cancelAt].compactMap { $0 }.filter { $0 > now }.min() ?? time
        if target > now {
            now = target
            callsAtOnce = 0
        }
        while let next = timeline.first, next.at <= now {
            timeline.removeFirst()
            next.action(self)
        }
    }

    var isCancelled: Bool { cancelAt.map { now >= $0 } ?? false }

    /// A call that takes its time.
    func pass(_ duration: Duration) {
        let end = now + duration
        while now < end { advance(towards: end) }
    }

    /// Counts a call; one who calls without end while the clock stands still is helped on, and noted.
    func count() {
        let current = (now - start).inNanoseconds / 1_000_000_000
        if current != second { (second, callsInSecond) = (current, 0) }
        callsInSecond += 1
        mostCallsInSecond = max(mostCallsInSecond, callsInSecond)
        callsAtOnce += 1
        if callsAtOnce > 3000 {
            if violations.isEmpty {
                violations.append("it spins at \(Double(now.nanoseconds - start.nanoseconds) / 1e9) s")
            }
            pass(.milliseconds(100))
        }
    }

    // MARK: - CameraSystem

    func locate(_ selection: CameraSelection) -> LocatedCamera? {
        count()
        let plugged = cameras.filter(\.isPlugged)
        switch selection {
        case .automatic: return plugged.first?.located
        case .path(let path): return plugged.first { $0.node == path || $0.stablePath == path }?.located
        }
    }

    func open(_ node: String, converting: Bool) throws(SystemError) -> any VideoDevice {
        count()
        openings.append((now, node))
        guard let camera = cameras.first(where: { $0.isPlugged && $0.node == node }) else {
            throw SystemError("open", code: ENOENT, subject: node)
        }
        if let fault = camera.enter(.open) {
            pass(fault.takes)
            throw SystemError("open", code: fault.code, subject: node)
        }
        if converting, let code = camera.convertingFault { throw SystemError("open", code: code, subject: node) }
        if devices.contains(where: { $0.isOpen }) { violations.append("a second device is opened while one is open") }
        let device = ScriptedVideoDevice(camera, in: self, isConverting: converting)
        devices.append(device)
        return device
    }

    func holders(of node: String) -> [DeviceHolder] {
        count()
        holderQueries += 1
        return cameras.first { $0.node == node }?.holders ?? []
    }

    func waitForChange(until deadline: MonotonicTime, cancellation: EventDescriptor) -> DeviceWait {
        count()
        if devices.contains(where: { $0.isOpen }) { violations.append("it waits for devices while one is open") }
        while true {
            if isCancelled { return .cancelled }
            if let stormInterval, now - (lastStorm ?? start) >= stormInterval {
                lastStorm = now
                pendingChanges += 1
            }
            if pendingChanges > 0 {
                pendingChanges = 0
                return .changed
            }
            if now >= deadline { return .deadline }
            advance(towards: stormInterval.map { min(deadline, (lastStorm ?? start) + $0) } ?? deadline)
        }
    }

    func pause(until deadline: MonotonicTime, cancellation: EventDescriptor) -> Bool {
        count()
        while !isCancelled {
            if now >= deadline { return true }
            advance(towards: deadline)
        }
        return false
    }

    func watch(_ node: String?) { watched.append(node) }
}
