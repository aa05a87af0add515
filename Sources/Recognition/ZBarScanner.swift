// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import CZBar
internal import ImageKernels

/// How dense a scan is: every n-th line of an axis, 0 for none.
struct ScanDensity: Hashable {
    /// Every n-th row is scanned from side to side.
    var rows: Int
    /// Every n-th column is scanned from top to bottom.
    var columns: Int
}

/// What ZBar says of one symbol; 1D symbols of equal type and data in one picture are one of these.
struct ZBarSymbol {
    /// ZBar's number of the symbology.
    var type: UInt32
    var data: [UInt8]
    var quality: Int
    /// 1D: where each scan line that decoded ended, in the order of the scan. QR: corners.
    var points: [PixelPoint]
    var orientation: Int
    /// ZBar's two flags: GS1 (FNC1 in first place) and AIM (FNC1 in second place).
    var isGS1: Bool
    var isAIM: Bool
    /// Corners of the symbols that ZBar joined to this one: the parts of a structured append, of which it keeps neither the
    /// number nor, where one is missing, the bytes; empty for a symbol of its own.
    var parts: [[PixelPoint]] = []
}

/// A place in whole pixels.
struct PixelPoint: Hashable {
    var x: Int
    var y: Int
}

/// The owner of ZBar's image scanner.
///
/// Every scan has a handle of its own. ZBar keeps the halves of EAN and UPC that it saw from one picture to the next, and
/// joins them: on 415 photographs in a row, five payloads were read that no picture alone gives. Its public interface can
/// not reset that. It also leaks 150 to 900 bytes at each QR decode (mchehab/zbar#258), of which a fresh handle is
/// free: 40,000 scans leave the memory flat. Making one takes 4 microseconds, of the milliseconds that a scan takes.
///
/// - Important: Confined to one thread. The handle never leaves this type.
struct ZBarScanner: ~Copyable {
    private let handle: OpaquePointer

    /// `nil` when memory is short.
    init?(types: Set<UInt32>, density: ScanDensity) {
        guard let handle = zbar_image_scanner_create() else { return nil }
        self.handle = handle
        configure(handle, types: types, density: density)
    }

    /// As it comes from the library, for comparison: every symbology, every line of both axes, SQ code too.
    init?(asShipped: Void) {
        guard let handle = zbar_image_scanner_create() else { return nil }
        self.handle = handle
    }

    deinit { zbar_image_scanner_destroy(handle) }

    /// Scans tight rows of luma once.
    ///
    /// `pixels.count` is `width * height`: ZBar itself does not check it.
    consuming func scan(_ picture: LumaBuffer) -> [ZBarSymbol] {
        precondition(picture.pixels.count == picture.width * picture.height, "ZBar reads width * height bytes")
        guard let image = zbar_image_create() else { return [] }
        defer { zbar_image_destroy(image) }
        return picture.pixels.withUnsafeBytes { bytes in
            zbar_image_set_format(image, UInt(fourCharacterCodeY800))
            zbar_image_set_size(image, UInt32(picture.width), UInt32(picture.height))
            // No clean-up handler: the pixels belong to the caller and outlive the image.
            zbar_image_set_data(image, bytes.baseAddress, UInt(bytes.count), nil)
            guard zbar_scan_image(handle, image) > 0 else { return [] }
            var symbols: [ZBarSymbol] = []
            var next = zbar_image_first_symbol(image)
            while let symbol = next {
                symbols.append(ZBarSymbol(symbol))
                next = zbar_symbol_next(symbol)
            }
            return symbols
        }
    }
}

private func configure(_ handle: OpaquePointer, types: Set<UInt32>, density: ScanDensity) {
    func set(_ type: UInt32, _ option: zbar_config_t, _ value: Int) {
        zbar_image_scanner_set_config(handle, zbar_symbol_type_t(rawValue: type), option, Int32(value))
    }
    // The result cache stays off: with it a lone part of a structured append aborts the process (mchehab/zbar#315),
    // and its clock is the wall's.
    zbar_image_scanner_enable_cache(handle, 0)
    // 0 is every symbology. SQ code is on by default and scans the whole picture once more for nothing.
    set(0, ZBAR_CFG_ENABLE, 0)
    set(ZBAR_SQCODE.rawValue, ZBAR_CFG_ENABLE, 0)
    // Without it ZBar guesses a character set, and guesses wrong (mchehab/zbar#212) or loses segments (#106).
    set(0, ZBAR_CFG_BINARY, 1)
    set(0, ZBAR_CFG_POSITION, 1)
    for type in types { set(type, ZBAR_CFG_ENABLE, 1) }
    set(ZBAR_I25.rawValue, ZBAR_CFG_MIN_LEN, 6)
    set(ZBAR_CODABAR.rawValue, ZBAR_CFG_MIN_LEN, 4)
    set(ZBAR_CODE39.rawValue, ZBAR_CFG_MIN_LEN, 1)
    // ZBar's "Y" density counts rows, its "X" density columns.
    set(0, ZBAR_CFG_Y_DENSITY, density.rows)
    set(0, ZBAR_CFG_X_DENSITY, density.columns)
}

private let fourCharacterCodeY800: UInt32 = 0x3030_3859

extension ZBarSymbol {
    fileprivate init(_ symbol: OpaquePointer) {
        type = zbar_symbol_get_type(symbol).rawValue
        let length = Int(zbar_symbol_get_data_length(symbol))
        if let text = zbar_symbol_get_data(symbol), length > 0 {
            data = [UInt8](UnsafeRawBufferPointer(start: text, count: length))
        } else {
            data = []
        }
        quality = Int(zbar_symbol_get_quality(symbol))
        points = Self.points(of: symbol)
        orientation = Int(zbar_symbol_get_orientation(symbol).rawValue)
        let modifiers = zbar_symbol_get_modifiers(symbol)
        isGS1 = modifiers & (1 << ZBAR_MOD_GS1.rawValue) != 0
        isAIM = modifiers & (1 << ZBAR_MOD_AIM.rawValue) != 0
        guard let joined = zbar_symbol_get_components(symbol) else { return }
        var next = zbar_symbol_set_first_symbol(joined)
        while let part = next {
            parts.append(Self.points(of: part))
            next = zbar_symbol_next(part)
        }
    }

    private static func points(of symbol: OpaquePointer) -> [PixelPoint] {
        (0..<zbar_symbol_get_loc_size(symbol)).map { index in
            PixelPoint(
                x: Int(zbar_symbol_get_loc_x(symbol, index)), y: Int(zbar_symbol_get_loc_y(symbol, index)))
        }
    }
}
