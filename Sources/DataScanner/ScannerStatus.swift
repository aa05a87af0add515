// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import Capture
public import Recognition
public import ScanModel

/// How a scanner is doing; counters count from its start.
public struct ScannerStatus: Sendable, Hashable {
    /// Whether frames are taken and looked at.
    public var isScanning = false
    /// Whether the source has given its last frame.
    public var hasEnded = false
    /// Pixels of the newest frame; 0 before the first.
    public var frameWidth = 0
    public var frameHeight = 0
    /// Frames a second that the source gave within the last two seconds, by the system's clock; it falls when none come.
    public var frameRate = 0.0
    var rateMeter = FrameRateMeter()
    /// Frames that the source gave.
    public var framesDelivered = 0
    /// Frames that the scheduler saw.
    public var framesProcessed = 0
    /// Frames that a newer one replaced before anyone saw them, or for which no slot was free.
    public var framesDropped = 0
    /// Compressed frames that were decoded because a look wanted them. Those that come as luma are not counted.
    public var framesDecoded = 0
    /// Pictures that could not be read.
    public var framesSkipped = 0
    /// The newest of them, and why.
    public var lastSkipped: (name: String, reason: String)? {
        lastSkippedName.map { ($0, lastSkippedReason) }
    }
    var lastSkippedName: String?
    var lastSkippedReason = ""
    /// Looks at barcodes and at text that gave a result.
    public var barcodeLooks = 0
    public var textLooks = 0
    /// Items in view.
    public var items = 0
    /// Why no frames come, while none do.
    public var unavailability: UnavailabilityCode?
    public var unavailabilityMessage = ""
    public var recognition = RecognitionStatistics()
    /// How the camera is doing; `nil` where the source is none.
    public var camera: CameraReport?

    public init() {}
}
