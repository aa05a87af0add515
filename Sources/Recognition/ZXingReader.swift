// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import CZXing
internal import ImageKernels
internal import ScanModel

/// The second engine: zxing-cpp on a crop of one linear symbol that stands upright.
enum ZXingReader {
    /// Bytes of the longest text that is taken; a linear symbol of more is no label.
    private static let capacity = 256

    private static let bits: [(bit: UInt32, symbology: Symbology)] = [
        (UInt32(CZXING_EAN13), .ean13), (UInt32(CZXING_EAN8), .ean8),
        (UInt32(CZXING_UPCA), .upcA), (UInt32(CZXING_UPCE), .upcE),
        (UInt32(CZXING_CODE128), .code128),
    ]

    /// At most one symbol of these symbologies, with its bytes; `nil` when nothing was read.
    static func read(_ crop: LumaBuffer, _ symbologies: Set<Symbology>) -> (symbology: Symbology, payload: [UInt8])? {
        let asked = bits.filter { symbologies.contains($0.symbology) }.reduce(0) { $0 | $1.bit }
        guard asked != 0, let width = Int32(exactly: crop.width), let height = Int32(exactly: crop.height) else {
            return nil
        }
        var text = [CChar](repeating: 0, count: capacity)
        var found: UInt32 = 0
        let length = crop.pixels.withUnsafeBufferPointer { pixels -> Int in
            guard let base = pixels.baseAddress else { return 0 }
            return czxing_read_linear(base, width, height, width, asked, &text, capacity, &found)
        }
        guard length > 0, length <= capacity, let symbology = bits.first(where: { $0.bit == found })?.symbology else {
            return nil
        }
        return (symbology, text[..<length].map { UInt8(bitPattern: $0) })
    }
}
