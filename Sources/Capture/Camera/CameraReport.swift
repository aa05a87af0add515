// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// How a camera is doing, for `status`; counters count from the start.
public struct CameraReport: Sendable, Hashable {
    /// What was asked for; the format only where it was forced.
    public struct Request: Sendable, Hashable {
        public var width: Int?
        public var height: Int?
        public var rate: Double?
        public var format: FourCC?
        public init() {}
    }

    /// A control that was asked for, and what became of it.
    public struct Control: Sendable, Hashable {
        public var name: String
        /// The value that is in force; `nil` where it could not be set.
        public var value: Int64?
        /// Why it could not be set.
        public var problem: String?
        public init(name: String, value: Int64?, problem: String?) {
            self.name = name
            self.value = value
            self.problem = problem
        }
    }

    /// The node that is open, or was last: `/dev/video0`.
    public var device: String?
    /// The link that names the camera whatever its number is.
    public var stablePath: String?
    public var name: String?
    public var bus: String?
    public var driver: String?
    public var asked = Request()
    /// What the driver gave; `nil` while no camera is open.
    public var mode: CameraMode?
    /// What was asked for and is not to be had, in words; `nil` where all of it is.
    public var modeNote: String?
    /// Whether libv4l2 converts the frames because the camera has no format that is read here.
    public var isConverted = false
    public var controls: [Control] = []
    /// Frames that the driver gave, good and bad.
    public var framesTaken: UInt64 = 0
    /// Frames that never came, by the gaps in the driver's numbers.
    public var driverDrops: UInt64 = 0
    /// Good frames that were passed over: a newer one was there already, or all slots were in use.
    public var staleFrames: UInt64 = 0
    /// Frames that the driver marked as bad or failed to hand over (EIO), or that were cut, empty or no picture.
    public var damagedFrames: UInt64 = 0
    /// Frames whose time stamp was not believed.
    public var timestampsReplaced: UInt64 = 0
    /// Times that the camera was opened and gave a stream.
    public var openings: UInt64 = 0
    /// Times that a smaller or slower mode had to be taken, and why the last one was.
    public var stepDowns: UInt64 = 0
    public var lastStepDown: String?
    /// When the newest good frame came; `nil` before the first.
    public var newestFrame: MonotonicTime?

    public init() {}
}
