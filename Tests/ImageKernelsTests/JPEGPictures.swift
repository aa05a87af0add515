// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import ScanTestSupport

/// JPEGs as a camera would make them of a shelf, and what comes of them on a camera's way.
enum JPEGPictures {
    /// A label on a wall, with a sensor's noise.
    static func picture(_ width: Int, _ height: Int) -> LumaBuffer {
        var generator = SeededGenerator(seed: 21)
        var picture = LumaBuffer(width: width, height: height, filledWith: 150)
        let label = SyntheticLabel.ean13("4006381333931")
        picture.paste(label, x: max(0, (width - label.width) / 2), y: max(0, (height - label.height) / 2))
        for index in picture.pixels.indices {
            let noisy =
                Int(picture.pixels[index]) * 7 / 8 + index % width / 8 + Int.random(in: 0...7, using: &generator)
            picture.pixels[index] = UInt8(min(255, noisy))
        }
        return picture
    }

    static func label(_ width: Int, _ height: Int) throws -> [UInt8] {
        try picture(width, height).withView { try JPEGEncoder.encode(luma: $0, quality: 85) }
    }

    /// In colour, with a quarter of it (4:2:0).
    static func colour(_ width: Int, _ height: Int) throws -> [UInt8] {
        let luma = picture(width, height).pixels
        let pixels = luma.enumerated().flatMap { [$1, UInt8(truncatingIfNeeded: $0 % width), 255 - $1] }
        return try pixels.withUnsafeBytes {
            try JPEGEncoder.encode($0, layout: .rgb, width: width, height: height, stride: 3 * width, quality: 85)
        }
    }

    /// The bytes that are kept of a camera's buffer.
    static func kept(_ bytes: [UInt8], _ width: Int, _ height: Int) throws -> [UInt8] {
        try bytes.withUnsafeBytes { bytes in
            let jpeg = try CameraJPEG(checking: bytes, width: width, height: height)
            var copy = [UInt8](repeating: 0xEE, count: jpeg.byteCount)
            copy.withUnsafeMutableBytes { jpeg.copy(into: $0) }
            return copy
        }
    }

    /// The luma of a camera's buffer.
    static func luma(_ bytes: [UInt8], _ width: Int, _ height: Int) throws -> [UInt8] {
        let decoder = try JPEGDecoder()
        let kept = try kept(bytes, width, height)
        var pixels = [UInt8](repeating: 0, count: width * height)
        try kept.withUnsafeBytes { bytes in
            try pixels.withUnsafeMutableBytes {
                try decoder.decodeLuma(bytes, into: $0, width: width, height: height, progressive: .refused)
            }
        }
        return pixels
    }
}
