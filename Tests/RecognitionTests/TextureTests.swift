// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Foundation
import ImageKernels
import Recognition
import ScanModel
import ScanTestSupport
import Testing
import Tracking

/// What is no code gives none: 200 pictures of stripes, slats, weaves, print and noise.
@Suite struct TextureTests {
    @Test(arguments: Texture.Kind.allCases) func nothingIsAnnouncedOfATexture(_ kind: Texture.Kind) throws {
        let reader = BarcodeReader()
        for number in 0..<40 {
            let picture = Texture(kind: kind, number: number).picture()
            // The accurate level takes a second a picture where tests are built without optimisation.
            let levels: [QualityLevel] = number % 8 == 0 ? [.fast, .balanced, .accurate] : [.fast, .balanced]
            for level in levels {
                let items = try Self.items(in: picture, level: level, reader: reader)
                #expect(items.isEmpty, "\(kind) \(number) at \(level): \(items)")
            }
        }
    }

    private static func items(
        in picture: LumaBuffer, level: QualityLevel, reader: BarcodeReader
    ) throws -> [String] {
        guard let whole = PixelRect(x: 0, y: 0, width: picture.width, height: picture.height) else { return [] }
        let job = RecognitionJob(
            frame: FrameLocation(offset: 0, width: picture.width, height: picture.height), region: whole,
            task: .barcodes(BarcodeParameters(symbologies: Set(Symbology.allCases), qualityLevel: level)),
            cpuLimit: .seconds(60))
        let result = try picture.withView { try reader.perform(job, luma: $0) }
        var generator = SeededGenerator(seed: 1)
        return StillPictureRule(qualityLevel: level).items(
            in: result.observations, aspectRatio: Double(picture.width) / Double(picture.height),
            at: WallTime(milliseconds: 0), using: &generator
        ).compactMap { item in
            guard case .barcode(let barcode) = item else { return nil }
            return "\(barcode.symbology) \(barcode.payload)"
        }
    }
}

/// A picture that a camera sees in a warehouse and that holds no code; the same for the same number.
struct Texture {
    enum Kind: CaseIterable { case stripes, slats, weave, print, noise }

    static let width = 480
    static let height = 360

    var kind: Kind
    var number: Int

    func picture() -> LumaBuffer {
        var generator = SeededGenerator(seed: UInt64(1000 * (Kind.allCases.firstIndex(of: kind) ?? 0) + number))
        switch kind {
        case .stripes: return Texture.bars(equal: true, using: &generator)
        case .slats: return Texture.bars(equal: false, using: &generator)
        case .weave: return Texture.weave(using: &generator)
        case .print: return Texture.print(using: &generator)
        case .noise: return Texture.noise(using: &generator)
        }
    }

    /// Bars at any angle: of equal width as on a radiator or corrugated board, or of random widths as on shelves.
    private static func bars(equal: Bool, using generator: inout SeededGenerator) -> LumaBuffer {
        let angle = Double.random(in: 0..<180, using: &generator)
        let axis = Vector(degrees: angle)
        let pitch = Double.random(in: 2...18, using: &generator)
        var edges: [Double] = []
        var place = -700.0
        while place < 700 {
            edges.append(place)
            place += equal ? pitch : pitch * Double(Int.random(in: 1...4, using: &generator))
        }
        let (dark, light) = (
            Double.random(in: 10...90, using: &generator), Double.random(in: 140...245, using: &generator)
        )
        let sigma = Double.random(in: 0...8, using: &generator)
        var random = generator
        return filled { x, y in
            let u = axis.along(x, y)
            var (low, high) = (0, edges.count)
            while low < high {
                let middle = (low + high) / 2
                if edges[middle] <= u { low = middle + 1 } else { high = middle }
            }
            return (low % 2 == 0 ? dark : light) + noise(sigma, &random)
        }
    }

    /// Two waves across one another: cloth, grids, halftone.
    private static func weave(using generator: inout SeededGenerator) -> LumaBuffer {
        let angle = Double.random(in: 0..<90, using: &generator)
        let (one, other) = (Vector(degrees: angle), Vector(degrees: angle + 90))
        let (first, second) = (
            Double.random(in: 3...20, using: &generator), Double.random(in: 3...20, using: &generator)
        )
        let isHard = Bool.random(using: &generator)
        let sigma = Double.random(in: 0...10, using: &generator)
        var random = generator
        return filled { x, y in
            let (u, v) = (one.along(x, y) / first, other.along(x, y) / second)
            let wave = (triangle(u) + triangle(v)) / 2
            return (isHard ? (wave > 0.5 ? 210 : 40) : 40 + 170 * wave) + noise(sigma, &random)
        }
    }

    /// Blocks of strokes in lines, as wide and as high as letters.
    private static func print(using generator: inout SeededGenerator) -> LumaBuffer {
        var picture = LumaBuffer(width: width, height: height, filledWith: 225)
        let size = Int.random(in: 5...16, using: &generator)
        for top in stride(from: 10, to: height - 2 * size, by: 2 * size) {
            var left = 10
            while left < width - 2 * size {
                for _ in 0..<Int.random(in: 2...4, using: &generator) {
                    let isUpright = Bool.random(using: &generator)
                    let thickness = max(1, size / 6)
                    let x = left + Int.random(in: 0...(size - thickness), using: &generator)
                    let y = top + Int.random(in: 0...(size - thickness), using: &generator)
                    for dy in 0..<(isUpright ? size : thickness) {
                        for dx in 0..<(isUpright ? thickness : size) where y + dy < top + size && x + dx < left + size {
                            picture.pixels[(y + dy) * width + x + dx] = 30
                        }
                    }
                }
                left += size + max(1, size / 4)
                if Int.random(in: 0..<6, using: &generator) == 0 { left += size }
            }
        }
        return picture
    }

    /// Noise of grains of one to six pixels.
    private static func noise(using generator: inout SeededGenerator) -> LumaBuffer {
        let grain = Int.random(in: 1...6, using: &generator)
        let columns = width / grain + 1
        let isHard = Bool.random(using: &generator)
        let grains = (0..<(columns * (height / grain + 1))).map { _ in
            let value = UInt8.random(in: 0...255, using: &generator)
            return isHard ? (value > 127 ? UInt8(230) : UInt8(20)) : value
        }
        return filled { x, y in Double(grains[(y / grain) * columns + x / grain]) }
    }

    private static func filled(_ value: (Int, Int) -> Double) -> LumaBuffer {
        var picture = LumaBuffer(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width { picture.pixels[y * width + x] = UInt8(min(255, max(0, value(x, y)))) }
        }
        return picture
    }

    private static func noise(_ sigma: Double, _ generator: inout SeededGenerator) -> Double {
        sigma == 0 ? 0 : sigma * Double.random(in: -1.7...1.7, using: &generator)
    }

    /// 0 at whole numbers, 1 between.
    private static func triangle(_ value: Double) -> Double {
        let share = value - value.rounded(.down)
        return share < 0.5 ? 2 * share : 2 - 2 * share
    }
}

/// A direction in the picture.
private struct Vector {
    private let (x, y): (Double, Double)

    init(degrees: Double) { (x, y) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180)) }

    func along(_ x: Int, _ y: Int) -> Double { self.x * Double(x) + self.y * Double(y) }
}
