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
    private let replaces: Bool
    private let madeDirectory: Bool
    private var isBegun = false

    init(_ destination: RecordingDestination, _ form: PictureForm, replacing: Bool) throws(SystemError) {
        self.destination = destination
        suffix = form.format.isJPEG ? ".jpg" : ".pgm"
        header = form.format.isJPEG ? [] : Array("P5\n\(form.width) \(form.height)\n255\n".utf8)
        replaces = replacing
        madeDirectory = mkdir(destination.path, 0o777) == 0
        if !madeDirectory, errno != EEXIST { throw .last("mkdir", destination.path) }
        do throws(SystemError) {
            times = try GrowingFile(beside: destination.timesPath, replacing: replacing)
        } catch {
            if madeDirectory { rmdir(destination.path) }
            throw error
        }
        try times.append(FrameTimes.header)
    }

    deinit {
        guard !isBegun else { return }
        times.remove()
        if madeDirectory { rmdir(destination.path) }
    }

    var size: Int { pictureBytes + times.size }

    func line(number: Int, stamp: FrameStamp, byteCount: Int) -> FrameTimes.Line {
        FrameTimes.Line(number: number, stamp: stamp, offset: 0, byteCount: header.count + byteCount)
    }

    func size(with line: FrameTimes.Line) -> Int { size + line.byteCount + line.text.utf8.count }

    func append(_ bytes: UnsafeRawBufferPointer, _ line: FrameTimes.Line) throws(SystemError) {
        let path = destination.path(of: PictureFolder.name(line.number) + suffix)
        var picture = try GrowingFile(beside: path, replacing: isBegun || replaces)
        try picture.append(bytes, after: header)
        if isBegun {
            try picture.settle(replacing: true)
            do throws(SystemError) {
                try times.append(line.text)
            } catch {
                picture.remove()
                throw error
            }
        } else {
            try begin(with: &picture, line)
        }
        pictureBytes += line.byteCount
    }

    /// A former recording makes way once the first frame and its line are written.
    private func begin(with picture: inout GrowingFile, _ line: FrameTimes.Line) throws(SystemError) {
        try times.append(line.text)
        if replaces { try PictureFolder.clear(destination) }
        try picture.settle(replacing: replaces)
        do throws(SystemError) {
            try times.settle(replacing: replaces)
        } catch {
            picture.remove()
            throw error
        }
        isBegun = true
    }

    /// Puts a file into the place of the one that is there, whole or not at all.
    static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        var file = try GrowingFile(beside: path, replacing: true)
        try file.append(UnsafeRawBufferPointer(start: nil, count: 0), after: bytes)
        try file.settle(replacing: true)
    }

    /// Six digits.
    private static func name(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    /// Removes a former recording's files, and nothing else that may be in the directory: not this one's first either.
    private static func clear(_ destination: RecordingDestination) throws(SystemError) {
        guard let listing = opendir(destination.path) else { throw .last("opendir", destination.path) }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if isOfRecording(name), !name.hasSuffix(GrowingFile.hiddenSuffix) { names.append(name) }
        }
        for name in names where unlink(destination.path(of: name)) < 0 && errno != ENOENT {
            throw .last("unlink", destination.path(of: name))
        }
    }

    private static func isOfRecording(_ name: String) -> Bool {
        let whole = settledName(name)
        if whole == "frames.times" || whole == "recording.json" { return true }
        guard whole.hasSuffix(".jpg") || whole.hasSuffix(".pgm") else { return false }
        let number = whole.dropLast(4)
        return number.utf8.count == 6 && number.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// The name that a file with a hidden one, `.NAME.PROCESS.part`, was to get; any other name as it is.
    private static func settledName(_ name: String) -> Substring {
        guard name.hasPrefix("."), name.hasSuffix(".part") else { return name[...] }
        let rest = name.dropFirst().dropLast(5)
        guard let dot = rest.lastIndex(of: ".") else { return name[...] }
        let process = rest[rest.index(after: dot)...]
        return process.allSatisfy { $0.isNumber } ? rest[..<dot] : name[...]
    }
}
