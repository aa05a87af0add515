// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Foundation
import ImageKernels
import Recognition
import ScanModel
import ScanTestSupport

/// Pictures made at test time by zint, qrencode and ImageMagick, and what is needed to put them together.
enum TestPictures {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// A barcode by zint, tight around its bars, dark on white.
    static func zint(_ symbology: String, _ data: String, scale: Double = 1, extra: [String] = []) throws -> LumaBuffer
    {
        let file = try temporaryFile("png")
        defer { try? FileManager.default.removeItem(at: file) }
        // Without the border the picture is the bar area, so that a test knows the true quad.
        try run(
            ["zint", "-b", symbology, "--notext", "--scale=\(scale)", "-d", data, "-o", file.path] + extra)
        return try load(file).trimmed()
    }

    /// A QR code of exactly these bytes by qrencode, tight around its modules.
    static func qr(_ bytes: [UInt8], scale: Int = 4, extra: [String] = ["-8"]) throws -> LumaBuffer {
        let input = try temporaryFile("bin")
        let output = try temporaryFile("png")
        defer {
            try? FileManager.default.removeItem(at: input)
            try? FileManager.default.removeItem(at: output)
        }
        try Data(bytes).write(to: input)
        try run(["qrencode", "-s", "\(scale)", "-m", "0", "-r", input.path, "-o", output.path] + extra)
        return try load(output)
    }

    /// A line of text by ImageMagick, with a margin; capitals are about 0.73 of the size high.
    static func text(
        _ line: String, size: Int, font: String = "DejaVu-Sans", ink: String = "black", paper: String = "white"
    ) throws -> LumaBuffer {
        let file = try temporaryFile("png")
        defer { try? FileManager.default.removeItem(at: file) }
        try run(
            [
                "convert", "-background", paper, "-fill", ink, "-font", font, "-pointsize", "\(size)",
                "label:\(line)", "-bordercolor", paper, "-border", "4", file.path,
            ])
        return try load(file)
    }

    /// Any picture file, as luma.
    static func load(_ file: URL) throws -> LumaBuffer {
        let pgm = try run([
            "convert", "\(file.path)[0]", "-background", "white", "-alpha", "remove", "-colorspace", "Gray", "-depth",
            "8",
            "pgm:-",
        ])
        // "P5 width height 255" and one white space byte, then the pixels.
        var fields: [String] = []
        var position = 0
        while fields.count < 4, position < pgm.count {
            let start = position
            while position < pgm.count, pgm[position] > 0x20 { position += 1 }
            fields.append(String(decoding: pgm[start..<position], as: UTF8.self))
            position += 1
        }
        guard fields.count == 4, fields[0] == "P5", let width = Int(fields[1]), let height = Int(fields[2]),
            pgm.count >= position + width * height,
            let picture = LumaBuffer(
                pixels: Array(pgm[position..<(position + width * height)]), width: width, height: height)
        else { throw Failure(description: "\(file.path) is no picture that convert can read") }
        return picture
    }

    /// The public pictures that lie beside the project; `nil` where they are not there.
    static func sharedData(_ folder: String) -> URL? {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let found = ["../shared/data", "../../shared/data"].map {
            root.appendingPathComponent($0).appendingPathComponent(folder).standardizedFileURL
        }
        return found.first { FileManager.default.fileExists(atPath: $0.path) }
    }

    private static func temporaryFile(_ suffix: String) throws -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).\(suffix)")
    }

    @discardableResult
    static func run(_ command: [String]) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: "\(command.joined(separator: " ")): exit \(process.terminationStatus)")
        }
        return [UInt8](data)
    }
}

extension LumaBuffer {
    /// Without the white around the dark.
    func trimmed() -> LumaBuffer {
        var (minX, minY, maxX, maxY) = (width, height, -1, -1)
        for y in 0..<height {
            for x in 0..<width where pixels[y * width + x] < 128 {
                (minX, minY, maxX, maxY) = (min(minX, x), min(minY, y), max(maxX, x), max(maxY, y))
            }
        }
        guard let part = PixelRect(x: minX, y: minY, width: maxX - minX + 1, height: maxY - minY + 1),
            let copy = withView({ $0.cropped(to: part) })
        else { return self }
        return copy
    }

    /// A quarter turn clockwise.
    func turned() -> LumaBuffer {
        var result = LumaBuffer(width: height, height: width)
        for y in 0..<height {
            for x in 0..<width { result.pixels[x * height + (height - 1 - y)] = pixels[y * width + x] }
        }
        return result
    }

    /// Another picture laid over this one, clipped.
    mutating func paste(_ other: LumaBuffer, x: Int, y: Int) {
        for row in 0..<other.height where y + row >= 0 && y + row < height {
            for column in 0..<other.width where x + column >= 0 && x + column < width {
                pixels[(y + row) * width + x + column] = other.pixels[row * other.width + column]
            }
        }
    }

