// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import LinuxSystem
import Recognition
import ScanModel
import ScanProtocol

/// Measures what a frame of the sample clip costs, each step beside the others in one run.
///
/// Times are CPU milliseconds of one thread, medians; the ratio to the JPEG's decoding is what to compare, for a machine
/// is never alone. Usage: `datascand-bench [luma] [CLIP.mjpeg]`; `luma` for what a camera's frames cost, and no more; or
/// `datascand-bench regions|candidates LEVEL PICTURE...` for what `RegionSurvey` prints, or `datascand-bench corpus FOLDER...`
/// for what a picture of each folder costs beside ZBar, or `datascand-bench motion [--codes] CLIP...` for how well motion is
/// followed.
@main
struct Bench {
    static func main() throws {
        var arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "regions" { return try RegionSurvey.run(Array(arguments.dropFirst())) }
        if arguments.first == "candidates" { return try RegionSurvey.read(Array(arguments.dropFirst())) }
        if arguments.first == "motion" { return try MotionBench.run(Array(arguments.dropFirst())) }
        if arguments.first == "corpus" { return try CorpusBench.run(Array(arguments.dropFirst())) }
        let isLumaOnly = arguments.first == "luma"
        if isLumaOnly { arguments.removeFirst() }
        let frames = try Clip.frames(of: arguments.first ?? "Samples/shelf.mjpeg")
        try LumaBench.run(over: frames)
        if isLumaOnly { return }
        let jpeg = try JPEGDecoder()
        var table = Table()

        var luma: [LumaBuffer] = []
        try table.measure("JPEG to luma", over: frames) { bytes in
            let decoded = try bytes.withUnsafeBytes { try PictureFile($0, jpeg: jpeg).luma(jpeg: jpeg) }
            luma.append(decoded)
        }
        let engine = ReaderEngine()
        for level in QualityLevel.allCases {
            // Micro QR is left out: an assertion of zxing-cpp in it (RegressionLine.h, intersect) ends the process on one of
            // the clip's crops, and here is no worker to be replaced.
            let parameters = BarcodeParameters(
                symbologies: BarcodeReader.supportedSymbologies.subtracting([.ean2, .ean5, .microQR]),
                qualityLevel: level)
            var codes = 0
            try table.measure("barcodes, \(level.rawValue)", over: luma) { picture in
                codes += try look(engine, picture, .barcodes(parameters)).count
            }
            table.note("\(codes) readings in \(luma.count) frames")
        }
        for level in QualityLevel.allCases {
            let parameters = TextParameters(languages: ["eng"], qualityLevel: level, maximumLines: 64)
            var lines = 0
            let some = stride(from: 0, to: luma.count, by: 15).map { luma[$0] }
            try table.measure("text, \(level.rawValue)", over: some) { picture in
                lines += try look(engine, picture, .text(parameters)).count
            }
            table.note("\(lines) lines in \(some.count) frames, barcodes not masked")
        }
        measureRegions(in: luma, &table)
        let event = Clip.event(items: 12)
        table.measure("an event of 12 items to JSON", over: Array(0..<1000)) { sequence in
            _ = MessageEncoder.lines(
                for: event, sequence: UInt64(sequence), time: WallTime(milliseconds: 0), limit: 1 << 22)
        }
        let lines = MessageEncoder.lines(for: event, sequence: 1, time: WallTime(milliseconds: 0), limit: 1 << 22)
        try table.measure("the same, read by a client", over: Array(repeating: lines[0], count: 1000)) { line in
            _ = try ServerMessage(parsing: line)
        }
        try table.measure("getStatus, there and back", over: Array(0..<1000)) { number in
            let request = try Request(parsing: Request(id: .number(Int64(number)), method: .getStatus).line)
            let answer = MessageEncoder.response(to: .number(Int64(number)), result: try StatusReport().json)
            guard request.id != nil, case .response(let response) = try ServerMessage(parsing: answer) else { return }
            _ = try response.result.get().decoded(as: StatusReport.self)
        }
        table.print()
    }

    /// Finding beside one scan of the same pictures by ZBar, which it is to save.
    private static func measureRegions(in luma: [LumaBuffer], _ table: inout Table) {
        table.measure("ZBar, every 4th line", over: luma) { _ = PlainScan.symbolCount(in: $0, density: 4) }
        for level in QualityLevel.allCases {
            let finder = RegionFinder(kinds: [.linear, .qr, .matrix, .bullseye, .stacked])
            var regions = 0
            table.measure("regions, \(level.rawValue)", over: luma) { picture in
                regions += picture.withView { finder.candidates(in: $0, level: level, limit: 64).count }
            }
            table.note("\(regions / max(1, luma.count)) a frame")
        }
    }

    private static func look(
        _ engine: ReaderEngine, _ picture: LumaBuffer, _ task: RecognitionJob.Task
    ) throws -> [Observation] {
        guard let region = PixelRect(x: 0, y: 0, width: picture.width, height: picture.height) else { return [] }
        let job = RecognitionJob(
            frame: FrameLocation(offset: 0, width: picture.width, height: picture.height), region: region, task: task,
            cpuLimit: .seconds(60))
        return try picture.withView { try engine.perform(job, luma: $0).observations }
    }
}
