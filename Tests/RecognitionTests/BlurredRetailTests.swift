// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Foundation
import ImageKernels
import ScanModel
import ScanTestSupport
import Testing

@testable import Recognition

/// EAN and UPC that are blurred over more than a module, or have hardly more than a pixel for one.
@Suite struct BlurredRetailTests {
    /// How a picture shows bars.
    struct View: CustomStringConvertible {
        /// Pixels of a module.
        var module = 2.0
        /// Standard deviation of the blur, in modules.
        var blur = 0.5
        var noise = 3.0
        /// Pixels that bars move along the lines for a line.
        var lean = 0.0
        /// What the right end has of the left end's light.
        var light = 1.0
        var isUpsideDown = false

        var description: String { "\(module) px, blur \(blur), noise \(noise), lean \(lean), light \(light)" }
    }

    /// Bars as a lens shows them: each pixel is the mean over its area of the bars, blurred by a bell.
    private func picture(_ bars: [Bool], _ view: View, seed: UInt64) -> (LumaBuffer, CodeCandidate) {
        let fine = 16
        let margin = 14
        let sharp = (0..<((bars.count + 2 * margin) * fine)).map { index -> Double in
            let module = index / fine - margin
            return bars.indices.contains(module) && bars[module] ? 40 : 210
        }
        let reach = Int(3.5 * view.blur * Double(fine)) + 1
        let bell = (-reach...reach).map { exp(-0.5 * pow(Double($0) / (view.blur * Double(fine)), 2)) }
        let sum = bell.reduce(0, +)
        let soft = sharp.indices.map { index in
            (-reach...reach).reduce(0.0) {
                $0 + bell[$1 + reach] * sharp[min(max(index + $1, 0), sharp.count - 1)]
            } / sum
        }
        let (width, height) = (Int(Double(bars.count + 2 * margin) * view.module), 48)
        var result = LumaBuffer(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width {
                let parts = (0..<4).map { part -> Double in
                    let at = Double(x) + (Double(part) + 0.5) / 4 - view.lean * (Double(y) - 23.5)
                    return soft[min(max(Int(at / view.module * Double(fine)), 0), soft.count - 1)]
                }
                let light = 1 + (view.light - 1) * Double(x) / Double(width)
                result.pixels[y * width + x] = UInt8(min(255, parts.reduce(0, +) / 4 * light))
            }
        }
        if view.isUpsideDown { result = result.turned().turned() }
        // Finders are some modules off.
        var generator = SeededGenerator(seed: seed)
        func off() -> Double { (Double(generator.next() % 500) / 100 - 2.5) * view.module }
        let from = Double(margin) * view.module
        let quad = Quad(
            Rect(x: from + off(), y: 2, width: Double(bars.count) * view.module + off(), height: Double(height) - 4))
        return (
            result.noisy(view.noise, seed: seed),
            CodeCandidate(kind: .linear, quad: quad, moduleSize: nil, isInverted: nil, score: 1)
        )
    }

    private func read(_ bars: [Bool], _ view: View, seed: UInt64) -> BlurredRetailReading.Reading? {
        let (picture, candidate) = picture(bars, view, seed: seed)
        return picture.withView {
            BlurredRetailReading(
                picture: $0, candidate: candidate, asked: [.ean13, .upcA, .ean8, .upcE]
            ).reading(triesShort: true)
        }
    }

    /// The modules of a linear symbol as zint draws them.
    private func bars(_ symbology: String, _ data: String) throws -> [Bool] {
        let code = try TestPictures.zint(symbology, data, scale: 0.5)
        return (0..<code.width).map { code.pixels[(code.height / 3) * code.width + $0] < 128 }
    }

    static let codes: [(zint: String, data: String, symbology: Symbology, payload: String)] = [
        ("EANX", "4006381333931", .ean13, "4006381333931"), ("EANX", "9780141026626", .ean13, "9780141026626"),
        ("EANX", "5901234123457", .ean13, "5901234123457"), ("EANX", "8711253001202", .ean13, "8711253001202"),
        ("UPCA", "697929110035", .upcA, "697929110035"), ("UPCA", "036000291452", .upcA, "036000291452"),
        ("UPCA", "012345678905", .upcA, "012345678905"), ("EANX", "7290011499600", .ean13, "7290011499600"),
    ]

    /// The least share that is read; nothing is ever read wrong.
    static let views: [(view: View, floor: Double)] = [
        (View(), 1), (View(module: 1.2, blur: 0.4), 1), (View(module: 1, blur: 0.4), 0.8),
        (View(module: 2, blur: 1, noise: 1), 0.5), (View(module: 2, blur: 1.25, noise: 1), 0),
        (View(module: 2.5, blur: 1.5, noise: 1), 0), (View(module: 1.5, blur: 0.8, noise: 8), 0.8),
        (View(module: 2, blur: 0.9, lean: 0.15), 1), (View(module: 2, blur: 0.9, light: 0.35), 1),
        (View(module: 1.6, blur: 0.9, isUpsideDown: true), 1),
    ]

