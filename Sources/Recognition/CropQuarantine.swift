// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels

/// Crops that ended a worker, so that zxing-cpp does not get them again.
///
/// zxing-cpp's assertions abort the process on some pictures (zxing-cpp#740, #516). A worker notes what a crop looks like
/// before zxing-cpp gets it, in memory that outlives it; whoever replaces the worker finds the note, and from then on
/// crops that look like it are left to ZBar. A note is a number of 64 bits, so that nothing in it can be wrong.
///
/// - Important: Confined to the engine's thread.
final class CropQuarantine {
    /// Looks that are remembered; beyond, the oldest is forgotten.
    static let capacity = 32
    /// Bits that two looks at one crop may differ in: noise of 6 levels flips up to 5 of 64; crops of different symbols
    /// differ in 20 and more.
    static let likeness = 8

    private let notes: any CropNotes

    /// Without notes: nobody would read them where the process dies.
    convenience init() { self.init(notes: NoNotes()) }

    init(notes: any CropNotes) { self.notes = notes }

    /// Notes that zxing-cpp is to get a crop; false where it must not.
    func begin(_ crop: LumaBuffer) -> Bool {
        guard notes.areKept else { return true }
        let look = Self.look(of: crop)
        guard !notes.condemned.contains(where: { ($0 ^ look).nonzeroBitCount <= Self.likeness }) else { return false }
        notes.note(look)
        return true
    }

    /// Notes that zxing-cpp has returned.
    func end() { notes.note(0) }

    /// 64 bits that say where a crop gets lighter: 8 x 8 for squares, 4 x 16 for what is wide; never 0.
    ///
    /// Crops are upright and scaled, so that the same symbol looks the same in the next frame, wherever it is.
    static func look(of crop: LumaBuffer) -> UInt64 {
        let isWide = crop.width > 3 * crop.height
        let (columns, rows) = isWide ? (16, 4) : (8, 8)
        guard crop.width > columns, crop.height >= rows else { return 1 }
        // One column more, as each bit compares two neighbours.
        let small = crop.resized(width: columns + 1, height: rows)
        var look: UInt64 = 0
        for row in 0..<rows {
            for column in 0..<columns {
                let at = row * small.width + column
                look = look << 1 | (small.pixels[at + 1] > small.pixels[at] ? 1 : 0)
            }
        }
        return look == 0 ? 1 : look
    }
}

/// Where the looks of crops are noted.
protocol CropNotes: AnyObject {
    /// Whether anybody will read them.
    var areKept: Bool { get }
    /// The looks that ended a process.
    var condemned: [UInt64] { get }
    /// The look of the crop that zxing-cpp has; 0 for none.
    func note(_ look: UInt64)
}

private final class NoNotes: CropNotes {
    var areKept: Bool { false }
    var condemned: [UInt64] { [] }
    func note(_ look: UInt64) {}
}
