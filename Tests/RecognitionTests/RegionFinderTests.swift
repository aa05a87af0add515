// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Foundation
import ImageKernels
import ScanModel
import ScanTestSupport
import Testing

@testable import Recognition

@Suite struct RegionFinderTests {
    private static let everything: Set<CodeCandidate.Kind> = [.linear, .qr, .matrix, .bullseye, .stacked]

    private static func find(
        in picture: LumaBuffer, _ level: QualityLevel = .balanced, kinds: Set<CodeCandidate.Kind> = everything,
        limit: Int = 200
    ) -> [CodeCandidate] {
        let finder = RegionFinder(kinds: kinds)
        return picture.withView { finder.candidates(in: $0, level: level, limit: limit) }
    }

    /// The corners of a picture that lies in the middle of a larger one, turned clockwise.
    private static func truth(_ picture: LumaBuffer, degrees: Double, width: Int, height: Int) -> Quad {
        let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        let axis = Point(x: c, y: s)
        return Quad(
            center: Point(x: Double(width) / 2, y: Double(height) / 2), axis: axis, length: Double(picture.width),
            height: Double(picture.height))
    }

    /// Whether one of the candidates, with a margin, holds the code and is not much larger.
    private static func holds(_ candidates: [CodeCandidate], _ truth: Quad, margin: Double = 0.15) -> Bool {
        candidates.contains { candidate in
            let grown = candidate.quad.grown(
                along: margin * candidate.quad.width, across: margin * candidate.quad.height)
            return truth.corners.allSatisfy(grown.contains)
                && grown.signedArea.magnitude < 4 * truth.signedArea.magnitude
        }
    }

    @Test(arguments: [0.0, 15, 30, 45, 60, 75, 90])
    func barsAreFoundAtEveryAngle(degrees: Double) throws {
        let code = SyntheticLabel.ean13("4006381333931", module: 2, barHeight: 70).trimmed()
        let scene = code.turned(degrees: degrees, width: 480, height: 400).noisy(6)
        let truth = Self.truth(code, degrees: degrees, width: 480, height: 400)
        for level in QualityLevel.allCases {
            let found = Self.find(in: scene, level, kinds: [.linear])
            #expect(Self.holds(found, truth), "\(level), \(degrees) degrees: \(found.map(\.quad))")
            // Exactly: within 5 % of the code's size.
            let best = try #require(found.max { $0.quad.overlap(with: truth) < $1.quad.overlap(with: truth) })
            #expect(best.quad.overlap(with: truth) > 0.85)
            #expect(try #require(best.moduleSize) > 1.2 && #require(best.moduleSize) < 3.2)
            #expect(best.isInverted != true)
            #expect(found.count <= 8)
        }
    }

    @Test func equalCodesAboveEachOtherComeApart() {
        let code = SyntheticLabel.ean13("4006381333931", module: 2, barHeight: 50).trimmed()
        var scene = LumaBuffer(width: 400, height: 320, filledWith: 255)
        for row in 0..<4 { scene.paste(code, x: 90, y: 30 + row * 66) }
        let found = Self.find(in: scene, kinds: [.linear])
        for row in 0..<4 {
            let truth = Quad(
                Rect(x: 90, y: Double(30 + row * 66), width: Double(code.width), height: Double(code.height)))
            #expect(found.contains { $0.quad.overlap(with: truth) > 0.7 }, "row \(row)")
        }
    }

    @Test(arguments: [0.0, 12, 30, 45, 77], [2, 4, 6])
    func aQRCodeIsFoundByItsFinders(degrees: Double, module: Int) throws {
        let code = try TestPictures.qr(Array("REGION FINDER \(module)".utf8), scale: module)
        for inverted in [false, true] {
            var scene = code.turned(degrees: degrees, width: 420, height: 400)
            if inverted { scene = scene.inverted() }
            let found = Self.find(in: scene.noisy(5), kinds: [.qr])
            let best = try #require(found.first)
            let truth = Self.truth(code, degrees: degrees, width: 420, height: 400)
            #expect(best.quad.overlap(with: truth) > 0.9)
            // Its own order of corners.
            #expect(best.quad.topLeft.distance(to: truth.topLeft) < 0.1 * truth.width)
            #expect(best.isInverted == inverted)
            #expect((try #require(best.moduleSize) / Double(module) - 1).magnitude < 0.1)
        }
    }

    @Test func fortyQRCodesComeApart() throws {
        let code = try TestPictures.qr(Array("SHELF 0123456789".utf8), scale: 3)
        var scene = LumaBuffer(width: 8 * 110 + 40, height: 5 * 110 + 40, filledWith: 255)
        for index in 0..<40 { scene.paste(code, x: 30 + index % 8 * 110, y: 30 + index / 8 * 110) }
        for level in QualityLevel.allCases {
            let found = Self.find(in: scene.noisy(4), level, kinds: [.qr])
            for index in 0..<40 {
                let truth = Quad(
                    Rect(
                        x: Double(30 + index % 8 * 110), y: Double(30 + index / 8 * 110), width: Double(code.width),
                        height: Double(code.height)))
                #expect(found.prefix(44).contains { $0.quad.overlap(with: truth) > 0.85 }, "\(level), code \(index)")
            }
        }
    }

