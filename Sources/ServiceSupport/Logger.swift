// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc

/// How grave a log line is, as syslog counts.
public enum LogLevel: Int, Sendable, Comparable {
    case error = 3
    case warning = 4
    case info = 6
    case debug = 7

    public static func < (a: LogLevel, b: LogLevel) -> Bool { a.rawValue < b.rawValue }

    fileprivate var word: String {
        switch self {
        case .error: "error: "
        case .warning: "warning: "
        case .info: ""
        case .debug: "debug: "
        }
    }
}

/// Lines on standard error: with `<N>` in front where the journal reads them, in plain words elsewhere.
///
/// Any thread may log. A line is one write(2), so lines never mix. Control characters are shown, not sent: a payload
/// or a file's name can not forge a line or steer a terminal.
public struct Logger: Sendable {
    public let program: String
    /// Lines above it are not written.
    public let threshold: LogLevel
    private let isJournal: Bool

    /// - Parameter isJournal: `nil` to find out: systemd sets `JOURNAL_STREAM` for what it reads.
    public init(program: String, threshold: LogLevel, isJournal: Bool? = nil) {
        self.program = program
        self.threshold = threshold
        self.isJournal = isJournal ?? (getenv("JOURNAL_STREAM") != nil)
    }

    public func error(_ message: @autoclosure () -> String) { log(.error, message()) }
    public func warning(_ message: @autoclosure () -> String) { log(.warning, message()) }
    public func info(_ message: @autoclosure () -> String) { log(.info, message()) }
    public func debug(_ message: @autoclosure () -> String) { log(.debug, message()) }

    public func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
        guard level <= threshold else { return }
        // A log that can not be written has nobody to tell.
        _ = writeAll(line(level, message()), to: 2)
    }

    func line(_ level: LogLevel, _ message: String) -> String {
        let text = Logger.visible(message)
        return isJournal ? "<\(level.rawValue)>\(text)\n" : "\(program): \(level.word)\(text)\n"
    }

    private static func visible(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar.value < 0x20 || (scalar.value >= 0x7F && scalar.value < 0xA0) || scalar.value == 0x2028 {
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
