// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Foundation
import ImageKernels
import ScanTestSupport

/// Pictures for the tests, drawn by zint and put together here.
enum Pictures {
    /// A symbol as luma, with 3 px a module and a white border.
    static func symbol(
        _ kind: String, _ data: String, scale: Double = 1.5, border: Int = 12, extra: [String] = []
    ) throws -> LumaBuffer {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/symbol.png"
        let result = try run(
            "/usr/bin/zint",
            ["-b", kind, "--notext", "--scale=\(scale)", "--whitesp=\(border)", "--vwhitesp=4", "-d", data, "-o", path]
                + extra)
        guard result.status == 0 else { throw DaemonError("zint: \(result.errors)") }
        return try load(path)
    }

    /// A QR code of exactly these bytes, with 4 px a module and its quiet zone.
    static func qrCode(_ bytes: [UInt8], extra: [String] = ["-8"]) throws -> LumaBuffer {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/code.png"
        let result = try run("/usr/bin/qrencode", ["-s", "4", "-m", "4", "-o", path] + extra, input: bytes)
        guard result.status == 0 else { throw DaemonError("qrencode: \(result.errors)") }
        return try load(path)
    }

    /// The codes of a message that is split over as many of a version as it takes.
    static func qrCodes(_ bytes: [UInt8], version: Int, folder: TemporaryDirectory) throws -> [LumaBuffer] {
        let result = try run(
            "/usr/bin/qrencode",
            ["-S", "-8", "-v", "\(version)", "-s", "4", "-m", "4", "-o", folder.path + "/part.png"], input: bytes)
        guard result.status == 0 else { throw DaemonError("qrencode: \(result.errors)") }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("part-") }
        return try names.sorted().map { try load(folder.path + "/" + $0) }
    }

    private static func load(_ path: String) throws -> LumaBuffer {
        guard let bytes = FileManager.default.contents(atPath: path) else { throw DaemonError("no \(path)") }
        let jpeg = try JPEGDecoder()
        return try Array(bytes).withUnsafeBytes { try PictureFile($0, jpeg: jpeg).luma(jpeg: jpeg) }
    }

    /// A white picture with others laid on it.
    static func compose(
        width: Int, height: Int, _ parts: [(picture: LumaBuffer, x: Int, y: Int)]
    ) -> LumaBuffer {
        var canvas = LumaBuffer(width: width, height: height, filledWith: 255)
        for part in parts {
            for row in 0..<part.picture.height where row + part.y < height {
                for column in 0..<part.picture.width where column + part.x < width {
                    canvas.pixels[(row + part.y) * width + column + part.x] =
                        part.picture.pixels[row * part.picture.width + column]
                }
            }
        }
        return canvas
    }

    /// The picture turned clockwise by `degrees`, then mirrored.
    static func turned(_ picture: LumaBuffer, degrees: Int, isMirrored: Bool) -> LumaBuffer {
        let orientation = Orientation(turn: .init(rawValue: degrees) ?? .none, isMirrored: isMirrored)
        let size = orientation.size(ofWidth: picture.width, height: picture.height)
        var result = LumaBuffer(width: size.width, height: size.height)
        picture.withView { view in result.pixels.withUnsafeMutableBytes { orientation.write(view, into: $0) } }
        return result
    }

    /// Writes a PGM.
    static func write(_ picture: LumaBuffer, to path: String) throws {
        var bytes = Array("P5\n\(picture.width) \(picture.height)\n255\n".utf8)
        bytes += picture.pixels
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    /// A shelf of five different codes in 1280x720.
    static func shelf() throws -> LumaBuffer {
        compose(
            width: 1280, height: 720,
            [
                (try symbol("EANX", "4006381333931"), 60, 40), (try symbol("CODE128", "PALLET-0042"), 500, 40),
                (try symbol("QRCODE", "https://wh.example/i/7", scale: 3), 60, 260),
                (try symbol("CODE39", "LOT7731"), 500, 260), (try symbol("ITF14", "1540014128876"), 560, 480),
            ])
    }
}
