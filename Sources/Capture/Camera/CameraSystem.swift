// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem
internal import ScanModel

/// A camera that was found: its node now, and what names it whatever its number is.
struct LocatedCamera: Sendable, Hashable {
    /// `/dev/video0`.
    var node: String
    /// The link in `/dev/v4l/by-id`, else in `/dev/v4l/by-path`; `nil` where udev makes none.
    var stablePath: String?
}

/// A process that has a camera open.
public struct DeviceHolder: Sendable, Hashable {
    public var pid: Int32
    /// The program's name; empty where it can not be read.
    public var name: String

    public init(pid: Int32, name: String) {
        self.pid = pid
        self.name = name
    }
}

/// What a wait for a device ended with.
enum DeviceWait: Sendable, Hashable {
    /// Something about a video device changed: it came, went, was released or got other permissions.
    case changed
    case deadline
    case cancelled
}

/// All that a camera's capture needs of the machine: devices, their comings and goings, and time.
///
/// The kernel's and udev's by `LinuxCameraSystem`; a test plays both, with a manual clock. Confined to the capture
/// thread.
protocol CameraSystem: AnyObject {
    var now: MonotonicTime { get }
    var wallTime: WallTime { get }
    /// How long the machine has been suspended since it was booted: CLOCK_BOOTTIME less CLOCK_MONOTONIC.
    var suspendedTime: Duration { get }

    /// Finds the camera's node as things are now; `nil` where it is not there.
    func locate(_ selection: CameraSelection) -> LocatedCamera?
    /// Opens a node; `converting`: through libv4l2, which then offers formats of its own making.
    func open(_ node: String, converting: Bool) throws(SystemError) -> any VideoDevice
    /// Who has the node open, this process left out; as far as `/proc` may be read.
    func holders(of node: String) -> [DeviceHolder]
    /// Lets time pass, whatever changes; false as soon as it was cancelled, also where the deadline is past.
    func pause(until deadline: MonotonicTime, cancellation: EventDescriptor) -> Bool
    /// Waits for a change at a video device. Changes that came since the last call count. A cancellation goes first.
    func waitForChange(until deadline: MonotonicTime, cancellation: EventDescriptor) -> DeviceWait
    /// Says which node's release and permissions matter as well (`nil`: none).
    ///
    /// It is `nil` while we have a device open ourselves: our own closing must not count as somebody's release.
    func watch(_ node: String?)
}

extension CameraSystem {
    var suspendedTime: Duration { LinuxSystem.suspendedTime() }

    func pause(until deadline: MonotonicTime, cancellation: EventDescriptor) -> Bool {
        pauseDespiteFailures(until: deadline) { () throws(SystemError) in
            try pollDescriptors([(cancellation.raw, .readable)], until: deadline)[0].isEmpty
        }
    }
}

/// Waits by `poll`, which answers false where it was cancelled, and without it for as long as it fails.
///
/// It fails where the kernel has no memory (ENOMEM). Neither answer would be right then: taken for a cancellation, the
/// caller would come back at once, again and again.
func pauseDespiteFailures(until deadline: MonotonicTime, _ poll: () throws(SystemError) -> Bool) -> Bool {
    while true {
        do throws(SystemError) {
            return try poll()
        } catch {
            // Also where the deadline is past: who asks again and again must not take the processor.
            usleep(20_000)
            if MonotonicTime.now >= deadline { return true }
        }
    }
}
