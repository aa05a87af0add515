// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Foundation
import ImageKernels
import ScanModel
import ScanTestSupport
import Testing

@testable import Recognition

/// What the marks of symbols in two dimensions tell before anybody decodes them.
@Suite struct CandidatePromiseTests {
    private static func find(in picture: LumaBuffer, _ level: QualityLevel = .fast) -> [CodeCandidate] {
        let finder = RegionFinder(kinds: [.linear, .qr, .matrix, .bullseye, .stacked])
        return picture.withView { finder.candidates(in: $0, level: level, limit: 200) }
    }

    private static func truth(_ code: LumaBuffer, degrees: Double, side: Int) -> Quad {
        let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        return Quad(
            center: Point(x: Double(side) / 2, y: Double(side) / 2), axis: Point(x: c, y: s),
            length: Double(code.width), height: Double(code.height))
    }

    private static func glance(_ candidate: CodeCandidate, in picture: LumaBuffer) -> String? {
        picture.withView { view in
            CropReader().read(
                candidate, in: view, symbologies: CropReader.supportedSymbologies, effort: .glance
            ).first.map { String(decoding: $0.payload, as: UTF8.self) }
        }
    }

    @Test(arguments: [0.0, 7, 90, 180, 217])
    func guardsTellAPDF417AndItsPlace(degrees: Double) throws {
        let code = try TestPictures.zint("PDF417", "rows of a stacked code, read at a glance", scale: 1)
        let side = 500
        let scene = code.turned(degrees: degrees, width: side, height: side).noisy(4)
        let truth = Self.truth(code, degrees: degrees, side: side)
        let found = Self.find(in: scene).filter { $0.kind == .stacked && $0.isLikely }
        let best = try #require(found.max { $0.quad.overlap(with: truth) < $1.quad.overlap(with: truth) })
        #expect(best.quad.overlap(with: truth) > 0.85, "\(best.quad)")
        // zint draws two pixels a module at this scale; the first corner is the symbol's own.
        #expect((try #require(best.moduleSize) / 2 - 1).magnitude < 0.15)
        #expect(best.quad.topLeft.distance(to: truth.topLeft) < 0.05 * truth.width)
        #expect(Self.glance(best, in: scene) == "rows of a stacked code, read at a glance")
    }

    /// Without an @, which is rings around a middle.
    @Test func textAndBarsPromiseNothing() throws {
        var scene = LumaBuffer(width: 640, height: 480, filledWith: 245)
        for line in 0..<6 {
            scene.paste(try TestPictures.text("Lorem ipsum 372,40 dolor 8% BOE", size: 22), x: 20, y: 20 + 34 * line)
        }
        scene.paste(SyntheticLabel.ean13("4006381333931", module: 2, barHeight: 80), x: 60, y: 260)
        for level in QualityLevel.allCases {
            let likely = Self.find(in: scene.noisy(3), level).filter { $0.kind != .linear && $0.isLikely }
            // At the accurate level a letter of some pixels may be rings around a middle.
            #expect(likely.count <= (level == .accurate ? 2 : 0), "\(level): \(likely)")
        }
    }

    @Test(arguments: [0.0, 30, 90, 200])
    func theBorderTellsADataMatrix(degrees: Double) throws {
        let code = try TestPictures.zint("DATAMATRIX", "DF150E0101", scale: 3)
        for inverted in [false, true] {
            var scene = code.turned(degrees: degrees, width: 300, height: 300)
            if inverted { scene = scene.inverted() }
            let truth = Self.truth(code, degrees: degrees, side: 300)
            let found = Self.find(in: scene.noisy(4)).filter { $0.kind == .matrix }
            let first = try #require(found.first, "\(degrees) \(inverted)")
            #expect(first.quad.contains(truth.center))
            if !inverted {
                #expect(first.isLikely, "\(degrees): \(first)")
                #expect(found.contains { Self.glance($0, in: scene) == "DF150E0101" }, "\(degrees)")
            }
        }
    }

    @Test(arguments: [0.0, 25, 45, 70, 135])
    func anAztecIsCutAlongItsRings(degrees: Double) throws {
        let code = try TestPictures.zint("AZTEC", "aztec at any angle", scale: 3)
        let scene = code.turned(degrees: degrees, width: 360, height: 360).noisy(4)
        let found = Self.find(in: scene).filter { $0.kind == .bullseye }
        let best = try #require(found.first, "\(degrees)")
        #expect(best.quad.center.distance(to: Point(x: 180, y: 180)) < 2)
        #expect(Self.glance(best, in: scene) == "aztec at any angle", "\(degrees): \(best.quad)")
        #expect(found.count == 1)
    }
}
