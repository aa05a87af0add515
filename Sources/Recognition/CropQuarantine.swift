// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import LinuxSystem

/// What a crop looks like: 256 bits that say where it gets lighter to the right; never all 0.
///
/// Crops are upright and scaled, so that the same symbol looks the same in the next frame, wherever it is. Flat parts are 0,
/// or noise would decide them.
struct CropLook: Hashable, Sendable {
    static let wordCount = 4
    /// Bits that two looks at one crop may differ in: noise of 6 levels flips fewer; QR codes of one version with different
    /// texts differ in some 40. Labels that differ in one digit may pass for one another: ZBar reads them still.
    static let likeness = 12
    /// Levels by which a cell is lighter than its left neighbour.
    private static let rise = 10

    /// Any bits are a look.
    private(set) var words: [UInt64]

    /// 16 x 16 cells of a square crop, 32 x 8 of a wide one.
    init(of crop: LumaBuffer) {
        let isWide = crop.width > 3 * crop.height
        let (columns, rows) = isWide ? (32, 8) : (16, 16)
        words = [UInt64](repeating: 0, count: Self.wordCount)
        // One column more, as each bit compares two neighbours.
        let small = crop.resized(width: columns + 1, height: rows)
        for row in 0..<rows {
            for column in 0..<columns {
                let at = row * small.width + column
                let isRise = Int(small.pixels[at + 1]) > Int(small.pixels[at]) + Self.rise
                let bit = row * columns + column
                if isRise { words[bit / 64] |= 1 << (bit % 64) }
            }
        }
        if words.allSatisfy({ $0 == 0 }) { words[0] = 1 }
    }

    /// `nil` for another number of words, and for none at all.
    init?(words: [UInt64]) {
        guard words.count == Self.wordCount, words.contains(where: { $0 != 0 }) else { return nil }
        self.words = words
    }

    func isLike(_ other: CropLook) -> Bool { distance(to: other) <= Self.likeness }

    func distance(to other: CropLook) -> Int {
        zip(words, other.words).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
    }
}

/// Crops that ended a worker, so that zxing-cpp does not get them again.
///
/// zxing-cpp's assertions abort the process on some pictures (zxing-cpp#740, #516). A worker notes what a crop looks like
/// before zxing-cpp gets it, in memory that outlives it; whoever replaces the worker finds the note, and from then on
/// crops that look like it are left to ZBar. A note is bits of which any are right, so that nothing in it can be wrong.
///
/// - Important: Confined to the engine's thread.
final class CropQuarantine {
    /// Looks that are remembered; beyond, the oldest is forgotten.
    static let capacity = 32

    private let notes: any CropNotes

    /// Without notes: nobody would read them where the process dies.
    convenience init() { self.init(notes: NoNotes()) }

    init(notes: any CropNotes) { self.notes = notes }

    /// Notes that zxing-cpp is to get a crop; false where it must not.
    func begin(_ crop: LumaBuffer) -> Bool {
        guard notes.areKept else { return true }
        let look = CropLook(of: crop)
        guard !notes.condemned.contains(where: look.isLike) else { return false }
        notes.note(look)
        return true
    }

    /// Notes that zxing-cpp has returned.
    func end() { notes.note(nil) }
}

/// Where the looks of crops are noted.
protocol CropNotes: AnyObject {
    /// Whether anybody will read them.
    var areKept: Bool { get }
    /// The looks that ended a process.
    var condemned: [CropLook] { get }
    /// The look of the crop that zxing-cpp has; `nil` for none.
    func note(_ look: CropLook?)
}

private final class NoNotes: CropNotes {
    var areKept: Bool { false }
    var condemned: [CropLook] { [] }
    func note(_ look: CropLook?) {}
}

/// Notes in memory that the worker shares with its supervisor: the present look, then those that are condemned.
///
/// - Important: Of both sides, each uses its own object and only its own half of the methods.
final class SharedCropNotes: CropNotes, Sendable {
    static let wordCount = CropLook.wordCount * (1 + CropQuarantine.capacity)

    let words: SharedWords

    init(words: SharedWords) { self.words = words }

    // MARK: - The worker's side

    var areKept: Bool { true }
    var condemned: [CropLook] { (1...CropQuarantine.capacity).compactMap(look) }
    func note(_ look: CropLook?) { write(look, at: 0) }

    // MARK: - The supervisor's side

    /// Takes the look that a worker had when it ended; `nil` where zxing-cpp had nothing.
    func takeLast() -> CropLook? {
        defer { write(nil, at: 0) }
        return look(at: 0)
    }

    /// Writes what the next worker is to know. The supervisor keeps the list itself: a worker can write over it.
    func condemn(_ looks: [CropLook]) {
        for index in 1...CropQuarantine.capacity { write(index <= looks.count ? looks[index - 1] : nil, at: index) }
    }

    private func look(at index: Int) -> CropLook? {
        CropLook(words: (0..<CropLook.wordCount).map { words[index * CropLook.wordCount + $0] })
    }

    private func write(_ look: CropLook?, at index: Int) {
        for word in 0..<CropLook.wordCount { words[index * CropLook.wordCount + word] = look?.words[word] ?? 0 }
    }
}
