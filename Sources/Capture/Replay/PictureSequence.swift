// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem
internal import ScanModel

/// Pictures one after the other, not decoded until that is asked for.
///
/// Confined to the thread that owns it.
protocol PictureSequence: AnyObject {
    /// Frames a second, where the source says so; known once `prepare` answered `ready`.
    var frameRate: Double? { get }
    /// The index of the newest picture in this pass; -1 before the first.
    var position: Int { get }
    /// The current picture's name for messages.
    var subject: String { get }

    /// Reads what comes before the first picture; to be called at the start, again after `notYet`, and after `rewind`.
    func prepare(until deadline: MonotonicTime?, cancellation: EventDescriptor) -> Preparation

    /// Goes to the next picture. Where it does not come until `deadline`, the current one stays.
    func advance(until deadline: MonotonicTime?, cancellation: EventDescriptor) -> Advance

    /// Writes the current picture into a slot; it may be called again.
    func write(with writer: FrameWriter, into slot: UnsafeMutableRawBufferPointer) throws(UnreadablePicture)
        -> PictureSize

    /// Goes back before the first picture, keeping the current one; false where that is not possible.
    func rewind() -> Bool
}

enum Preparation {
    case ready
    case notYet
    case cancelled
    case failed(ReplayError.Kind, reason: String)
}

enum Advance {
    case picture
    case ended
    case notYet
    case cancelled
}

/// Why the current picture is skipped.
struct UnreadablePicture: Error {
    let reason: String
}