    /// The picture with this much white around it.
    func padded(_ margin: Int, with value: UInt8 = 255) -> LumaBuffer {
        var result = LumaBuffer(width: width + 2 * margin, height: height + 2 * margin, filledWith: value)
        result.paste(self, x: margin, y: margin)
        return result
    }

    /// Noise of a standard deviation, the same for the same seed.
    func noisy(_ sigma: Double, seed: UInt64 = 1) -> LumaBuffer {
        var generator = SeededGenerator(seed: seed)
        var result = self
        for index in pixels.indices {
            // Twelve uniform numbers are as good as normal here.
            let sum = (0..<12).reduce(-6.0) { total, _ in total + Double(generator.next() >> 40) / Double(1 << 24) }
            result.pixels[index] = UInt8(min(255, max(0, Double(pixels[index]) + sum * sigma)))
        }
        return result
    }

    /// Turned by so many degrees clockwise about its centre, on white, in a picture of another size.
    func turned(degrees: Double, width newWidth: Int, height newHeight: Int) -> LumaBuffer {
        let padded = padded(2)
        let angle = degrees * .pi / 180
        let (c, s) = (cos(angle), sin(angle))
        var result = LumaBuffer(width: newWidth, height: newHeight, filledWith: 255)
        padded.withView { view in
            for y in 0..<newHeight {
                for x in 0..<newWidth {
                    let (dx, dy) = (Double(x) - Double(newWidth) / 2, Double(y) - Double(newHeight) / 2)
                    let sx = dx * c + dy * s + Double(view.width) / 2
                    let sy = -dx * s + dy * c + Double(view.height) / 2
                    guard sx >= 0, sy >= 0, sx < Double(view.width), sy < Double(view.height) else { continue }
                    result.pixels[y * newWidth + x] = UInt8(view.interpolated(x: Float(sx), y: Float(sy)))
                }
            }
        }
        return result
    }
}

/// A barcode reading with its quad in pixels.
struct ReadBarcode {
    var reading: BarcodeReading
    var quad: Quad

    var text: String { String(decoding: reading.payload, as: UTF8.self) }
}

extension LumaBuffer {
    /// What the barcode reader makes of the picture.
    func barcodes(
        _ symbologies: Set<Symbology> = BarcodeReader.supportedSymbologies.subtracting([.ean2, .ean5]),
        level: QualityLevel = .balanced, region: PixelRect? = nil, reader: BarcodeReader = BarcodeReader()
    ) throws -> [ReadBarcode] {
        guard let whole = region ?? PixelRect(x: 0, y: 0, width: width, height: height) else { return [] }
        let job = RecognitionJob(
            frame: FrameLocation(offset: 0, width: width, height: height), region: whole,
            task: .barcodes(BarcodeParameters(symbologies: symbologies, qualityLevel: level)), cpuLimit: .seconds(60))
        let result = try withView { try reader.perform(job, luma: $0) }
        return result.observations.compactMap { observation in
            guard case .barcode(let reading) = observation.content else { return nil }
            return ReadBarcode(
                reading: reading, quad: observation.bounds.scaled(x: Double(width), y: Double(height)))
        }
    }
}

/// A line of text with its quad in pixels.
struct ReadLine {
    var reading: TextReading
    var quad: Quad
}

extension LumaBuffer {
    /// What the text reader makes of the picture, lines that were not read among it.
    func textObservations(
        _ reader: TextReader, level: QualityLevel = .balanced, region: PixelRect? = nil, masks: [Quad] = [],
        knownLines: [Quad] = [], maximumLines: Int = 100
    ) throws -> [Observation] {
        guard let whole = region ?? PixelRect(x: 0, y: 0, width: width, height: height) else { return [] }
        let job = RecognitionJob(
            frame: FrameLocation(offset: 0, width: width, height: height), region: whole,
            task: .text(
                TextParameters(
                    languages: ["eng"], qualityLevel: level, masks: masks, knownLines: knownLines,
                    maximumLines: maximumLines)), cpuLimit: .seconds(60))
        return try withView { try reader.perform(job, luma: $0) }.observations
    }

    /// The lines that the text reader read.
    func lines(
        _ reader: TextReader, level: QualityLevel = .balanced, region: PixelRect? = nil, masks: [Quad] = [],
        knownLines: [Quad] = [], maximumLines: Int = 100
    ) throws -> [ReadLine] {
        let observations = try textObservations(
            reader, level: level, region: region, masks: masks, knownLines: knownLines, maximumLines: maximumLines)
        return observations.compactMap { observation in
            guard case .text(let reading) = observation.content else { return nil }
            return ReadLine(reading: reading, quad: observation.bounds.scaled(x: Double(width), y: Double(height)))
        }
    }
}
