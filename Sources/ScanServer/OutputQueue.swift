// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem

/// A line that one or many clients wait for; its bytes exist once.
///
/// Belongs to the server's thread.
final class SharedLine {
    let bytes: [UInt8]
    /// In how many queues it waits.
    fileprivate(set) var owners = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// What waits for one client, and how far the first line of it has been sent.
struct OutputQueue {
    private var lines: [SharedLine] = []
    private var head = 0
    private var offset = 0
    /// Bytes that wait for this client.
    private(set) var byteCount = 0

    var isEmpty: Bool { byteCount == 0 }

    /// Puts a line at the end; answers by how much that raises the memory of all queues.
    mutating func append(_ line: SharedLine) -> Int {
        lines.append(line)
        byteCount += line.bytes.count
        line.owners += 1
        return line.owners == 1 ? line.bytes.count : 0
    }

    /// Gives `send` what is left of the first line; `nil` when nothing waits.
    func withNext<Result>(
        _ send: (UnsafeRawBufferPointer) throws(SystemError) -> Result
    ) throws(SystemError) -> Result? {
        guard head < lines.count else { return nil }
        let result: Swift.Result<Result, SystemError> = lines[head].bytes.withUnsafeBytes { bytes in
            do throws(SystemError) {
                return .success(try send(UnsafeRawBufferPointer(rebasing: bytes[offset...])))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Notes that so many bytes of the first line were sent; answers by how much that lowers the memory of all queues.
    mutating func advance(by count: Int) -> Int {
        offset += count
        byteCount -= count
        guard offset == lines[head].bytes.count else { return 0 }
        let freed = OutputQueue.leave(lines[head])
        head += 1
        offset = 0
        // Moving the rest up only when half is done keeps the cost of a long queue linear.
        if head == lines.count {
            lines.removeAll(keepingCapacity: lines.capacity <= 64)
            head = 0
        } else if head > 64, head * 2 > lines.count {
            lines.removeFirst(head)
            head = 0
        }
        return freed
    }

    /// Forgets everything; answers by how much that lowers the memory of all queues.
    mutating func removeAll() -> Int {
        let freed = lines[head...].reduce(0) { $0 + OutputQueue.leave($1) }
        lines = []
        head = 0
        offset = 0
        byteCount = 0
        return freed
    }

    private static func leave(_ line: SharedLine) -> Int {
        line.owners -= 1
        return line.owners == 0 ? line.bytes.count : 0
    }
}
