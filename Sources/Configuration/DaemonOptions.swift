// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// How fast a replay runs.
public enum ReplayPace: Sendable, Hashable {
    /// At the file's own rate; 30 frames a second where it has none.
    case own
    /// At so many frames a second.
    case framesPerSecond(Double)
    /// As fast as the scanner takes it: no frame is dropped and each run gives the same events.
    case unpaced
}

/// How much is logged; each level includes those before it.
public enum LogVerbosity: String, Sendable, Hashable, CaseIterable {
    /// What ends the daemon or a part of it.
    case error
    /// What went wrong and was mended or skipped.
    case warning
    /// Starts, ends and changes of state.
    case info
    /// What an engineer wants to see when looking for a fault; may be much.
    case debug
}

/// Everything that `datascand` can be told.
public struct DaemonOptions: Sendable, Hashable {
    /// A camera's device or link, or `auto`; a picture, a directory of pictures, an MJPEG or Y4M file, or `-` for a stream
    /// on standard input.
    public var source: String?
    /// How a camera is set.
    public var cameraSettings = CameraSettings()
    /// Seconds after which a picture that never changes means that the camera hangs; `nil`: it may stand for ever.
    public var frozenAfter: Double?
    /// Whether the daemon ends when the camera is gone, instead of waiting for it.
    public var endsWithoutCamera = false
    /// How fast a replay runs, and frames a second that a camera is asked for.
    public var pace: ReplayPace = .own
    /// Whether a replay starts again at its end.
    public var loops = false
    /// Frames that each picture of a replay is shown for, 1 or more.
    public var hold = 1
    /// Whether the replay waits for the first subscriber.
    public var waitsForSubscriber = false
    public var qualityLevel: QualityLevel = .balanced
    public var regionOfInterest: RegionOfInterest = .full
    var isRegionGiven = false
    /// Degrees that the picture is turned clockwise before anything sees it: 0, 90, 180 or 270.
    public var rotation = 0
    /// Whether the picture is mirrored left to right, after the turn.
    public var isMirrored = false
    /// What is looked for; empty until something is named, which then means barcodes and text.
    public var types: [RecognizedDataType] = []
    /// Tesseract's language names in order of preference.
    public var languages: [String] = ["eng"]
    /// What barcodes of a symbology must be like.
    public var symbologyRules: [Symbology: SymbologyRule] = [:]
    /// Where the sockets are made; `nil` for the runtime directory of the user or the system.
    public var socketDirectory: String?
    /// The name of this instance: part of the sockets' path, and of `hello`.
    public var camera = "default"
    public var logVerbosity: LogVerbosity = .info

    public init() {}

    /// What is looked for, with the languages put in.
    public var recognizedDataTypes: [RecognizedDataType] {
        let named: [RecognizedDataType] = types.isEmpty ? [.barcode(), .text()] : types
        return named.map {
            if case .text(let own) = $0, own.isEmpty { return .text(languages: languages) }
            return $0
        }
    }
}
