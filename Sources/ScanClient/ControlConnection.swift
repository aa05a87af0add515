// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem
internal import ScanModel
public import ScanProtocol

/// A connection for requests, one at a time.
///
/// - Important: `call` blocks until the answer or the timeout: keep it off Swift's cooperative pool. One thread at a time.
public final class ControlConnection {
    private var connection: LineConnection
    private let timeout: Duration
    private var lastID: Int64 = 0

    /// Connects to `control.sock`, or to `events.sock` for requests that only read.
    public init(path: String, timeout: Duration = .seconds(5)) throws(ClientError) {
        connection = try LineConnection(path: path, timeout: timeout)
        self.timeout = timeout
    }

    /// Makes a request and waits for its answer.
    ///
    /// - Throws: `failed` with the server's error, `timeout`, or what is wrong with the connection. After a timeout the
    ///   connection is still good: the late answer is passed over.
    public func call(
        _ method: RequestMethod, timeout: Duration? = nil
    ) throws(ClientError) -> JSONValue {
        lastID += 1
        let id = RequestID.number(lastID)
        let limit = timeout ?? self.timeout
        let deadline = MonotonicTime.now + limit
        do throws(ClientError) {
            try connection.send(Request(id: id, method: method).line, until: deadline)
            while let line = try connection.nextLine(until: deadline) {
                guard case .response(let response) = try EventReader.message(line), response.id == id else { continue }
                switch response.result {
                case .success(let result): return result
                case .failure(let error): throw .failed(error)
                }
            }
        } catch {
            throw error.timedOut("\(method.rawValue) at \(connection.path)", after: limit)
        }
        throw .closed(connection.path)
    }

    /// The state of the server.
    public func status() throws(ClientError) -> StatusReport { try decode(call(.getStatus)) }

    /// The items in view, in reading order.
    public func items() throws(ClientError) -> Wire.Snapshot { try decode(call(.getItems)) }

    /// Begins to scan.
    public func startScanning() throws(ClientError) { _ = try call(.startScanning) }

    /// Stops to scan.
    public func stopScanning() throws(ClientError) { _ = try call(.stopScanning) }

    /// The names of the symbologies that the server can read.
    public func supportedSymbologies() throws(ClientError) -> [String] { try decode(call(.supportedSymbologies)) }

    /// The symbologies that the server can read, and with what; one that is older than this request throws `failed`.
    public func symbologyEngines() throws(ClientError) -> [Wire.SymbologyEngines] {
        try decode(call(.symbologyEngines))
    }

    /// Tesseract's names of the languages that the server can read.
    public func supportedTextRecognitionLanguages() throws(ClientError) -> [String] {
        try decode(call(.supportedTextRecognitionLanguages))
    }

    private func decode<Result: Decodable>(_ value: JSONValue) throws(ClientError) -> Result {
        do {
            return try value.decoded(as: Result.self)
        } catch {
            throw .malformed(MalformedMessage(error, in: value))
        }
    }
}
