// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// The time from one frame to the next as V4L2 has it, a fraction of seconds: 1/30.
public struct FrameInterval: Sendable, Hashable {
    public let numerator: UInt32
    public let denominator: UInt32

    /// `nil` for a fraction that is no time: some drivers answer 0/0.
    public init?(_ numerator: UInt32, _ denominator: UInt32) {
        guard numerator > 0, denominator > 0 else { return nil }
        self.numerator = numerator
        self.denominator = denominator
    }

    public var framesPerSecond: Double { Double(denominator) / Double(numerator) }
}

/// What a camera can be set to: size, format and rate of its frames.
public struct CameraMode: Sendable, Hashable {
    public var width: Int
    public var height: Int
    public var format: FourCC
    /// `nil` where the driver does not tell.
    public var interval: FrameInterval?

    public init(width: Int, height: Int, format: FourCC, interval: FrameInterval?) {
        self.width = width
        self.height = height
        self.format = format
        self.interval = interval
    }
}
