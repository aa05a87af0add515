// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// The error of a JSON-RPC answer.
public struct ResponseError: Error, Decodable, Sendable, Hashable, CustomStringConvertible {
    public var code: Int
    public var message: String

    public init(code: Int, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { "\(message) (code \(code))" }

    /// The line is not JSON.
    public static func parseError(_ message: String) -> ResponseError {
        ResponseError(code: -32700, message: message)
    }

    /// JSON, but not a request; an oversized or unfinished line is one as well.
    public static func invalidRequest(_ message: String) -> ResponseError {
        ResponseError(code: -32600, message: message)
    }

    /// No such method; the message lists those that exist.
    public static func unknownMethod(_ name: String) -> ResponseError {
        let known = RequestMethod.allCases.map(\.rawValue).joined(separator: ", ")
        return ResponseError(code: -32601, message: "unknown method '\(name.prefix(64))'; known are \(known)")
    }

    /// The method exists and its parameters do not fit.
    public static func invalidParameters(_ message: String) -> ResponseError {
        ResponseError(code: -32602, message: message)
    }

    /// More requests a second than `hello` allows.
    public static func tooManyRequests(limit: Int) -> ResponseError {
        ResponseError(code: -32001, message: "more than \(limit) requests a second: this one was not carried out")
    }

    /// A request for administrators came to `events.sock`.
    public static func wrongSocket(_ method: RequestMethod, controlPath: String) -> ResponseError {
        let reason = method.changesScanner ? "changes the scanner" : "gives pictures away"
        return ResponseError(
            code: -32002, message: "\(method.rawValue) \(reason): send it to control.sock (\(controlPath))")
    }

    /// The scanner could not do what was asked.
    public static func failed(_ message: String) -> ResponseError { ResponseError(code: -32003, message: message) }

    /// It can not be done now, and may well be later, without anybody's doing.
    public static func notNow(_ message: String) -> ResponseError { ResponseError(code: -32006, message: message) }

    /// Whether the request was right and could not be done, for now or for good.
    public var isRefusal: Bool { isTemporary || code == ResponseError.failed("").code }

    /// Whether it is worth asking again later.
    public var isTemporary: Bool { code == ResponseError.notNow("").code }

    /// The server takes no further connection; this is the only line on it.
    public static func noRoom(_ message: String) -> ResponseError { ResponseError(code: -32004, message: message) }

    /// The answer would be longer than the longest line.
    public static func answerTooLong(limit: Int) -> ResponseError {
        ResponseError(
            code: -32005,
            message: "the answer is longer than \(limit) bytes: connect to events.sock, whose snapshot comes in parts")
    }
}

/// An answer to a request.
public struct Response: Sendable, Hashable {
    /// `nil` where the server could not read the request's.
    public var id: RequestID?
    public var result: Result<JSONValue, ResponseError>

    public init(id: RequestID?, result: Result<JSONValue, ResponseError>) {
        self.id = id
        self.result = result
    }
}
