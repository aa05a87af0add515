// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ImageKernels

/// How fast a replay goes.
public enum ReplayRate: Sendable, Hashable {
    /// The file's own rate, 30 frames a second where it has none. That of a recording is the mean rate of its frames, by
    /// the file of times beside it.
    case source
    /// Frames a second.
    case fixed(Double)
    /// As fast as frames are taken; the stamps are those of `clockRate` frames a second (`nil`: as with `source`).
    case unpaced(clockRate: Double? = nil)
}

/// How a replay is shown.
public struct ReplayOptions: Sendable, Hashable {
    public var rate = ReplayRate.source
    /// Starts again at the end; the numbers go on. Not possible on standard input.
    public var loop = false
    /// How many frames each picture is shown for: 1...`maximumHold`.
    public var hold = 1
    public var orientation = Orientation.upright
    /// Larger pictures are skipped; no more than the pool's slots hold.
    public var maximumPixels = FramePool.maximumPixels

    /// Frames a second where neither the options nor the file say anything.
    public static let defaultRate = 30.0
    /// Frames a second that can be asked for or that a file is believed.
    public static let rates = 0.01...1000.0
    public static let maximumHold = 1_000_000

    public init() {}
}

/// What became of the pictures of a replay so far.
public struct ReplayCounters: Sendable, Hashable {
    /// Frames given out; a picture that is held counts each time.
    public var delivered: UInt64 = 0
    /// Pictures that could not be read.
    public var skipped: UInt64 = 0
    /// Frames that were past when they were asked for.
    public var dropped: UInt64 = 0

    public init() {}
}

/// Why a replay can not start: what it was to be made of, and what is wrong with that.
public struct ReplayError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Sorts of reasons, for those who act on them.
    public enum Kind: Sendable, Hashable {
        case notFound
        case notPermitted
        /// A directory without pictures, a file without bytes.
        case empty
        /// Neither picture, MJPEG nor Y4M.
        case unknownKind
        /// Of a known kind, in a variant that is not read.
        case unsupported
        /// The options contradict the source or are out of range.
        case invalidOption
        /// Any other failure of the system.
        case system
    }

    public let kind: Kind
    /// A path, or "standard input".
    public let subject: String
    public let reason: String

    init(_ kind: Kind, _ subject: String, _ reason: String) {
        self.kind = kind
        self.subject = subject
        self.reason = reason
    }

    public var description: String { "\(subject): \(reason)" }
}
