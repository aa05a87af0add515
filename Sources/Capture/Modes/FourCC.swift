// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// A pixel format's code of four characters, as V4L2 numbers them: `YUYV`, `MJPG`, `Y16 `.
public struct FourCC: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The characters, the first one in the lowest byte; V4L2 sets the highest bit for big-endian variants.
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Takes one to four printable ASCII characters, as people write them: `Y16` is `Y16 `, in any case; `nil` otherwise.
    public init?(_ text: String) {
        let characters = Array(text.utf8)
        guard (1...4).contains(characters.count), characters.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            return nil
        }
        let padded = characters + [UInt8](repeating: 0x20, count: 4 - characters.count)
        rawValue = padded.reversed().reduce(0) { $0 << 8 | UInt32($1 >= 0x61 && $1 <= 0x7A ? $1 - 0x20 : $1) }
    }

    /// The characters without the blanks at their end; what is not printable is shown as a question mark.
    public var description: String {
        var text = ""
        for shift in stride(from: 0, through: 24, by: 8) {
            let byte = UInt8(truncatingIfNeeded: rawValue >> UInt32(shift)) & 0x7F
            text.unicodeScalars.append(Unicode.Scalar((0x20...0x7E).contains(byte) ? byte : 0x3F))
        }
        while text.last == " " { text.removeLast() }
        return rawValue >> 31 == 1 ? text + "-BE" : text
    }

    public static let grey = known("GREY")
    public static let yuyv = known("YUYV")
    public static let uyvy = known("UYVY")
    public static let yvyu = known("YVYU")
    public static let nv12 = known("NV12")
    public static let nv21 = known("NV21")
    public static let yu12 = known("YU12")
    public static let yv12 = known("YV12")
    public static let y16 = known("Y16 ")
    public static let mjpg = known("MJPG")
    public static let jpeg = known("JPEG")

    /// Whether a frame is a JPEG picture.
    public var isJPEG: Bool { self == .mjpg || self == .jpeg }

    private static func known(_ text: StaticString) -> FourCC {
        FourCC(rawValue: (0..<4).reversed().reduce(0) { $0 << 8 | UInt32(text.utf8Start[$1]) })
    }
}
