// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc

/// The names in a directory, without `.` and `..`; none where it can not be read.
struct DirectoryNames: Sequence {
    private let path: String

    init(of path: String) { self.path = path }

    func makeIterator() -> Iterator { Iterator(path) }

    final class Iterator: IteratorProtocol {
        private let stream: OpaquePointer?

        init(_ path: String) { stream = opendir(path) }

        deinit { if let stream { closedir(stream) } }

        func next() -> String? {
            guard let stream else { return nil }
            while let entry = readdir(stream) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != ".", name != ".." { return name }
            }
            return nil
        }
    }
}

/// Where a link leads, all links on the way followed; `nil` where nothing is there.
func resolvedPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
}

/// What is written in a link; `nil` for what is none.
func linkText(_ path: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
        guard let start = buffer.baseAddress else { return nil }
        let count = readlink(path, start, buffer.count)
        return count < 0 ? nil : String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
