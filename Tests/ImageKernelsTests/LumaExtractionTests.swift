// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import ScanTestSupport
import Testing

@Suite struct LumaExtractionTests {
    /// Around the 16 pixels that a kernel takes at a time, and the 64 rows of a band.
    private static let sizes = [
        (1, 1), (2, 2), (3, 5), (15, 3), (16, 4), (17, 7), (18, 2), (33, 65), (35, 130), (64, 64),
    ]
    /// Bytes behind each row: none, the usual, odd ones.
    private static let gaps = [0, 1, 13, 64]

    @Test(arguments: RawLayout.allCases)
    func eachLayoutAgreesWithThePlainFormula(layout: RawLayout) throws {
        var generator = SeededGenerator(seed: 5)
        for (width, height) in Self.sizes {
            for gap in Self.gaps {
                let frame = Plain(layout, width, height, gap: gap, &generator)
                let result = try luma(of: frame)
                #expect(result == frame.luma, "\(width)x\(height), \(gap) bytes behind each row")
            }
        }
    }

    @Test(arguments: RawLayout.allCases, Orientation.Turn.allCases)
    func aFrameIsTurnedWhileItIsTakenApart(layout: RawLayout, turn: Orientation.Turn) throws {
        var generator = SeededGenerator(seed: 6)
        for isMirrored in [false, true] {
            let orientation = Orientation(turn: turn, isMirrored: isMirrored)
            for (width, height) in Self.sizes {
                let frame = Plain(layout, width, height, gap: 7, &generator)
                let upright = try #require(LumaBuffer(pixels: frame.luma, width: width, height: height))
                var expected = [UInt8](repeating: 0, count: width * height)
                expected.withUnsafeMutableBytes { buffer in upright.withView { orientation.write($0, into: buffer) } }
                #expect(try luma(of: frame, orientation) == expected, "\(width)x\(height), mirrored: \(isMirrored)")
            }
        }
    }

    /// Faults A10 and A48.
    @Test(arguments: RawLayout.allCases)
    func aFrameThatLacksOneByteIsDamaged(layout: RawLayout) throws {
        var generator = SeededGenerator(seed: 7)
        for (width, height) in Self.sizes {
            for gap in Self.gaps {
                let frame = Plain(layout, width, height, gap: gap, &generator)
                let needed = frame.bytes.count
                for count in [0, 1, needed / 2, needed - 1] where count < needed {
                    let error = #expect(throws: PictureError.self, "\(count) of \(needed) bytes") {
                        try frame.bytes[..<count].withUnsafeBytes { _ = try frame.raw($0) }
                    }
                    let words = "a frame of \(count) bytes where \(width)x\(height) pixels need \(needed)"
                    #expect(error == .damaged(words))
                }
            }
        }
    }

    @Test func chromaThatIsCutOffIsMissed() throws {
        // All of the luma is there.
        let bytes = [UInt8](repeating: 128, count: 64 * 48)
        for layout in [RawLayout.planar, .semiPlanar] {
            #expect(throws: PictureError.damaged("a frame of 3072 bytes where 64x48 pixels need 4608")) {
                try bytes.withUnsafeBytes {
                    _ = try RawFrame($0, layout: layout, width: 64, height: 48, bytesPerLine: 64)
                }
            }
        }
    }

    @Test func linesThatCanNotBeAreRefused() throws {
        let bytes = [UInt8](repeating: 0, count: 1 << 16)
        func problem(_ width: Int, _ height: Int, _ bytesPerLine: Int) -> PictureError? {
            #expect(throws: PictureError.self) {
                try bytes.withUnsafeBytes {
                    _ = try RawFrame($0, layout: .lumaFirst, width: width, height: height, bytesPerLine: bytesPerLine)
                }
            }
        }
        #expect(problem(64, 4, 127) == .damaged("rows of 127 bytes where 64 pixels need 128"))
        #expect(problem(64, 4, -128) == .damaged("rows of -128 bytes where 64 pixels need 128"))
        #expect(problem(64, 4, .max) == .damaged("rows of \(Int.max) bytes where 64 pixels need 128"))
        #expect(problem(0, 4, 128) == .damaged("its header says 0x4 pixels"))
        #expect(problem(16384, 16384, 32768) == .tooLarge(width: 16384, height: 16384, limits: PictureLimits()))
        // A driver that tells nothing has tight rows.
        let width = try bytes.withUnsafeBytes {
            try RawFrame($0, layout: .lumaFirst, width: 64, height: 4, bytesPerLine: 0).width
        }
        #expect(width == 64)
    }

    @Test func limitedRangeStaysAsItIs() throws {
        let bytes: [UInt8] = [16, 128, 235, 128]
        try bytes.withUnsafeBytes {
            let frame = try RawFrame($0, layout: .lumaFirst, width: 2, height: 1, bytesPerLine: 4)
            #expect(frame.sampledRows().pixels == [16, 235])
        }
    }

    @Test func samplesComeFromAllOverTheFrame() throws {
        var bytes = [UInt8](repeating: 0, count: 8 * 1000)
        for row in 0..<1000 { for x in 0..<8 { bytes[row * 8 + x] = UInt8(row / 10) } }
        try bytes.withUnsafeBytes {
            let sample = try RawFrame($0, layout: .grey, width: 8, height: 1000, bytesPerLine: 8).sampledRows()
            #expect((64...128).contains(sample.height))
            #expect(sample.pixels.first == 0 && sample.pixels.last.map { $0 >= 98 } == true)
            #expect((97...99).contains(sample.percentile(99)) && (48...51).contains(sample.percentile(50)))
        }
    }

    private func luma(of frame: Plain, _ orientation: Orientation = .upright) throws -> [UInt8] {
        let source = try GuardedBytes(frame.bytes)
        let target = try GuardedBytes([UInt8](repeating: 0xEE, count: frame.width * frame.height))
        let work = try GuardedBytes([UInt8](repeating: 0, count: RawFrame.workBytes(width: frame.width)))
        let raw = try frame.raw(UnsafeRawBufferPointer(source.bytes))
        raw.writeLuma(into: target.bytes, orientation: orientation, work: work.bytes)
        return Array(target.bytes)
    }
}

