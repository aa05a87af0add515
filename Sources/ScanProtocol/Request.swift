// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// What a client may ask for; the raw value is the method's name.
public enum RequestMethod: String, Sendable, Hashable, CaseIterable {
    case getItems
    case getStatus
    case recordFrames
    case startScanning
    case stopScanning
    case supportedSymbologies
    case supportedTextRecognitionLanguages
    case symbologyEngines

    /// Whether it changes something, and so belongs to `control.sock` alone.
    public var changesScanner: Bool { self == .startScanning || self == .stopScanning }

    /// Whether it is for administrators: it changes something, or gives the camera's pictures away.
    public var needsControl: Bool { changesScanner || self == .recordFrames }
}

/// How an answer is told from others: what the client chose, given back as it was.
public enum RequestID: Sendable, Hashable {
    case number(Int64)
    case string(String)

    public var json: JSONValue {
        switch self {
        case .number(let number): .integer(number)
        case .string(let text): .string(text)
        }
    }
}

extension RequestID: Decodable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int64.self) {
            self = .number(number)
        } else {
            self = .string(try container.decode(String.self))
        }
    }
}

/// A request that was understood. Without an `id` it is a notification: it is carried out and gets no answer.
public struct Request: Sendable, Hashable {
    public var id: RequestID?
    public var method: RequestMethod
    /// The parameters of `recordFrames`; no other method has any.
    public var recording: Wire.RecordingRequest?

    public init(id: RequestID?, method: RequestMethod, recording: Wire.RecordingRequest? = nil) {
        self.id = id
        self.method = method
        self.recording = recording
    }

    /// The request's line with its newline.
    public var line: [UInt8] {
        var members: [String: JSONValue] = ["jsonrpc": "2.0", "method": .string(method.rawValue)]
        if let id { members["id"] = id.json }
        if let recording { members["params"] = recording.json }
        return JSONValue.object(members).encoded + [0x0A]
    }

    /// Reads a line without its newline; the error says what is wrong and where.
    public init(parsing line: some Collection<UInt8>) throws(RequestError) {
        do {
            self = try JSONLine.decode(RequestLine.self, from: line).request
        } catch let error as RequestError {
            throw error
        } catch DecodingError.typeMismatch {
            throw RequestError(nil, .invalidRequest("a request is an object, one a line; batches are not supported"))
        } catch {
            throw RequestError(nil, .parseError("parse error: \(describe(error))"))
        }
    }
}

/// Reads the members of a request one by one, so that an error after the ID can be told to whom it belongs.
///
/// The other members are not turned into values: that would cost a stranger's 64 KiB of `[1,1,...]` as much time as a
/// thousand requests.
private struct RequestLine: Decodable {
    private enum Member: CodingKey { case id, jsonrpc, method, params }

    let request: Request

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        let id = try RequestLine.id(in: members)
        guard try RequestLine.text(.jsonrpc, in: members) == "2.0" else {
            throw RequestError(id, .invalidRequest(#"jsonrpc: "2.0" is expected"#))
        }
        guard let name = try RequestLine.text(.method, in: members) else {
            throw RequestError(id, .invalidRequest("method: a string is expected"))
        }
        guard let method = RequestMethod(rawValue: name) else {
            throw RequestError(id, .unknownMethod(name), isRequest: true)
        }
        do throws(ResponseError) {
            let hasObject = try RequestLine.checkParameters(of: method, in: members)
            var request = Request(id: id, method: method)
            if method == .recordFrames {
                request.recording =
                    hasObject ? try RecordingParameters.read(in: members, at: .params) : Wire.RecordingRequest()
            }
            self.request = request
        } catch {
            throw RequestError(id, error, isRequest: true)
        }
    }

    /// Whether there is an object, in which unknown members do no harm; throws where there is something else.
    private static func checkParameters(
        of method: RequestMethod, in members: KeyedDecodingContainer<Member>
    ) throws(ResponseError) -> Bool {
        guard members.contains(.params) else { return false }
        if (try? members.nestedContainer(keyedBy: Member.self, forKey: .params)) != nil { return true }
        guard let positional = try? members.nestedUnkeyedContainer(forKey: .params) else {
            throw .invalidParameters("params: an object is expected")
        }
        guard positional.isAtEnd else {
            throw .invalidParameters("params: \(method.rawValue) takes no positional parameters")
        }
        return false
    }

    private static func id(in members: KeyedDecodingContainer<Member>) throws -> RequestID? {
        guard members.contains(.id) else { return nil }
        do {
            let id = try members.decode(RequestID.self, forKey: .id)
            guard case .string(let text) = id, text.utf8.count > 256 else { return id }
        } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
            // Said below.
        }
        throw RequestError(nil, .invalidRequest("id: a string of at most 256 bytes or a whole number is expected"))
    }

    /// `nil` where it is absent or no string; a string that is not valid is the whole line's error.
    private static func text(_ member: Member, in members: KeyedDecodingContainer<Member>) throws -> String? {
        do {
            return try members.decode(String.self, forKey: member)
        } catch DecodingError.typeMismatch, DecodingError.valueNotFound, DecodingError.keyNotFound {
            return nil
        }
    }
}

/// Why a line is not a request that can be carried out, and whom to tell.
public struct RequestError: Error, Sendable, Hashable {
    public let id: RequestID?
    public let error: ResponseError
    /// Whether it is a request by its form. Without an ID it is a notification then, and nobody is told (JSON-RPC 2.0,
    /// 4.1); what is none is told without an ID, as its ID can not be known.
    public let isRequest: Bool

    public init(_ id: RequestID?, _ error: ResponseError, isRequest: Bool = false) {
        self.isRequest = isRequest
        self.id = id
        self.error = error
    }
}
