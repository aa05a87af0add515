// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// A message that breaks the rules of the worker protocol, and which one.
struct WireError: Error, Hashable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Puts values one after the other, integers little endian, into a message of bounded size.
struct WireWriter {
    private(set) var bytes: [UInt8] = []
    /// Bytes that the message may have at the most.
    let limit: Int

    init(limit: Int) { self.limit = limit }

    mutating func put<Integer: FixedWidthInteger>(_ value: Integer) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func put(_ value: Double) { put(value.bitPattern) }

    mutating func put(_ value: Bool) { put(value ? 1 : 0 as UInt8) }

    mutating func put(_ value: Quad) {
        for corner in value.corners {
            put(corner.x)
            put(corner.y)
        }
    }

    /// A count in 16 bits, then the bytes; more than fit are cut.
    mutating func put(_ value: some Collection<UInt8>) {
        let kept = value.prefix(Int(UInt16.max))
        put(UInt16(kept.count))
        bytes.append(contentsOf: kept)
    }

    mutating func put(_ value: String) { put(value.utf8) }

    mutating func put(_ value: String?) {
        put(value != nil)
        if let value { put(value) }
    }

    /// Whether there is a value, then what `body` writes of it.
    mutating func putIfAny<Value>(_ value: Value?, _ body: (inout WireWriter, Value) -> Void) {
        put(value != nil)
        if let value { body(&self, value) }
    }

    /// Writes over 16 bits at a place that was written before.
    mutating func patch(_ value: UInt16, at offset: Int) {
        bytes[offset] = UInt8(truncatingIfNeeded: value)
        bytes[offset + 1] = UInt8(truncatingIfNeeded: value >> 8)
    }

    /// Keeps what `body` writes if the message still fits the limit afterwards; otherwise takes it back and says false.
    mutating func putIfItFits(_ body: (inout WireWriter) -> Void) -> Bool {
        let before = bytes.count
        body(&self)
        if bytes.count <= limit { return true }
        bytes.removeSubrange(before...)
        return false
    }

    /// The whole message; throws where it is longer than the limit.
    func finished() throws(WireError) -> [UInt8] {
        guard bytes.count <= limit else { throw WireError("a message of \(bytes.count) bytes, at most \(limit)") }
        return bytes
    }
}

/// Takes values out of a message that nobody vouches for: each read is checked, none traps.
struct WireReader {
    private let bytes: [UInt8]
    private let end: Int
    private var offset = 0

    /// Reads the first `count` bytes of a buffer.
    init(_ bytes: [UInt8], count: Int) {
        self.bytes = bytes
        end = min(count, bytes.count)
    }

    mutating func integer<Integer: FixedWidthInteger>(_: Integer.Type = Integer.self) throws(WireError) -> Integer {
        let size = MemoryLayout<Integer>.size
        guard end - offset >= size else { throw WireError("it ends early, at byte \(end)") }
        var value: Integer = 0
        for index in 0..<size { value |= Integer(truncatingIfNeeded: bytes[offset + index]) << (8 * index) }
        offset += size
        return value
    }

    /// An integer of 32 bits as an `Int`, at most `limit`.
    mutating func count32(upTo limit: Int, _ what: String) throws(WireError) -> Int {
        let value = Int(try integer(UInt32.self))
        guard value <= limit else { throw WireError("\(what): \(value), at most \(limit)") }
        return value
    }

    /// An integer of 16 bits as an `Int`, at most `limit`.
    mutating func count(upTo limit: Int, _ what: String) throws(WireError) -> Int {
        let value = Int(try integer(UInt16.self))
        guard value <= limit else { throw WireError("\(what): \(value), at most \(limit)") }
        return value
    }

    mutating func flag(_ what: String) throws(WireError) -> Bool {
        switch try integer(UInt8.self) {
        case 0: return false
        case 1: return true
        case let other: throw WireError("\(what): \(other), 0 or 1 expected")
        }
    }

    /// A number, finite and in a range.
    mutating func number(in range: ClosedRange<Double>, _ what: String) throws(WireError) -> Double {
        let value = Double(bitPattern: try integer())
        guard range.contains(value) else { throw WireError("\(what): \(value), \(range) expected") }
        return value
    }

    mutating func quad(in range: ClosedRange<Double>, _ what: String) throws(WireError) -> Quad {
        let topLeft = try point(in: range, what)
        let topRight = try point(in: range, what)
        let bottomRight = try point(in: range, what)
        return Quad(
            topLeft: topLeft, topRight: topRight, bottomRight: bottomRight, bottomLeft: try point(in: range, what))
    }

    mutating func byteArray(upTo limit: Int, _ what: String) throws(WireError) -> [UInt8] {
        let count = try count(upTo: limit, "\(what)'s bytes")
        guard end - offset >= count else { throw WireError("it ends early, in \(what)") }
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    /// Text in UTF-8 of at most `limit` bytes.
    mutating func text(upTo limit: Int, _ what: String) throws(WireError) -> String {
        let bytes = try byteArray(upTo: limit, what)
        guard let text = String(validating: bytes, as: UTF8.self) else { throw WireError("\(what) is not UTF-8") }
        return text
    }

    mutating func optionalText(upTo limit: Int, _ what: String) throws(WireError) -> String? {
        try flag(what) ? try text(upTo: limit, what) : nil
    }

    /// Throws where something is left.
    func finish() throws(WireError) {
        if offset != end { throw WireError("\(end - offset) bytes are left over") }
    }

    mutating func point(in range: ClosedRange<Double>, _ what: String) throws(WireError) -> Point {
        let x = try number(in: range, what)
        return Point(x: x, y: try number(in: range, what))
    }
}
