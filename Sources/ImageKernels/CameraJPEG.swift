// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// A JPEG as a camera gave it, whose header and markers are in order; its data is looked at when it is decoded.
///
/// What is cheap to see is refused here (some 30 µs for 300 kB, nothing is allocated but a few hundred bytes): a picture
/// that is cut, whose size is not the one that the camera was set to, that is progressive or has several scans, whose
/// segments run over, in whose data a marker is missing or out of turn.
///
/// - Important: Borrows the bytes: valid only for as long as they are.
public struct CameraJPEG {
    /// Bytes that `copy` writes.
    public let byteCount: Int

    private let bytes: UnsafeRawBufferPointer
    private let structure: JPEGStructure

    /// Throws `damaged`, or `unsupported` for a picture that is whole and of a sort that is not read.
    public init(checking bytes: UnsafeRawBufferPointer, width: Int, height: Int) throws(PictureError) {
        guard bytes.count >= JPEGDecoder.minimumBytes else { throw .damaged("a JPEG of only \(bytes.count) bytes") }
        guard bytes[0] == 0xFF, bytes[1] == 0xD8 else {
            throw .damaged("it begins with \(bytes[0]) \(bytes[1]), which is no JPEG's beginning")
        }
        let structure = try JPEGStructure(bytes)
        guard structure.width == width, structure.height == height else {
            throw .damaged("\(structure.width)x\(structure.height) pixels where \(width)x\(height) were expected")
        }
        guard structure.isSequential, [1, 3].contains(structure.components.count) else {
            throw .unsupported(
                "a JPEG of process \(structure.process & 15), \(structure.precision) bits and "
                    + "\(structure.components.count) components is not read from a camera")
        }
        let end = try structure.intervals(in: bytes).end
        self.structure = structure
        self.bytes = UnsafeRawBufferPointer(rebasing: bytes[..<end])
        byteCount = end + (structure.lacksHuffmanTables ? StandardHuffmanTables.segment.count : 0)
    }

    /// Writes the picture up to its end, with the tables that the camera left out; the buffer has `byteCount` bytes.
    public func copy(into buffer: UnsafeMutableRawBufferPointer) {
        precondition(buffer.count >= byteCount, "the buffer holds the picture")
        if structure.lacksHuffmanTables {
            let complete = structure.completed(bytes)
            buffer.copyBytes(from: complete)
        } else {
            buffer.copyMemory(from: bytes)
        }
    }
}

extension JPEGStructure {
    /// The picture with the standard Huffman tables in front, so that those that it brings take their place.
    func completed(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var complete: [UInt8] = []
        complete.reserveCapacity(bytes.count + StandardHuffmanTables.segment.count)
        complete += bytes.prefix(2)
        complete += StandardHuffmanTables.segment
        complete += bytes.dropFirst(2)
        return complete
    }
}
