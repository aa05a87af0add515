// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// A line from the server, for clients.
public enum ServerMessage: Sendable, Hashable {
    case hello(Wire.Hello)
    case snapshot(Wire.Snapshot)
    case didAdd(Wire.ItemsChange)
    case didUpdate(Wire.ItemsChange)
    case didRemove(Wire.ItemsChange)
    case becameUnavailable(Wire.Unavailability)
    case becameAvailable(Wire.Moment)
    case guidance(Wire.GuidanceChange)
    case heartbeat(Wire.Moment)
    /// Its bytes follow the line.
    case frame(Wire.RecordedFrame)
    case recordingEnded(Wire.RecordingEnded)
    case response(Response)
    /// A notification that this version does not know, for a client to ignore.
    case other(method: String)

    /// Reads a line, with or without its newline.
    public init(parsing line: some Collection<UInt8>) throws(MalformedMessage) {
        do {
            self = try JSONLine.decode(ServerLine.self, from: line).message
        } catch {
            let start = String(decoding: line.prefix(80), as: UTF8.self)
            throw MalformedMessage(reason: describe(error), start: start)
        }
    }
}

/// Reads the parameters as what the method says they are.
private struct ServerLine: Decodable {
    private enum Member: CodingKey { case method, params, id, result, error }

    let message: ServerMessage

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        func params<Params: Decodable>(_ type: Params.Type) throws -> Params {
            try members.decode(type, forKey: .params)
        }
        switch try members.decodeIfPresent(String.self, forKey: .method) {
        case nil: message = .response(try ServerLine.response(members))
        case "hello": message = .hello(try params(Wire.Hello.self))
        case "snapshot": message = .snapshot(try params(Wire.Snapshot.self))
        case "didAdd": message = .didAdd(try params(Wire.ItemsChange.self))
        case "didUpdate": message = .didUpdate(try params(Wire.ItemsChange.self))
        case "didRemove": message = .didRemove(try params(Wire.ItemsChange.self))
        case "becameUnavailable": message = .becameUnavailable(try params(Wire.Unavailability.self))
        case "becameAvailable": message = .becameAvailable(try params(Wire.Moment.self))
        case "guidance": message = .guidance(try params(Wire.GuidanceChange.self))
        case "frame": message = .frame(try params(Wire.RecordedFrame.self))
        case "recordingEnded": message = .recordingEnded(try params(Wire.RecordingEnded.self))
        case "heartbeat": message = .heartbeat(try params(Wire.Moment.self))
        case .some(let method): message = .other(method: method)
        }
    }

    private static func response(_ members: KeyedDecodingContainer<Member>) throws -> Response {
        let id = try members.decodeIfPresent(RequestID.self, forKey: .id)
        if members.contains(.result) {
            return Response(id: id, result: .success(try members.decode(JSONValue.self, forKey: .result)))
        }
        guard let error = try members.decodeIfPresent(ResponseError.self, forKey: .error) else {
            throw MalformedMessage(reason: "neither method nor result nor error is there", start: "")
        }
        return Response(id: id, result: .failure(error))
    }
}

/// A line that is not a message of this protocol.
public struct MalformedMessage: Error, Sendable, Hashable, CustomStringConvertible {
    public let reason: String
    /// The line's first characters.
    public let start: String

    init(reason: String, start: String) {
        self.reason = reason
        self.start = start
    }

    /// Says in words what is wrong with what came.
    public init(_ reason: String) { self.init(reason: reason, start: "") }

    /// Says which member of a value does not fit.
    public init(_ error: any Error, in value: JSONValue) {
        self.init(reason: describe(error), start: String(decoding: value.encoded.prefix(80), as: UTF8.self))
    }

    public var description: String {
        guard !start.isEmpty else { return reason }
        return "not a message of datascand: \(reason), in a line that starts with \(start.debugDescription)"
    }
}
