// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import Foundation
import Glibc
import LinuxSystem
import ScanModel
import ScanTestSupport
import Testing

/// A frame of a recording by its number, `1 / rate` seconds after the one before.
func picture(
    _ number: Int, _ bytes: [UInt8], format: FourCC = .mjpg, width: Int = 32, height: Int = 16, rate: Int64 = 25
) -> OwnedPicture {
    let passed = Int64(number) * 1_000_000_000 / rate
    return OwnedPicture(
        stamp: FrameStamp(
            sequence: UInt64(number), monotonic: MonotonicTime(nanoseconds: 7_000_000_000 + passed),
            time: WallTime(milliseconds: 1_796_030_796_087 + passed / 1_000_000)),
        format: format, width: width, height: height, bytesPerLine: format.isJPEG ? 0 : width, bytes: bytes)
}

/// A raw frame of one brightness.
func grey(_ brightness: UInt8, _ number: Int, width: Int = 32, height: Int = 16) -> OwnedPicture {
    picture(
        number, [UInt8](repeating: brightness, count: width * height), format: .grey, width: width, height: height)
}

extension RecordingWriter {
    func append(_ picture: OwnedPicture) throws(RecordingError) -> RecordingEnd? {
        try picture.withRaw { (picture) throws(RecordingError) in try append(picture) }
    }

    /// Writes frames of rising brightness, as JPEG; answers why it ended, where it did.
    @discardableResult
    func appendJPEGs(_ numbers: Range<Int>, rate: Int64 = 25) throws -> RecordingEnd? {
        for number in numbers {
            if let end = try append(picture(number, jpeg(UInt8(10 + 10 * number)), rate: rate)) { return end }
        }
        return nil
    }
}

/// A folder with paths in it.
struct Folder {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    func path(_ name: String) -> String { directory.path + "/" + name }
    func bytes(_ name: String) -> [UInt8] {
        Array(FileManager.default.contents(atPath: path(name)) ?? Data())
    }
    /// Without showing all the bytes where it does not.
    func holds(_ expected: [UInt8], _ name: String) -> Bool { bytes(name) == expected }
    func text(_ name: String) -> String { String(decoding: bytes(name), as: UTF8.self) }
    func put(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
    }
    func names(_ name: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
    }
}
