// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel
public import ScanProtocol

/// A subscription that the calling thread reads, for command lines and simple programs.
///
/// - Important: `next` and `nextLine` block: keep them off Swift's cooperative pool.
public final class EventReader {
    private var connection: LineConnection

    /// Connects to `events.sock`.
    public init(path: String, timeout: Duration = .seconds(5)) throws(ClientError) {
        connection = try LineConnection(path: path, timeout: timeout)
    }

    /// The connection, for poll. Borrowed.
    public var descriptor: Int32 { connection.raw }

    /// The next line as it came, with its newline; `nil` when the server has closed, `timeout` at the deadline.
    public func nextLine(until deadline: MonotonicTime? = nil) throws(ClientError) -> [UInt8]? {
        do throws(ClientError) {
            return try connection.nextLine(until: deadline)
        } catch {
            throw error.timedOut(connection.path)
        }
    }

    /// The next message; `nil` when the server has closed, `timeout` at the deadline.
    public func next(until deadline: MonotonicTime? = nil) throws(ClientError) -> ServerMessage? {
        guard let line = try nextLine(until: deadline) else { return nil }
        return try EventReader.message(line)
    }

    static func message(_ line: [UInt8]) throws(ClientError) -> ServerMessage {
        let message: ServerMessage
        do throws(MalformedMessage) {
            message = try ServerMessage(parsing: line)
        } catch {
            throw .malformed(error)
        }
        // An answer to nothing that was asked: the server says why it will not serve.
        if case .response(let response) = message, response.id == nil, case .failure(let error) = response.result,
            error.code == ResponseError.noRoom("").code
        {
            throw .refused(error)
        }
        return message
    }
}
