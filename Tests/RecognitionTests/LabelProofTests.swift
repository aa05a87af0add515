// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import ScanModel
import ScanTestSupport
import Testing

@testable import Recognition

/// What one label says, read from its own place alone.
@Suite struct LabelProofTests {
    private func readings(
        _ picture: LumaBuffer, _ symbologies: Set<Symbology> = [.ean13, .upcA, .ean8, .upcE, .i2of5, .itf14, .code128]
    ) throws -> [(payload: String, reading: BarcodeReading)] {
        let job = RecognitionJob(
            frame: FrameLocation(offset: 0, width: picture.width, height: picture.height),
            region: try #require(PixelRect(x: 0, y: 0, width: picture.width, height: picture.height)),
            task: .barcodes(BarcodeParameters(symbologies: symbologies, qualityLevel: .balanced)),
            cpuLimit: .seconds(60))
        return try picture.withView { try BarcodeReader().perform(job, luma: $0) }.observations.compactMap {
            guard case .barcode(let reading) = $0.content else { return nil }
            return (String(decoding: reading.payload, as: UTF8.self), reading)
        }
    }

    /// The digits with their check digit.
    private func ean(_ twelve: String) -> String {
        let sum = twelve.compactMap(\.wholeNumberValue).enumerated().reduce(0) { $0 + $1.1 * ($1.0 % 2 == 0 ? 1 : 3) }
        return twelve + "\((10 - sum % 10) % 10)"
    }

    @Test func halvesOfTwoLabelsAreNeverOneCode() throws {
        // The halves' check sums are equal, so that each mixture has a valid check digit.
        let codes = ["400638133393", "400646133313", "880123456789"].map(ean)
        for (gap, lean) in [(0, 0), (6, 1), (14, 2), (30, 0)] {
            var picture = LumaBuffer(width: 1000, height: 300, filledWith: 255)
            for (index, code) in codes.enumerated() {
                let label = SyntheticLabel.ean13(code, module: 2, barHeight: 60)
                picture.paste(label, x: 20 + index * (label.width + gap), y: 60 + index * 24 * lean)
            }
            let found = try readings(picture)
            #expect(Set(found.map(\.payload)).isSubset(of: codes), "gap \(gap): \(found.map(\.payload))")
            #expect(found.count == 3, "gap \(gap): \(found.map(\.payload))")
            #expect(found.allSatisfy { $0.reading.isConfirmed }, "gap \(gap)")
        }
    }

    @Test func aMixtureIsReplacedByWhatItsPlaceSays() {
        let codes = ["400638133393", "400646133313"].map(ean)
        var picture = LumaBuffer(width: 700, height: 200, filledWith: 255)
        for (index, code) in codes.enumerated() {
            picture.paste(SyntheticLabel.ean13(code, module: 2, barHeight: 80), x: 20 + index * 300, y: 40)
        }
        // What ZBar says of the first label's place after a scan line that began in the second.
        let mixture = Array((codes[1].prefix(7) + codes[0].suffix(6)).utf8)
        let place = Quad(Rect(x: 20 + 22, y: 50, width: 190, height: 80))
        picture.withView { view in
            let proof = LabelProof(picture: view, asked: [.ean13])
            let found = proof.proved(
                FoundBarcode(quad: place, symbology: .ean13, payload: mixture, quality: 52, isGS1: false))
            #expect(String(decoding: found.payload, as: UTF8.self) == codes[0])
            #expect(found.isConfirmed)
            // A place that says nothing starts no item.
            let nothing = proof.proved(
                FoundBarcode(
                    quad: Quad(Rect(x: 20, y: 150, width: 190, height: 40)), symbology: .ean13, payload: mixture,
                    quality: 52, isGS1: false))
            #expect(nothing.quality == 1 && !nothing.isConfirmed)
        }
    }

    @Test func aTwoOfFiveWithoutItsQuietZoneTouchesTheEdge() {
        // 14 digits are 121 modules: 242 px, so that 7 modules are 14 px.
        func touchesEdge(leftAt x: Double) -> Bool {
            let found = FoundBarcode(
                quad: Quad(Rect(x: x, y: 50, width: 242, height: 80)), symbology: .itf14,
                payload: Array("10012345000017".utf8), quality: 50, isGS1: false)
            guard let region = PixelRect(x: 0, y: 0, width: 640, height: 200) else { return false }
            let observation = found.observation(
                region: region, frame: FrameLocation(offset: 0, width: 640, height: 200))
            if case .barcode(let reading) = observation.content { return reading.touchesEdge }
            return false
        }
        #expect(touchesEdge(leftAt: 10))
        #expect(!touchesEdge(leftAt: 20))
        #expect(touchesEdge(leftAt: 640 - 242 - 10))
    }

    @Test func barsThatGoOnBeyondTheUpperEdgeAreWhole() {
        // A symbol at the top of a picture is taken to be as high as its kind: most of that is outside.
        func touchesEdge(_ rect: Rect) -> Bool {
            FoundBarcode.isCut(
                Quad(rect), symbology: .codabar, payload: Array("A1234567890A".utf8), width: 256, height: 64)
        }
        #expect(!touchesEdge(Rect(x: 8, y: -58, width: 240, height: 92)))
        #expect(touchesEdge(Rect(x: 1, y: -58, width: 240, height: 92)))
        #expect(touchesEdge(Rect(x: 15, y: -58, width: 240, height: 92)))
        #expect(touchesEdge(Rect(x: 8, y: -92, width: 240, height: 91)))
    }
}
