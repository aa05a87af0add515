// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// Turns what the server says into lines: UTF-8, one line each, ended by a newline.
///
/// Events and snapshots are written by hand: `JSONEncoder` costs ten times as much, and an event with the whole shelf
/// leaves with every frame while the camera moves.
public enum MessageEncoder {
    /// An event's lines, numbered from `sequence` on: one, or more where the items do not fit `limit` bytes.
    ///
    /// None at all means that a single item is longer than the limit.
    public static func lines(
        for event: ScanEvent, sequence: UInt64, time: WallTime, limit: Int
    ) -> [[UInt8]] {
        let line = line(for: event, sequence: sequence, time: time)
        if line.count <= limit { return [line] }
        guard let (first, second) = halves(of: event) else { return [] }
        let head = lines(for: first, sequence: sequence, time: time, limit: limit)
        let tail = lines(for: second, sequence: sequence + UInt64(head.count), time: time, limit: limit)
        return head.isEmpty || tail.isEmpty ? [] : head + tail
    }

    /// The snapshot's lines: one, or several of which all but the last say `more`.
    ///
    /// None at all means that a single item is longer than the limit.
    public static func snapshotLines(
        items: [RecognizedItem], unavailable: Wire.Reason?, sequence: UInt64, time: WallTime, limit: Int,
        more: Bool = false
    ) -> [[UInt8]] {
        var writer = JSONWriter()
        writer.raw(#"{"jsonrpc":"2.0","method":"snapshot","params":"#)
        writer.snapshot(items: items, unavailable: unavailable, sequence: sequence, time: time, more: more)
        writer.raw("}\n")
        if writer.bytes.count <= limit { return [writer.bytes] }
        guard items.count > 1 else { return [] }
        let middle = items.count / 2
        let head = snapshotLines(
            items: Array(items[..<middle]), unavailable: unavailable, sequence: sequence, time: time, limit: limit,
            more: true)
        let tail = snapshotLines(
            items: Array(items[middle...]), unavailable: unavailable, sequence: sequence, time: time, limit: limit,
            more: more)
        return head.isEmpty || tail.isEmpty ? [] : head + tail
    }

    /// The answer to `getItems`.
    public static func itemsResponse(
        to id: RequestID, items: [RecognizedItem], unavailable: Wire.Reason?, sequence: UInt64, time: WallTime
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.raw(#"{"id":"#)
        writer.value(id.json)
        writer.raw(#","jsonrpc":"2.0","result":"#)
        writer.snapshot(items: items, unavailable: unavailable, sequence: sequence, time: time, more: false)
        writer.raw("}\n")
        return writer.bytes
    }

    public static func hello(_ hello: Wire.Hello) throws -> [UInt8] {
        notification("hello", try JSONValue(encoding: hello))
    }

    public static func heartbeat(sequence: UInt64, time: WallTime) -> [UInt8] {
        notification("heartbeat", moment(sequence, time))
    }

    /// The answer to a request that went well.
    public static func response(to id: RequestID, result: JSONValue) -> [UInt8] {
        JSONValue.object(["jsonrpc": "2.0", "id": id.json, "result": result]).encoded + [0x0A]
    }

    /// The answer to a request that did not; `nil` stands for an `id` that could not be read.
    public static func response(to id: RequestID?, error: ResponseError) -> [UInt8] {
        let error = JSONValue.object(["code": .integer(Int64(error.code)), "message": .string(error.message)])
        return JSONValue.object(["jsonrpc": "2.0", "id": id?.json ?? .null, "error": error]).encoded + [0x0A]
    }

    static func notification(_ method: String, _ params: JSONValue) -> [UInt8] {
        JSONValue.object(["jsonrpc": "2.0", "method": .string(method), "params": params]).encoded + [0x0A]
    }

    private static func moment(_ sequence: UInt64, _ time: WallTime) -> JSONValue {
        .object(["sequence": .integer(Int64(clamping: sequence)), "time": .string(time.rfc3339)])
    }

    private static func line(for event: ScanEvent, sequence: UInt64, time: WallTime) -> [UInt8] {
        var writer = JSONWriter()
        switch event {
        case .didAdd(let items, let allItems, let frame):
            writer.raw(#"{"jsonrpc":"2.0","method":"didAdd","params":{"allItems":"#)
            writer.identities(allItems)
            writer.change(items.map { ($0, nil) }, frame: frame, sequence: sequence, time: time)
        case .didUpdate(let items, let allItems, let frame):
            writer.raw(#"{"jsonrpc":"2.0","method":"didUpdate","params":{"#)
            if let allItems {
                writer.raw(#""allItems":"#)
                writer.identities(allItems)
            }
            writer.change(items.map { ($0, nil) }, frame: frame, sequence: sequence, time: time)
        case .didRemove(let items, let allItems, let frame):
            writer.raw(#"{"jsonrpc":"2.0","method":"didRemove","params":{"allItems":"#)
            writer.identities(allItems)
            writer.change(items.map { ($0.item, $0.reason) }, frame: frame, sequence: sequence, time: time)
        case .becameUnavailable(let code, let message):
            return notification(
                "becameUnavailable",
                .object([
                    "code": .string(code.rawValue), "message": .string(message),
                    "sequence": .integer(Int64(clamping: sequence)), "time": .string(time.rfc3339),
                ]))
        case .becameAvailable:
            return notification("becameAvailable", moment(sequence, time))
        case .guidance(let guidance, let isActive, let frame):
            writer.raw(#"{"jsonrpc":"2.0","method":"guidance","params":{"active":"#)
            writer.raw(isActive ? "true" : "false")
            writer.guidance(guidance, frame: frame, sequence: sequence, time: time)
        }
        return writer.bytes
    }

    private static func halves(of event: ScanEvent) -> (ScanEvent, ScanEvent)? {
        switch event {
        case .didAdd(let items, let allItems, let frame) where items.count > 1:
            let middle = items.count / 2
            return (
                .didAdd(Array(items[..<middle]), allItems: allItems, frame: frame),
                .didAdd(Array(items[middle...]), allItems: allItems, frame: frame)
            )
        case .didUpdate(let items, let allItems, let frame) where items.count > 1:
            let middle = items.count / 2
            return (
                .didUpdate(Array(items[..<middle]), allItems: nil, frame: frame),
                .didUpdate(Array(items[middle...]), allItems: allItems, frame: frame)
            )
        case .didRemove(let items, let allItems, let frame) where items.count > 1:
            let middle = items.count / 2
            return (
                .didRemove(Array(items[..<middle]), allItems: allItems, frame: frame),
                .didRemove(Array(items[middle...]), allItems: allItems, frame: frame)
            )
        default:
            return nil
        }
    }
}
