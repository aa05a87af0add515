// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ImageKernels

/// Labels drawn without any program, for tests that only need something to read.
public enum SyntheticLabel {
    // Left-hand codes with odd parity; even parity and the right hand are their mirror and inverse (ISO/IEC 15420, 4.3).
    private static let leftOdd = [
        "0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111", "0001011",
    ]
    private static let parity = [
        "OOOOOO", "OOEOEE", "OOEEOE", "OOEEEO", "OEOOEE", "OEEOOE", "OEEEOO", "OEOEOE", "OEOEEO", "OEEOEO",
    ]

    /// An EAN-13 symbol of 13 digits with its quiet zones, dark on white, `module` pixels a module.
    public static func ean13(_ digits: String, module: Int = 3, barHeight: Int = 80) -> LumaBuffer {
        let values = digits.compactMap(\.wholeNumberValue)
        precondition(values.count == 13, "13 digits")
        var modules = "00000000000101"
        for (index, form) in zip(1...6, parity[values[0]]) {
            let odd = leftOdd[values[index]]
            modules += form == "O" ? odd : String(inverted(odd).reversed())
        }
        modules += "01010"
        for index in 7...12 { modules += inverted(leftOdd[values[index]]) }
        modules += "10100000000000"
        let margin = 10
        var picture = LumaBuffer(
            width: modules.count * module, height: barHeight + 2 * margin, filledWith: 255)
        for (index, bar) in modules.enumerated() where bar == "1" {
            for row in margin..<(margin + barHeight) {
                for column in index * module..<(index + 1) * module { picture.pixels[row * picture.width + column] = 0 }
            }
        }
        return picture
    }

    private static func inverted(_ code: String) -> String { String(code.map { $0 == "0" ? "1" : "0" }) }
}

extension LumaBuffer {
    /// Lays another picture on this one; what reaches outside is cut.
    public mutating func paste(_ picture: LumaBuffer, x: Int, y: Int) {
        for row in max(0, -y)..<max(0, -y, min(picture.height, height - y)) {
            for column in max(0, -x)..<max(0, -x, min(picture.width, width - x)) {
                pixels[(row + y) * width + column + x] = picture.pixels[row * picture.width + column]
            }
        }
    }
}
