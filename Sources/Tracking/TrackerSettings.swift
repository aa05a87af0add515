// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// What a tracker is told at its start.
public struct TrackerSettings: Sendable {
    /// How long a barcode's place must be seen without it before it is removed.
    public var removalDelay: Duration = .milliseconds(500)
    /// The same for a line of text: looks for text are rare and miss more.
    public var textRemovalDelay: Duration = .seconds(1)
    /// How long a removed item may come back under its old ID.
    public var reidentifyWindow: Duration = .seconds(10)
    /// An update is sent when a corner moved by more than this share of the item's size (the root of its area).
    public var deadBand = 0.05
    /// How long an item may be covered before it is taken to be gone.
    public var occlusionLimit: Duration = .seconds(10)
    /// Whether bounds follow the picture from frame to frame, or change only when an item is read again.
    public var isHighFrameRateTrackingEnabled = true
    public var qualityLevel: QualityLevel = .balanced
    /// Whether all items are announced, or only the one that is nearest to `pointOfInterest`.
    public var recognizesMultipleItems = true
    /// In 0...1 of the frame; the centre by default.
    public var pointOfInterest = Point(x: 0.5, y: 0.5)
    public var region: RegionOfInterest = .full
    /// Completes a barcode when it is about to be announced, and again if `isGS1` turns out later; it must not change `id`,
    /// `bounds` or `payload`.
    public var annotate: @Sendable (inout RecognizedItem.Barcode) -> Void = { _ in }

    public init() {}
}

/// Bounds on what a tracker keeps, and numbers of its own.
public enum TrackerLimits {
    /// Barcodes, and lines, that are followed at one time, announced or not; what comes on top is counted and left out.
    public static let maximumTracks = 512
    /// Places that are followed from frame to frame: 40 µs of CPU each.
    public static let maximumFollowed = 128
    /// The share of an item that must be in the frame, or it is out of view.
    static let leastInView = 0.5
    /// Frame heights a frame from which on motion blurs a picture so much that a reading that fails says nothing: 11 px of
    /// 1080p, of which half an interval of exposure makes 5 px of blur.
    static let blurringSpeed = 0.01
    /// Removed items that are remembered for their return.
    public static let maximumFormerItems = 512
    /// Looks in different frames that must miss a barcode before it is removed.
    static let barcodeMisses = 3
    /// Looks in different frames that must miss a line of text before it is removed.
    static let textMisses = 2
    /// Looks that must miss an item before another one at its place can displace it.
    static let displacementMisses = 2
    /// A move is told from 2 px of a picture of 1080 lines on.
    static let leastMove = 2.0 / 1080
    /// Frames in which an equal payload must be seen beside a known one before it is a second label.
    static let twinFrames = 2
    /// How far an observation may be from an item, in the item's own widths and heights, to be it by place alone.
    static let gate = 0.6
    /// How long an item that jumped is taken to be in motion, and is then followed by its payload.
    static let motionMemory = Duration.seconds(1)
}
