// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// Reads the place of one linear label once more, cut out and alone, with both engines.
///
/// ZBar decodes EAN and UPC by halves and keeps a half until it finds another: a scan line through two labels can give the
/// left half of one and the right half of the other, a payload with a valid check digit that is printed nowhere, the same
/// one in frame after frame (16 of 72 rows of four labels; on up to 52 lines). Cut out alone, a label has its own halves
/// only. And a label that is blurred or cut can be read wrong by ZBar time after time (up to 56 lines); zxing-cpp gave no
/// wrong payload on such crops (0 of 155), so its word is evidence of its own. Few crops are tried: with margins of 10 modules
/// as well it confirmed 4 codes more of 190, and one misread of an over-sharpened picture.
struct LabelProof {
    /// Modules of white that are kept of the picture on both sides: less than the quiet zones of 7 and more (ISO/IEC 15420,
    /// 5.3.4; ISO/IEC 15417, 4.3.2), so that no bar of a neighbour comes in.
    private static let keptQuietZone = 4.0
    /// Modules of the outermost grey that are put beside that.
    private static let paddedQuietZone = 8
    /// Pixels for one module, tried in turn.
    private static let moduleScales = [3, 2, 4]
    /// The share of the bars' height that is read, around their middle, so that print above and below stays out, ...
    private static let heightShare = 0.7
    /// ... and the most lines: one a pixel, since lines that are averaged along bars that lean a little are blurred.
    private static let maximumRows = 48.0
    /// The pixels of the widest crop; a symbol of more modules is left as it is.
    private static let maximumWidth = 4096
    private static let halved: Set<Symbology> = [.ean13, .upcA, .ean8, .upcE]

    /// In pixels of `picture`.
    let picture: LumaView
    let asked: Set<Symbology>
    var quarantine = CropQuarantine()

    /// The reading as its own place has it: confirmed by the second engine, as it was, with another payload of its family
    /// that the place really says, or with so little quality that no item starts from it.
    func proved(_ found: FoundBarcode) -> FoundBarcode {
        guard let modules = found.moduleCount, Self.halved.contains(found.symbology) || found.symbology == .code128
        else {
            return found
        }
        let crops = Self.moduleScales.lazy.compactMap { crop(found, modules: modules, scale: $0) }
        var result = found
        let family = Self.halved.contains(found.symbology) ? Self.halved : [.code128]
        var second: [UInt8]?
        var exact = found.payload
        for crop in crops {
            guard let read = ZXingReader(symbologies: family, quarantine: quarantine).read(crop) else { continue }
            second = Self.digits((read.symbology, read.payload))
            exact = read.payload
            break
        }
        if let second, second == Self.digits((found.symbology, found.payload)) {
            // ZBar drops the FNC4 of Code 128, and with it the highest bit of the characters.
            if found.symbology == .code128 { result.payload = exact }
            result.isConfirmed = true
            result.confidence = ReadingTrust.bothEngines
            return result
        }
        guard Self.halved.contains(found.symbology) else { return found }

        var alone: [(name: (symbology: Symbology, payload: [UInt8]), lines: Int)] = []
        for crop in crops { alone += readAlone(crop, width: modules) }
        let isSame = alone.contains { $0.name.payload == found.payload && $0.name.symbology == found.symbology }
        if isSame, second == nil { return found }
        if let other = alone.first(where: { Self.digits($0.name) == second }) ?? (second == nil ? alone.first : nil) {
            result.symbology = other.name.symbology
            result.payload = other.name.payload
            result.identifier = SymbologyIdentifier.told(nil, symbology: other.name.symbology, isGS1: false)
            result.quality = min(found.quality, other.lines)
            result.isConfirmed = second != nil
            if second != nil { result.confidence = ReadingTrust.bothEngines }
            return result
        }
        result.quality = 1
        result.confidence = ReadingTrust.disproved
        return result
    }

    /// What ZBar reads in a crop, of the same width in modules.
    private func readAlone(
        _ crop: LumaBuffer, width modules: Double
    ) -> [(name: (symbology: Symbology, payload: [UInt8]), lines: Int)] {
        guard
            let scanner = ZBarScanner(
                types: ZBarSymbology.decoders(for: Self.halved), density: ScanDensity(rows: 1, columns: 0))
        else { return [] }
        return scanner.scan(crop).compactMap { symbol in
            guard let name = ZBarSymbology.name(symbol, among: asked),
                FoundBarcode.moduleCount(of: name.symbology, payload: name.payload) == modules
            else { return nil }
            return (name, symbol.points.count)
        }
    }

    private func crop(_ found: FoundBarcode, modules: Double, scale: Int) -> LumaBuffer? {
        let module = found.quad.width / modules
        guard module.isFinite, module > 0.3, found.quad.height >= 4 else { return nil }
        let height = min(Self.heightShare * found.quad.height, Self.maximumRows)
        let place = found.quad.middle(share: height / found.quad.height).grown(
            along: Self.keptQuietZone * module, across: 0)
        let width = Int((modules + 2 * Self.keptQuietZone).rounded()) * scale
        guard width <= Self.maximumWidth else { return nil }
        let bars = picture.rectified(place, width: width, height: max(4, Int(height)))
        return Self.padded(found.isInverted ? bars.inverted() : bars, by: Self.paddedQuietZone * scale)
    }

    /// The picture with its own outermost grey beside it, so that there is no edge where it ends.
    private static func padded(_ bars: LumaBuffer, by margin: Int) -> LumaBuffer {
        var result = LumaBuffer(width: bars.width + 2 * margin, height: bars.height)
        for row in 0..<bars.height {
            let start = row * bars.width
            let target = row * result.width
            let (left, right) = (bars.pixels[start], bars.pixels[start + bars.width - 1])
            for column in 0..<margin {
                result.pixels[target + column] = left
                result.pixels[target + margin + bars.width + column] = right
            }
            result.pixels.replaceSubrange(
                target + margin..<target + margin + bars.width, with: bars.pixels[start..<start + bars.width])
        }
        return result
    }

    /// The payload in the form in which both engines say the same.
    private static func digits(_ name: (symbology: Symbology, payload: [UInt8])) -> [UInt8] {
        LinearNaming.key(name.symbology, name.payload)
    }
}

extension FoundBarcode {
    /// The symbol's width in modules, as far as its payload tells; `nil` for one that is not linear.
    var moduleCount: Double? { Self.moduleCount(of: symbology, payload: payload, isGS1: isGS1) }

    /// EAN and UPC: ISO/IEC 15420, 4.3. Code 128: as short as it can be written, since engines do not tell its code sets.
    /// The others: characters by their modules, wide elements taken as 2.5 narrow ones.
    static func moduleCount(of symbology: Symbology, payload: [UInt8], isGS1: Bool = false) -> Double? {
        let count = Double(payload.count)
        switch symbology {
        case .ean13, .upcA: return 95
        case .ean8: return 67
        case .upcE: return 51
        case .code128: return Code128Encoding(payload, isGS1: isGS1).map { Double($0.modules) }
        case .i2of5, .itf14: return 8 * count + 9
        case .code39: return 14.5 * (count + 2)
        case .code93: return 9 * (count + 4) + 1
        case .codabar: return 11 * count
        default: return nil
        }
    }
}
