// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem
internal import ScanModel

/// One file a frame, named by its number: `000000.jpg`, or `000000.pgm` with the luma of a raw format.
final class PictureFolder: RecordingFiles {
    /// More would not sort by name any more, and more is not replayed from one directory.
    let maximumFrames = PictureFiles.maximumCount
    private let destination: RecordingDestination
    private let suffix: String
    /// What stands at the start of each file.
    private let header: [UInt8]
    private var pictureBytes = 0
    private var times: GrowingFile

    init(_ destination: RecordingDestination, _ form: PictureForm, replacing: Bool) throws(SystemError) {
        self.destination = destination
        suffix = form.format.isJPEG ? ".jpg" : ".pgm"
        header = form.format.isJPEG ? [] : Array("P5\n\(form.width) \(form.height)\n255\n".utf8)
        if mkdir(destination.path, 0o777) < 0, errno != EEXIST { throw .last("mkdir", destination.path) }
        if replacing { try PictureFolder.clear(destination) }
        times = try GrowingFile(making: destination.timesPath, replacing: replacing)
        try times.append(FrameTimes.header)
    }

    var size: Int { pictureBytes + times.size }

    func line(number: Int, stamp: FrameStamp, byteCount: Int) -> FrameTimes.Line {
        FrameTimes.Line(number: number, stamp: stamp, offset: 0, byteCount: header.count + byteCount)
    }

    func size(with line: FrameTimes.Line) -> Int { size + line.byteCount + line.text.utf8.count }

    func append(_ bytes: UnsafeRawBufferPointer, _ line: FrameTimes.Line) throws(SystemError) {
        let path = destination.path(of: PictureFolder.name(line.number) + suffix)
        try PictureFolder.write(bytes, after: header, to: path)
        do throws(SystemError) {
            try times.append(line.text)
        } catch {
            unlink(path)
            throw error
        }
        pictureBytes += line.byteCount
    }

    /// Writes a file under a hidden name, so that under its own it is whole.
    static func write(
        _ bytes: UnsafeRawBufferPointer, after header: [UInt8] = [], to path: String
    ) throws(SystemError) {
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let hidden = String(path[..<slash]) + "." + path[slash...] + ".part"
        do throws(SystemError) {
            var file = try GrowingFile(making: hidden, replacing: true)
            try file.append(bytes, after: header)
            if rename(hidden, path) < 0 { throw .last("rename", path) }
        } catch {
            unlink(hidden)
            throw error
        }
    }

    /// Six digits.
    private static func name(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    /// Removes a former recording's files, and nothing else that may be in the directory.
    private static func clear(_ destination: RecordingDestination) throws(SystemError) {
        guard let listing = opendir(destination.path) else { throw .last("opendir", destination.path) }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if isOfRecording(name) { names.append(name) }
        }
        for name in names where unlink(destination.path(of: name)) < 0 && errno != ENOENT {
            throw .last("unlink", destination.path(of: name))
        }
    }

    private static func isOfRecording(_ name: String) -> Bool {
        if name == "frames.times" || name == "recording.json" { return true }
        let isPart = name.hasPrefix(".") && name.hasSuffix(".part")
        let whole = isPart ? String(name.dropFirst().dropLast(5)) : name
        if isPart, whole == "recording.json" { return true }
        guard whole.hasSuffix(".jpg") || whole.hasSuffix(".pgm") else { return false }
        let number = whole.dropLast(4)
        return number.utf8.count == 6 && number.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
