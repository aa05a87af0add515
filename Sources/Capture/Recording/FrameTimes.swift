// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem
internal import ScanModel

/// The side file of a recording: when each frame was taken, and where its bytes are.
///
/// Text, a line a frame, as `docs/cameras.md` describes it. A line is written after the bytes that it names, in one
/// write, so that every line with its end is true whenever the writer stopped.
enum FrameTimes {
    /// The first line.
    static let header = "# datascand frames 1: number monotonic-ns time offset bytes sequence\n"
    /// Bytes that are read from the start and from the end of a file to find its first and its last line.
    private static let window = 4096

    /// One frame's line.
    struct Line: Equatable {
        /// Counted from 0 in the recording.
        var number: Int
        var monotonic: MonotonicTime
        /// RFC 3339.
        var time: String
        /// Where its bytes begin in their file.
        var offset: Int
        var byteCount: Int
        /// The camera's own number; a gap is a frame that is not in the recording.
        var sequence: UInt64

        var text: String { "\(number) \(monotonic.nanoseconds) \(time) \(offset) \(byteCount) \(sequence)\n" }

        init(number: Int, stamp: FrameStamp, offset: Int, byteCount: Int) {
            self.number = number
            monotonic = stamp.monotonic
            time = stamp.time.rfc3339
            self.offset = offset
            self.byteCount = byteCount
            sequence = stamp.sequence
        }

        /// Takes a line without its end; `nil` where it is none, such as one that was overwritten with zeros.
        init?(_ text: some StringProtocol) {
            let fields = text.split(separator: " ", omittingEmptySubsequences: false)
            guard fields.count >= 6, let number = Int(fields[0]), number >= 0,
                let monotonic = Int64(fields[1]).flatMap(MonotonicTime.init(told:)),
                fields[2].count >= 20, fields[2].last == "Z", let offset = Int(fields[3]), offset >= 0,
                let byteCount = Int(fields[4]), byteCount > 0, let sequence = UInt64(fields[5])
            else { return nil }
            self.number = number
            self.monotonic = monotonic
            time = String(fields[2])
            self.offset = offset
            self.byteCount = byteCount
            self.sequence = sequence
        }
    }

    /// The frames a second of a recording on the average, by the first and the last line that are whole.
    ///
    /// `nil` where there is no such file, where it has fewer than two frames, or where they say nothing sensible.
    static func meanRate(ofFile path: String) -> Double? {
        guard let file = try? OwnedDescriptor.openForReading(path) else { return nil }
        var status = stat()
        guard fstat(file.raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let size = Int(status.st_size)
        let start = read(file, at: 0, count: min(size, window))
        let tail = read(file, at: max(0, size - window), count: min(size, window))
        // The tail most likely begins inside a line, and the rest of a number is a number too.
        let whole = tail.firstIndex(of: UInt8(ascii: "\n")).map { tail[$0...] } ?? []
        guard start.starts(with: Array(header.utf8)), let first = lines(start.dropFirst(header.utf8.count)).first,
            let last = lines(whole).last,
            last.number > first.number, last.monotonic > first.monotonic
        else { return nil }
        let rate = Double(last.number - first.number) / (last.monotonic - first.monotonic).inSeconds
        return ReplayOptions.rates.contains(rate) ? rate : nil
    }

    /// The lines that are whole and make sense; a piece of a line at the start or the end is none.
    static func lines(_ bytes: ArraySlice<UInt8>) -> [Line] {
        guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        return bytes[..<end].split(separator: UInt8(ascii: "\n")).compactMap {
            Line(String(decoding: $0, as: UTF8.self))
        }
    }

    private static func read(_ file: borrowing OwnedDescriptor, at offset: Int, count: Int) -> [UInt8] {
        let raw = file.raw
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            initialized = max(0, pread(raw, buffer.baseAddress, count, off_t(offset)))
        }
    }
}
