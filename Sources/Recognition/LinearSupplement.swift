// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// Looks for the add-on of two or five digits beside an EAN or UPC.
///
/// An add-on has hardly a check of its own, so it is looked for only where it can be: 7 to 12 modules to the right of a
/// symbol that is read, at its module size (ISO/IEC 15420, 4.5).
struct LinearSupplement {
    /// Modules to the right of the symbol that are looked at: the gap, an EAN-5, and a quiet zone.
    private static let reach = 72.0
    /// The share of the symbol's width that is kept: an add-on is nothing to ZBar without what is before it. Where the bars
    /// were taken for one symbol with those of its add-on (95 modules of 124 or 151), the add-on is in that width.
    private static let kept = 0.45
    /// The share of lines that must say the same.
    private static let fewestLines = 0.2
    private static let pixelsPerModule = 4.0
    private static let lines = 40

    let picture: LumaView

    /// The digits; `nil` where there is no add-on.
    func digits(beside symbol: DecodedSymbol, asked: Set<Symbology>) -> [UInt8]? {
        digits(beside: FoundBarcode(symbol), asked: asked)
    }

    /// The same beside what ZBar found in a picture that it swept.
    func digits(beside symbol: FoundBarcode, asked: Set<Symbology>) -> [UInt8]? {
        let wanted = asked.filter(\.isAddOn)
        guard !wanted.isEmpty, symbol.symbology.mayHaveAddOn, let modules = symbol.moduleCount else { return nil }
        let before = Self.kept * symbol.quad.width
        let behind = Self.reach * symbol.quad.width / modules
        let right = (symbol.quad.topRight - symbol.quad.topLeft).normalized
        let place = Quad(
            topLeft: symbol.quad.topRight - right * before, topRight: symbol.quad.topRight + right * behind,
            bottomRight: symbol.quad.bottomRight + right * behind, bottomLeft: symbol.quad.bottomRight - right * before)
        let width = Int((Self.kept * modules + Self.reach) * Self.pixelsPerModule)
        let height = max(4, min(Self.lines, Int(symbol.quad.height)))
        guard let strip = picture.warped(place, width: width, height: height, outside: symbol.isInverted ? 0 : 255)
        else { return nil }
        let upright = symbol.isInverted ? strip.inverted() : strip
        return digits(in: upright, wanted)
            // Bars under 2 px are blurred into each other.
            ?? digits(in: upright.sharpened(sigma: Self.pixelsPerModule, amount: 1.5, alongRowsOnly: true), wanted)
    }

    /// What so many lines of a strip say that it is no chance.
    private func digits(in strip: LumaBuffer, _ wanted: Set<Symbology>) -> [UInt8]? {
        guard
            let scanner = ZBarScanner(
                types: ZBarSymbology.decoders(for: wanted), density: ScanDensity(rows: 1, columns: 0))
        else { return nil }
        let found = scanner.scan(strip).compactMap { read -> (lines: Int, digits: [UInt8])? in
            guard let name = ZBarSymbology.name(read, among: wanted), !name.payload.isEmpty else { return nil }
            return (read.points.count, name.payload)
        }
        let strong = found.filter { Double($0.lines) >= Self.fewestLines * Double(strip.height) }
        // Two digits are a part of five: the longer is the add-on.
        return strong.max { ($0.digits.count, $0.lines) < ($1.digits.count, $1.lines) }?.digits
    }
}