/// A frame of noise with its luma, made pixel by pixel as the formats are described; it ends with its last pixel.
private struct Plain {
    let layout: RawLayout
    let width: Int
    let height: Int
    let bytesPerLine: Int
    private(set) var bytes: [UInt8]
    private(set) var luma: [UInt8] = []

    init(_ layout: RawLayout, _ width: Int, _ height: Int, gap: Int, _ generator: inout SeededGenerator) {
        self.layout = layout
        self.width = width
        self.height = height
        let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
        let row =
            switch layout {
            case .grey, .semiPlanar, .planar: width
            case .lumaFirst, .chromaFirst: halfWidth * 4
            case .grey16: width * 2
            case .rgb: width * 3
            }
        // Half of a row of luma is a row of chroma: an odd width has one byte more.
        let line = row + gap + (layout == .semiPlanar && gap == 0 ? width & 1 : 0)
        bytesPerLine = line
        let count =
            switch layout {
            case .grey, .lumaFirst, .chromaFirst, .grey16, .rgb: line * (height - 1) + row
            case .semiPlanar: line * height + line * (halfHeight - 1) + 2 * halfWidth
            case .planar: line * height + (line + 1) / 2 * (2 * halfHeight - 1) + halfWidth
            }
        bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        for y in 0..<height {
            for x in 0..<width {
                let at = y * line
                switch layout {
                case .grey, .semiPlanar, .planar: luma.append(bytes[at + x])
                case .lumaFirst: luma.append(bytes[at + 2 * x])
                case .chromaFirst, .grey16: luma.append(bytes[at + 2 * x + 1])
                case .rgb:
                    let (r, g, b) = (Int(bytes[at + 3 * x]), Int(bytes[at + 3 * x + 1]), Int(bytes[at + 3 * x + 2]))
                    luma.append(UInt8((77 * r + 150 * g + 29 * b + 128) / 256))
                }
            }
        }
    }

    func raw(_ bytes: UnsafeRawBufferPointer) throws -> RawFrame {
        try RawFrame(bytes, layout: layout, width: width, height: height, bytesPerLine: bytesPerLine)
    }
}
