// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Foundation
import ImageKernels
import ScanModel
import Testing

@testable import Recognition

/// What the crop reader makes of candidates whose places are given, over whole collections.
///
/// `DATASCAND_CROPS` names a table of them: folder, file, kind, corners as JSON, a note, one a line. A line of JSON a
/// picture, as `datascan analyze --json` prints it, goes to `DATASCAND_OUTPUT`.
@Suite struct CropReaderDataTests {
    private struct Line {
        var folder: String
        var file: String
        var candidate: CodeCandidate
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["DATASCAND_CROPS"] != nil, "set DATASCAND_CROPS for it"))
    func surveyOfCrops() throws {
        let environment = ProcessInfo.processInfo.environment
        let name = environment["DATASCAND_EFFORT"] ?? "look"
        let effort: ReadingEffort = name == "glance" ? .glance : name == "thorough" ? .thorough : .look
        let lines = try Self.lines(environment["DATASCAND_CROPS"] ?? "").filter { line in
            environment["DATASCAND_FOLDERS"].map { $0.split(separator: ",").contains(Substring(line.folder)) } ?? true
        }
        var output = ""
        var (crops, spent) = (0, 0.0)
        for (path, lines) in Dictionary(grouping: lines, by: { "\($0.folder)/\($0.file)" }).sorted(by: {
            $0.key < $1.key
        }) {
            guard let url = TestPictures.sharedData(path), let picture = try? TestPictures.load(url) else { continue }
            let reader = CropReader()
            let start = threadCPUTime()
            let symbols = picture.withView { view in
                lines.flatMap {
                    reader.read($0.candidate, in: view, symbologies: CropReader.supportedSymbologies, effort: effort)
                }
            }
            let time = Double((threadCPUTime() - start).inNanoseconds) / 1e6
            crops += lines.count
            spent += time
            output += Self.json(path, picture, symbols, milliseconds: time, crops: lines.count) + "\n"
        }
        try output.write(
            toFile: environment["DATASCAND_OUTPUT"] ?? "/dev/stdout", atomically: false, encoding: .utf8)
        print("\(crops) crops at \(effort), \(spent / Double(max(1, crops))) ms each")
    }

    private static func lines(_ path: String) throws -> [Line] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count >= 4,
                let corners = try? JSONDecoder().decode([[Double]].self, from: Data(fields[3].utf8)),
                corners.count == 4, corners.allSatisfy({ $0.count == 2 })
            else { return nil }
            let points = corners.map { Point(x: $0[0], y: $0[1]) }
            let quad = Quad(topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
            return Line(
                folder: fields[0], file: fields[1],
                candidate: CodeCandidate(kind: kind(fields[2]), quad: quad, moduleSize: nil, isInverted: nil, score: 1))
        }
    }

    private static func kind(_ name: String) -> CodeCandidate.Kind {
        switch name.filter(\.isLetter).lowercased() {
        case "qrcode", "qr": .qr
        case "datamatrix", "microqrcode", "rmqrcode", "matrix": .matrix
        case "aztec", "maxicode", "bullseye": .bullseye
        case "pdf", "micropdf", "stacked": .stacked
        default: .linear
        }
    }

    private static func json(
        _ path: String, _ picture: LumaBuffer, _ symbols: [DecodedSymbol], milliseconds: Double, crops: Int
    ) -> String {
        let items = symbols.map { symbol -> String in
            let quad = symbol.quad.scaled(x: 1 / Double(picture.width), y: 1 / Double(picture.height))
            let corners = zip(["topLeft", "topRight", "bottomRight", "bottomLeft"], quad.corners).map {
                "\"\($0)\":[\($1.x),\($1.y)]"
            }
            let witnesses = symbol.witnesses.map { "\"\($0.engine) \($0.preparation)\"" }.sorted().joined(
                separator: ",")
            return "{\"kind\":\"barcode\",\"symbology\":\"\(symbol.symbology.rawValue)\",\"payload\":{\"base64\":\""
                + Data(symbol.payload).base64EncodedString() + "\"},\"bounds\":{" + corners.joined(separator: ",")
                + "},\"confidence\":\(symbol.confidence),\"quality\":\(symbol.quality),\"witnesses\":[\(witnesses)]}"
        }
        return "{\"file\":\"\(path)\",\"width\":\(picture.width),\"height\":\(picture.height),\"milliseconds\":"
            + "\(milliseconds),\"crops\":\(crops),\"items\":[" + items.joined(separator: ",") + "]}"
    }
}
