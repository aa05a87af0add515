// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import ImageKernels
internal import LinuxSystem
internal import ScanModel

/// Picture files by name: those of a directory, or a single one.
final class PictureFiles: PictureSequence {
    /// Bytes of one picture file at the most.
    static let maximumFileSize = 256 << 20
    /// Pictures of one directory at the most.
    static let maximumCount = 1_000_000
    /// What names of pictures end with, in any case; other files of a directory are not looked at.
    static let suffixes = ["png", "jpg", "jpeg", "pgm", "ppm", "pnm", "pbm", "tif", "tiff", "webp"]

    let frameRate: Double?
    private(set) var position = -1
    private let directory: String?
    /// Bytes and not `String`: a name need not be UTF-8, and the order is that of the bytes.
    private let names: [[UInt8]]
    private var current = 0

    /// One picture.
    init(path: String) {
        directory = nil
        frameRate = nil
        names = [Array(path.utf8)]
    }

    /// The pictures of a directory, not of those in it; what is hidden or no file is left out.
    init(directory: String) throws(ReplayError) {
        guard let listing = opendir(directory) else { throw ReplayError(.last("opendir", directory)) }
        defer { closedir(listing) }
        var names: [[UInt8]] = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard name.first != UInt8(ascii: "."), PictureFiles.hasPictureSuffix(name) else { continue }
            var status = stat()
            // A link to nowhere stays in the list: it is a picture that can not be read.
            let isKnown = withName(name) { fstatat(dirfd(listing), $0, &status, 0) } == 0
            if isKnown, status.st_mode & S_IFMT != S_IFREG { continue }
            names.append(name)
            guard names.count <= PictureFiles.maximumCount else {
                throw ReplayError(.unsupported, directory, "more than \(PictureFiles.maximumCount) pictures")
            }
        }
        guard !names.isEmpty else {
            let suffixes = PictureFiles.suffixes.map { "." + $0 }.joined(separator: " ")
            throw ReplayError(.empty, directory, "no file in this directory is named like a picture (\(suffixes))")
        }
        self.directory = directory
        frameRate = FrameTimes.meanRate(ofFile: directory + "/frames.times")
        self.names = names.sorted { $0.lexicographicallyPrecedes($1) }
    }

    static func hasPictureSuffix(_ name: [UInt8]) -> Bool {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return false }
        let suffix = String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
        return suffixes.contains(suffix)
    }

    var subject: String { String(decoding: currentPath, as: UTF8.self) }

    func prepare(until deadline: MonotonicTime?, cancellation: EventDescriptor) -> Preparation { .ready }

    func advance(until deadline: MonotonicTime?, cancellation: EventDescriptor) -> Advance {
        guard position + 1 < names.count else { return .ended }
        position += 1
        current = position
        return .picture
    }

    func rewind() -> Bool {
        position = -1
        return true
    }

    func write(
        with writer: FrameWriter, into slot: UnsafeMutableRawBufferPointer
    ) throws(UnreadablePicture) -> PictureSize {
        let bytes = try PictureFiles.contents(of: currentPath)
        do throws(PictureError) {
            return try bytes.withUnsafeBufferPointer { (bytes) throws(PictureError) in
                try writer.write(encoded: UnsafeRawBufferPointer(bytes), into: slot)
            }
        } catch {
            throw UnreadablePicture(reason: error.description)
        }
    }

    private var currentPath: [UInt8] { path(of: names[current]) }

    /// The paths of all pictures, in their order.
    var paths: [[UInt8]] { names.map { path(of: $0) } }

    private func path(of name: [UInt8]) -> [UInt8] {
        guard let directory else { return name }
        let separator: [UInt8] = directory.hasSuffix("/") ? [] : [UInt8(ascii: "/")]
        return Array(directory.utf8) + separator + name
    }

    /// Read and not mapped: a file that shrinks under a mapping would end the process with SIGBUS.
    static func contents(of path: [UInt8]) throws(UnreadablePicture) -> [UInt8] {
        // Without O_NONBLOCK a pipe that took a picture's place would stop the capture thread.
        let raw = withName(path) { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard raw >= 0 else { throw UnreadablePicture(reason: SystemError.last("open").description) }
        let file = OwnedDescriptor(owning: raw)
        var status = stat()
        guard fstat(file.raw, &status) == 0 else {
            throw UnreadablePicture(reason: SystemError.last("fstat").description)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw UnreadablePicture(reason: "not a regular file") }
        let size = Int(status.st_size)
        guard size <= PictureFiles.maximumFileSize else {
            throw UnreadablePicture(
                reason: "\(size) bytes; the limit of a picture file is \(PictureFiles.maximumFileSize)")
        }
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                do throws(SystemError) {
                    guard let more = try file.read(into: rest), more > 0 else { return }
                    count += more
                } catch {
                    failure = error
                    return
                }
            }
        }
        if let failure { throw UnreadablePicture(reason: failure.description) }
        return bytes
    }
}

/// Lends a file name to a C call.
private func withName<Result>(_ name: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (name + [0]).withUnsafeBufferPointer { bytes in
        bytes.withMemoryRebound(to: CChar.self) { characters in
            guard let base = characters.baseAddress else { preconditionFailure("there is at least the final zero") }
            return body(base)
        }
    }
}
