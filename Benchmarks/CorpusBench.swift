// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import LinuxSystem
import Recognition
import ScanModel
import ServiceSupport

/// Measures what the pictures of whole folders cost, each level beside ZBar as it is shipped, picture by picture.
///
/// Usage: `datascand-bench corpus [--accurate] PICTURE...`; pictures are put together by the folder below the last one that is
/// named `data`, or else by the folder that they lie in.
enum CorpusBench {
    private struct Sum {
        var pictures = 0
        var megapixels = 0.0
        var zbar = 0.0
        var spent: [QualityLevel: Double] = [:]
        var readings: [QualityLevel: Int] = [:]
        var symbols = 0

        static func + (one: Sum, other: Sum) -> Sum {
            Sum(
                pictures: one.pictures + other.pictures, megapixels: one.megapixels + other.megapixels,
                zbar: one.zbar + other.zbar, spent: one.spent.merging(other.spent, uniquingKeysWith: +),
                readings: one.readings.merging(other.readings, uniquingKeysWith: +),
                symbols: one.symbols + other.symbols)
        }
    }

    static func run(_ arguments: [String]) throws {
        let levels: [QualityLevel] =
            arguments.contains("--accurate") ? [.fast, .balanced, .accurate] : [.fast, .balanced]
        let jpeg = try JPEGDecoder()
        var sums: [String: Sum] = [:]
        for path in arguments where path != "--accurate" {
            let mapping = try ReadOnlyMapping(of: try OwnedDescriptor.openForReading(path), subject: path)
            guard let picture = try? PictureFile(mapping.bytes, jpeg: jpeg).luma(jpeg: jpeg) else { continue }
            var sum = Sum(pictures: 1, megapixels: Double(picture.width * picture.height) / 1e6)
            sum.zbar = milliseconds { sum.symbols = PlainScan.symbolCountByDefault(in: picture) }
            for level in levels {
                let reader = BarcodeReader()
                sum.spent[level] = try milliseconds {
                    sum.readings[level] = try look(reader, picture, level).observations.count
                }
            }
            let folder = folder(of: path)
            sums[folder] = (sums[folder] ?? Sum()) + sum
        }
        print(sums, levels: levels)
    }

    private static func look(
        _ reader: BarcodeReader, _ picture: LumaBuffer, _ level: QualityLevel
    ) throws -> RecognitionResult {
        guard let region = PixelRect(x: 0, y: 0, width: picture.width, height: picture.height) else {
            return RecognitionResult(observations: [], cpuTime: .zero)
        }
        let job = RecognitionJob(
            frame: FrameLocation(offset: 0, width: picture.width, height: picture.height), region: region,
            task: .barcodes(
                BarcodeParameters(
                    symbologies: BarcodeReader.supportedSymbologies.subtracting([.ean2, .ean5]), qualityLevel: level)),
            cpuLimit: .seconds(60))
        return try picture.withView { view throws(RecognitionFailure) in try reader.perform(job, luma: view) }
    }

    private static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
        let start = processCPUTime()
        try body()
        return (processCPUTime() - start).inSeconds * 1000
    }

    /// The name of the collection: of `data/jsqr/images/a.png` it is `jsqr`, where all paths begin with `data`.
    private static func folder(of path: String) -> String {
        let parts = path.split(separator: "/").map(String.init)
        if let data = parts.lastIndex(of: "data"), data + 1 < parts.count { return parts[data + 1] }
        return parts.dropLast().last ?? "."
    }

    private static func print(_ sums: [String: Sum], levels: [QualityLevel]) {
        var rows = sums.sorted { $0.key < $1.key }
        rows.append(("all", sums.values.reduce(Sum(), +)))
        var text = "CPU ms a picture, readings (not judged) in brackets\n"
        text += pad("folder", 20) + pad("pictures", 10) + pad("megapixels", 12) + pad("ZBar", 16)
        for level in levels { text += pad(level.rawValue, 16) + pad("x ZBar", 9) }
        text += "\n"
        for (name, sum) in rows {
            let count = Double(max(1, sum.pictures))
            text += pad(name, 20) + pad("\(sum.pictures)", 10) + pad(number(sum.megapixels / count), 12)
            text += pad("\(number(sum.zbar / count)) (\(sum.symbols))", 16)
            for level in levels {
                let spent = sum.spent[level] ?? 0
                text += pad("\(number(spent / count)) (\(sum.readings[level] ?? 0))", 16)
                text += pad(number(spent / max(sum.zbar, 1e-9)), 9)
            }
            text += "\n"
        }
        StandardOutput(logger: Logger(program: "benchmarks", threshold: .error)).print(text)
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    private static func number(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        return "\(hundredths / 100)." + (hundredths % 100 < 10 ? "0" : "") + "\(hundredths % 100)"
    }
}
