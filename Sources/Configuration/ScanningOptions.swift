// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// Options that say what is looked for, and how hard; the same for a camera and for still pictures.
protocol ScanningConfigurable: SendableMetatype {
    var qualityLevel: QualityLevel { get set }
    /// Everything where `isRegionGiven` is not so.
    var regionOfInterest: RegionOfInterest { get set }
    var isRegionGiven: Bool { get set }
    var types: [RecognizedDataType] { get set }
    var languages: [String] { get set }
    var symbologyRules: [Symbology: SymbologyRule] { get set }
}

extension DaemonOptions: ScanningConfigurable {}

extension CommandLineOption where Options: ScanningConfigurable {
    static var quality: Self {
        .init("quality", letter: "q", argument: "LEVEL", help: "fast, balanced or accurate (balanced)") {
            (options, text) throws(UsageError) in options.qualityLevel = try OptionValue.choice(text)
        }
    }

    static var region: Self {
        .init(
            "region", argument: "X,Y,W,H",
            help:
                "the part of the picture to look at, in 0...1 from the top-left (0,0,1,1), or the corners of a polygon, "
                + "'0.1,0.1 0.9,0.1 0.5,0.9'; may be given again, or several with ; between"
        ) {
            (options, text) throws(UsageError) in
            let region = try OptionValue.region(text)
            options.regionOfInterest = try OptionValue.adding(
                region, to: options.isRegionGiven ? options.regionOfInterest : nil)
            options.isRegionGiven = true
        }
    }

    /// `--types`, whose default differs from program to program, `--symbology` and `--languages`.
    static func contents(_ otherwise: String) -> [Self] {
        [
            .init(
                "types", letter: "t", argument: "TYPE",
                help: "barcode, barcode:EAN13,QR,..., or text; may be given again (\(otherwise))"
            ) {
                (options, text) throws(UsageError) in options.types.append(try OptionValue.dataType(text))
            },
            .init(
                "symbology", argument: "NAME:RULE...",
                help:
                    "what barcodes of a symbology must be like: lengths=6,10-14, minLength=N, maxLength=N, checkDigit=on "
                    + "or off; may be given again: --symbology I2of5:lengths=6,14:checkDigit=on"
            ) {
                (options, text) throws(UsageError) in
                try OptionValue.symbologyRules(text, adding: &options.symbologyRules)
            },
            .init(
                "languages", letter: "l", argument: "LIST",
                help: "languages of the text, most likely first, as Tesseract names them: eng,kor (eng)"
            ) {
                (options, text) throws(UsageError) in options.languages = try OptionValue.languages(text)
            },
        ]
    }
}
