// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Foundation
public import LinuxSystem

/// A directory that is gone, with all that is in it, when its owner goes away.
public final class TemporaryDirectory: Sendable {
    public let path: String

    /// Throws `SystemError` where it can not be made.
    public init() throws(SystemError) {
        let parent = NSTemporaryDirectory()
        var template = Array((parent + "/datascand-test-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw .last("mkdtemp", parent) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and answers its path.
    @discardableResult
    public func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = path + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }
}
