// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
public import LinuxSystem

/// How a write ended.
public enum WriteOutcome: Sendable, Hashable {
    /// All of it was taken.
    case done
    /// The reader has gone (EPIPE): nobody wants the rest.
    case closed
    case failed(SystemError)
}

/// Writes the whole text, waiting where the other end is slow.
///
/// SIGPIPE must be ignored (`CurrentProcess.ignoreBrokenPipes`), or a reader that has gone ends the process.
public func writeAll(_ text: String, to descriptor: Int32) -> WriteOutcome {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count > 0 {
            bytes = bytes.dropFirst(count)
            continue
        }
        switch errno {
        case EINTR: continue
        case EAGAIN: _ = try? pollDescriptors([(descriptor, .writable)], until: nil)
        case EPIPE: return .closed
        default: return .failed(.last("write"))
        }
    }
    return .done
}

/// What a program prints for whoever called it, as opposed to what it logs.
///
/// Output that is lost must not look like success: `datascan items >list` on a full disk ends with 74. A reader that has
/// gone has what it wanted (`datascan watch | head`): that ends with 0 and no word. Any thread may print.
public struct StandardOutput: Sendable {
    private let logger: Logger

    /// - Parameter logger: tells why the output can not be written.
    public init(logger: Logger) { self.logger = logger }

    /// Writes the whole text, or ends the program.
    public func print(_ text: String) {
        switch writeAll(text, to: 1) {
        case .done: return
        case .closed: exit(with: ExitStatus.success.rawValue)
        case .failed(let error):
            let reason = error.code == EBADF ? "it is closed" : error.reason
            logger.error("standard output can not be written: \(reason)")
            exit(with: ExitStatus.inputOutput.rawValue)
        }
    }
}
