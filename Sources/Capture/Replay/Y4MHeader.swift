// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels

/// What the first line of a YUV4MPEG2 stream says.
struct Y4MHeader: Equatable {
    /// What the line begins with.
    static let magic = Array("YUV4MPEG2".utf8)

    let width: Int
    let height: Int
    /// Frames a second; `nil` where it is unknown or absurd.
    let frameRate: Double?
    /// Bytes of a frame after its luma.
    let chromaSize: Int

    /// Takes the line without its end; throws what is wrong with it, in words.
    init(_ line: [UInt8], limits: PictureLimits) throws(UnreadablePicture) {
        let fields = line.split(separator: UInt8(ascii: " "))
        guard let first = fields.first, Array(first) == Y4MHeader.magic else {
            throw UnreadablePicture(reason: "the first line does not begin with YUV4MPEG2")
        }
        var (width, height): (Int?, Int?) = (nil, nil)
        var rate: Double?
        var colour = "420"
        for field in fields.dropFirst() {
            let value = String(decoding: field.dropFirst(), as: UTF8.self)
            switch field.first {
            case UInt8(ascii: "W"): width = Int(value)
            case UInt8(ascii: "H"): height = Int(value)
            case UInt8(ascii: "F"): rate = Y4MHeader.rate(value)
            case UInt8(ascii: "C"): colour = value
            default: continue
            }
        }
        guard let width, let height else { throw UnreadablePicture(reason: "the Y4M header has no size (W and H)") }
        do throws(PictureError) { try limits.check(width: width, height: height) } catch {
            throw UnreadablePicture(reason: error.description)
        }
        self.width = width
        self.height = height
        frameRate = rate
        chromaSize = try Y4MHeader.chromaSize(colour, width, height)
    }

    /// Half the width and height are rounded up, as every writer does.
    private static func chromaSize(_ colour: String, _ width: Int, _ height: Int) throws(UnreadablePicture) -> Int {
        let (half, quarter) = ((width + 1) / 2, (width + 3) / 4)
        switch colour {
        case "420", "420jpeg", "420mpeg2", "420paldv": return 2 * half * ((height + 1) / 2)
        case "422": return 2 * half * height
        case "444": return 2 * width * height
        case "444alpha": return 3 * width * height
        case "411": return 2 * quarter * height
        case "mono": return 0
        default:
            // 420p10, 444p16, mono12, ...: two bytes a sample.
            throw UnreadablePicture(
                reason: "Y4M with colour \(colour) is not read; 8-bit 420, 422, 444, 411 and mono are"
                    + " (ffmpeg: -pix_fmt yuv420p or gray)")
        }
    }

    private static func rate(_ value: String) -> Double? {
        let parts = value.split(separator: ":")
        guard parts.count == 2, let numerator = Double(parts[0]), let denominator = Double(parts[1]),
            denominator > 0, ReplayOptions.rates.contains(numerator / denominator)
        else { return nil }
        return numerator / denominator
    }
}
