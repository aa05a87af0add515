// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem

/// A line that one or many clients wait for; its bytes exist once.
///
/// Belongs to the server's thread.
final class SharedLine {
    let bytes: [UInt8]
    /// Whether it belongs to a recording, whose frames have a limit of their own.
    let isFrame: Bool
    /// In how many queues it waits.
    fileprivate(set) var owners = 0

    init(_ bytes: [UInt8], isFrame: Bool = false) {
        self.bytes = bytes
        self.isFrame = isFrame
    }
}

/// What waits for one client, and how far the first line of it has been sent.
struct OutputQueue {
    private var lines: [SharedLine] = []
    private var head = 0
    private var offset = 0
    /// Bytes of lines that wait for this client.
    private(set) var lineByteCount = 0
    /// Bytes of a recording's frames that wait for it; one that is partly sent counts whole, as its memory does.
    private(set) var frameByteCount = 0

    var isEmpty: Bool { head == lines.count }
    var byteCount: Int { lineByteCount + frameByteCount }

    /// Puts a line at the end; answers by how much that raises the memory of all queues.
    mutating func append(_ line: SharedLine) -> Int {
        lines.append(line)
        line.owners += 1
        guard !line.isFrame else {
            frameByteCount += line.bytes.count
            return 0
        }
        lineByteCount += line.bytes.count
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
        let line = lines[head]
        if !line.isFrame { lineByteCount -= count }
        guard offset == line.bytes.count else { return 0 }
        if line.isFrame { frameByteCount -= line.bytes.count }
        let freed = OutputQueue.leave(line)
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
        lineByteCount = 0
        frameByteCount = 0
        return freed
    }

    private static func leave(_ line: SharedLine) -> Int {
        line.owners -= 1
        return line.owners == 0 && !line.isFrame ? line.bytes.count : 0
    }
}