    @Test(arguments: [0.0, 20, 45])
    func aTrayOfDataMatrixComesApart(degrees: Double) throws {
        let code = try TestPictures.zint("DATAMATRIX", "TRAY 0123456789", scale: 1.5, extra: ["--square"])
        var tray = LumaBuffer(width: 10 * 90, height: 6 * 90, filledWith: 255)
        for index in 0..<60 { tray.paste(code, x: 20 + index % 10 * 90, y: 20 + index / 10 * 90) }
        let scene = tray.turned(degrees: degrees, width: 1100, height: 1100).noisy(4)
        let found = Self.find(in: scene, .accurate, kinds: [.matrix])
        let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        var held = 0
        for index in 0..<60 {
            let x = Double(20 + index % 10 * 90) + Double(code.width) / 2 - Double(tray.width) / 2
            let y = Double(20 + index / 10 * 90) + Double(code.height) / 2 - Double(tray.height) / 2
            let truth = Quad(
                center: Point(x: 550 + x * c - y * s, y: 550 + x * s + y * c), axis: Point(x: c, y: s),
                length: Double(code.width), height: Double(code.height))
            if Self.holds(found, truth, margin: 0.3) { held += 1 }
        }
        #expect(held >= 58, "\(held) of 60")
    }

    @Test(arguments: [0.0, 30, 45])
    func anAztecCodeIsCentredOnItsBullseye(degrees: Double) throws {
        let code = try TestPictures.zint("AZTEC", "Bullseye 12345", scale: 2)
        let scene = code.turned(degrees: degrees, width: 300, height: 300).noisy(4)
        let found = Self.find(in: scene, kinds: [.bullseye])
        let best = try #require(
            found.min {
                $0.quad.center.distance(to: Point(x: 150, y: 150)) < $1.quad.center.distance(to: Point(x: 150, y: 150))
            })
        let module = try #require(best.moduleSize)
        #expect(best.quad.center.distance(to: Point(x: 150, y: 150)) < module)
        #expect(Self.holds([best], Self.truth(code, degrees: degrees, width: 300, height: 300)))
    }

    @Test func slatsTextAndNoiseGiveFewCandidates() throws {
        var slats = LumaBuffer(width: 1280, height: 720, filledWith: 200)
        for index in slats.pixels.indices where index / 1280 % 90 < 8 { slats.pixels[index] = 60 }
        #expect(Self.find(in: slats.noisy(5), kinds: [.linear, .qr]).count <= 4)
        var page = LumaBuffer(width: 1280, height: 720, filledWith: 255)
        for row in 0..<20 {
            page.paste(
                try TestPictures.text("Shelves hold \(row) boxes of warehouse text, line \(row)", size: 22), x: 40,
                y: 20 + row * 34)
        }
        #expect(Self.find(in: page, kinds: [.qr]).isEmpty)
        #expect(Self.find(in: page, kinds: [.linear]).count <= 24)
        #expect(Self.find(in: LumaBuffer(width: 640, height: 480, filledWith: 128).noisy(12)).count <= 16)
    }

    @Test(arguments: [(1, 1), (15, 400), (16, 16), (17, 900), (900, 17), (64, 64)])
    func oddSizesAreNoTrouble(width: Int, height: Int) {
        let noise = LumaBuffer(width: width, height: height, filledWith: 128).noisy(60)
        for level in QualityLevel.allCases {
            #expect(Self.find(in: noise, level, limit: 20).count <= 20)
            #expect(Self.find(in: LumaBuffer(width: width, height: height), level).isEmpty)
        }
    }

    @Test func aCodeAtTheEdgeAndAHugePictureAreBounded() throws {
        let code = try TestPictures.qr(Array("EDGE".utf8), scale: 4)
        // One strip of noise again and again: noise for each pixel would take longer than the finder.
        let strip = LumaBuffer(width: 4096, height: 32, filledWith: 255).noisy(20).pixels
        let pixels = Array([[UInt8]](repeating: strip, count: 96).joined())
        var scene = try #require(LumaBuffer(pixels: pixels, width: 4096, height: 3072))
        scene.paste(code, x: 0, y: 0)
        scene.paste(code, x: 4096 - code.width, y: 3072 - code.height)
        scene.paste(code, x: 4096 - code.width / 2, y: 40)
        let found = Self.find(in: scene, .accurate, limit: 50)
        #expect(found.count <= 50)
        #expect(found.filter { $0.kind == .qr }.count >= 2)
        #expect(found.allSatisfy { $0.quad.isFinite })
        #expect(Self.find(in: scene, limit: 0).isEmpty)
    }
}
