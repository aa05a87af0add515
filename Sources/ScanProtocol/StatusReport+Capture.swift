// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

extension StatusReport {
    /// How the camera is doing; a member that is not known, or does not apply, is absent.
    public struct Capture: Codable, Sendable, Hashable {
        /// A mode as it was asked for, or as it is.
        public struct Mode: Codable, Sendable, Hashable {
            public var width: Int?
            public var height: Int?
            /// Frames a second.
            public var rate: Double?
            /// V4L2's code, such as `MJPG`.
            public var format: String?

            public init(width: Int?, height: Int?, rate: Double?, format: String?) {
                self.width = width
                self.height = height
                self.rate = rate
                self.format = format
            }
        }

        /// A control that was asked for: its value, or why it could not be set.
        public struct Control: Codable, Sendable, Hashable {
            public var name: String
            public var value: Int64?
            public var problem: String?

            public init(name: String, value: Int64?, problem: String?) {
                self.name = name
                self.value = value
                self.problem = problem
            }
        }

        /// The node that is open or was last, such as `/dev/video0`.
        public var device: String?
        /// The link that names the camera whatever its number is.
        public var stablePath: String?
        public var name: String?
        public var bus: String?
        public var driver: String?
        public var asked = Mode(width: nil, height: nil, rate: nil, format: nil)
        /// What the camera gives; absent while it is not open.
        public var mode: Mode?
        /// What was asked for and is not to be had.
        public var note: String?
        /// Whether libv4l2 makes the frames from a format that is not read here.
        public var isConverted = false
        public var controls: [Control] = []
        public var framesTaken: UInt64 = 0
        public var driverDrops: UInt64 = 0
        public var staleFrames: UInt64 = 0
        public var damagedFrames: UInt64 = 0
        public var timestampsReplaced: UInt64 = 0
        public var openings: UInt64 = 0
        public var stepDowns: UInt64 = 0
        public var lastStepDown: String?
        /// Seconds since the newest good frame.
        public var newestFrameAge: Double?

        public init() {}

        /// Leaves out what is no number: JSON has no words for it.
        mutating func makeFinite() {
            if mode?.rate?.isFinite == false { mode?.rate = nil }
            if asked.rate?.isFinite == false { asked.rate = nil }
            if newestFrameAge?.isFinite == false { newestFrameAge = nil }
        }
    }
}
