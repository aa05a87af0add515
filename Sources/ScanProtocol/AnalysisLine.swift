// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// What one still picture shows, for a line of `datascan analyze --json`.
public struct AnalysisLine: Sendable, Hashable {
    /// The picture, as it was named.
    public var file: String
    /// Pixels as the picture is seen, turned by what its file says; `nil` where it could not be read.
    public var width: Int?
    public var height: Int?
    /// Milliseconds of CPU that recognition took, in the worker processes as well; `nil` where there was none.
    public var milliseconds: Double?
    /// In reading order. Their identities and times are not told: a still picture has neither.
    public var items: [RecognizedItem]
    /// Why the picture, or something in it, could not be read.
    public var error: String?

    public init(
        file: String, width: Int? = nil, height: Int? = nil, milliseconds: Double? = nil,
        items: [RecognizedItem] = [], error: String? = nil
    ) {
        self.file = file
        self.width = width
        self.height = height
        self.milliseconds = milliseconds
        self.items = items
        self.error = error
    }

    /// One line of JSON in UTF-8, ended by a newline, members in the order of their names.
    public var encoded: [UInt8] {
        var writer = JSONWriter()
        writer.bytes.reserveCapacity(items.count * 520 + 160)
        writer.raw("{")
        if let error {
            writer.raw(#""error":"#)
            writer.string(error)
            writer.comma()
        }
        writer.raw(#""file":"#)
        writer.string(file)
        if let height {
            writer.raw(#","height":"#)
            writer.integer(Int64(height))
        }
        writer.raw(#","items":["#)
        for (index, item) in items.enumerated() {
            if index > 0 { writer.comma() }
            writer.item(item, reason: nil, isStill: true)
        }
        writer.raw("]")
        if let milliseconds {
            writer.raw(#","milliseconds":"#)
            writer.fixed(milliseconds, decimals: 2)
        }
        if let width {
            writer.raw(#","width":"#)
            writer.integer(Int64(width))
        }
        writer.raw("}\n")
        return writer.bytes
    }
}