    @Test(arguments: views)
    func longCodesAreReadThroughBlur(_ view: View, _ floor: Double) throws {
        var right = 0
        for (index, code) in Self.codes.enumerated() {
            let bars = try bars(code.zint, code.data)
            for seed in 0..<3 {
                guard let reading = read(bars, view, seed: UInt64(index * 7 + seed + 1)) else { continue }
                #expect(String(decoding: reading.payload, as: UTF8.self) == code.payload, "\(view)")
                #expect(reading.symbology == code.symbology)
                right += 1
                // The quad's ends are the bars' ends.
                let width = reading.quad.topLeft.distance(to: reading.quad.topRight)
                #expect((width - 95 * view.module).magnitude < 1.5 * view.module, "\(view)")
                #expect((reading.quad.topLeft.x < reading.quad.topRight.x) != view.isUpsideDown)
            }
        }
        #expect(Double(right) >= floor * Double(3 * Self.codes.count), "\(right) of \(3 * Self.codes.count): \(view)")
    }

    @Test(arguments: [
        ("EANX", "96385074"), ("UPCE", "01234565"), ("UPCE", "04252614"), ("UPCE", "0123453"), ("UPCE", "0123444"),
        ("UPCE", "0150027"), ("UPCE", "1234567"),
    ])
    func shortCodesAreRead(_ zint: String, _ data: String) throws {
        let bars = try bars(zint, zint == "EANX" ? String(data.dropLast()) : data)
        var right = 0
        let views = [View(), View(module: 2.4), View(module: 1.5, blur: 0.7), View(module: 2, isUpsideDown: true)]
        for (index, view) in views.enumerated() {
            guard let reading = read(bars, view, seed: UInt64(index + 1)) else { continue }
            right += 1
            #expect(reading.symbology == (zint == "EANX" ? .ean8 : .upcE))
            #expect(String(decoding: reading.payload, as: UTF8.self).hasPrefix(data), "\(view)")
        }
        // Short symbols are asked for more.
        #expect(right >= 2, "\(right) of 4")
    }

    @Test(arguments: [
        ("CODE128", "4001599-77"), ("CODE128", "12345678901234"), ("CODE39", "ABC-1234"), ("C25INTER", "0002216887"),
        ("ITF14", "1234567890123"), ("CODABAR", "A1234567B"), ("DBAR_OMN", "0950110153001"), ("CODE93", "T11413AQW"),
    ])
    func otherSymbologiesAreNotTakenForThem(_ zint: String, _ data: String) throws {
        let bars = try bars(zint, data)
        for (index, entry) in Self.views.enumerated() {
            for seed in 0..<3 {
                let reading = read(bars, entry.view, seed: UInt64(100 + index * 3 + seed))
                #expect(reading == nil, "\(zint) \(data): \(entry.view)")
            }
        }
    }

    @Test func textIsNotTakenForThem() throws {
        for (index, line) in ["ILLUMINATION 1111", "minimum illilill", "HHH|||HHH|||HHH"].enumerated() {
            let text = try TestPictures.text(line, size: 40).padded(20)
            let candidate = CodeCandidate(
                kind: .linear,
                quad: Quad(
                    Rect(x: 20, y: 20, width: Double(text.width) - 40, height: Double(text.height) - 40)),
                moduleSize: nil, isInverted: nil, score: 1)
            let reading = text.noisy(4, seed: UInt64(index + 1)).withView {
                BlurredRetailReading(
                    picture: $0, candidate: candidate, asked: [.ean13, .upcA, .ean8, .upcE]
                ).reading(triesShort: true)
            }
            #expect(reading == nil, "\(line)")
        }
    }

    /// Bars that are printed over, so that what is read must be the rest of the truth or nothing.
    @Test func damagedCodesAreReadRightOrNotAtAll() throws {
        var generator = SeededGenerator(seed: 77)
        var right = 0
        for (index, code) in Self.codes.enumerated() {
            let whole = try bars(code.zint, code.data)
            for seed in 0..<30 {
                var bars = whole
                let length = 3 + Int(generator.next() % 14)
                let start = 3 + Int(generator.next() % UInt64(bars.count - length - 6))
                switch seed % 3 {
                case 0: for place in start..<(start + length) { bars[place] = true }
                case 1: for place in start..<(start + length) { bars[place] = false }
                default: for place in start..<(start + length) { bars[place] = generator.next() % 2 == 0 }
                }
                let view = View(module: 1.2 + 0.2 * Double(seed % 5), blur: 0.4 + 0.2 * Double(seed % 4))
                guard let reading = read(bars, view, seed: UInt64(index * 31 + seed + 1)) else { continue }
                #expect(String(decoding: reading.payload, as: UTF8.self) == code.payload, "\(start) \(length): \(view)")
                right += 1
            }
        }
        // Most of them are not read: a digit that is gone has no pattern that explains it.
        #expect(right < 120)
    }

    @Test func aThoroughLookReadsWhatTheEnginesDoNot() throws {
        let bars = try bars("EANX", "4006381333931")
        let (picture, candidate) = picture(bars, View(module: 2, blur: 0.9, noise: 2), seed: 3)
        let found = picture.withView {
            CropReader().read(candidate, in: $0, symbologies: [.ean13, .code128], effort: .look)
        }
        #expect(found.map(\.payload) == [Array("4006381333931".utf8)])
        #expect(found.first?.isConfirmed == true)
        #expect(found.first?.witnesses.contains(BlurredRetailReading.Reading.witness) == true)
    }
}
