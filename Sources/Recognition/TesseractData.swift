// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc

/// Tesseract's language data as Debian installs it.
enum TesseractData {
    /// An absolute path: TESSDATA_PREFIX is not looked at, as data from elsewhere is untrusted input (CVE-2026-88054).
    static let directory = "/usr/share/tesseract-ocr/5/tessdata"

    /// Data that is no language: "osd" tells scripts and directions, "equ" finds formulas; neither reads text.
    private static let noLanguages: Set = ["osd", "equ"]

    /// The languages whose data is there and readable, sorted.
    static func installedLanguages() -> [String] {
        guard let handle = opendir(directory) else { return [] }
        defer { closedir(handle) }
        var languages: [String] = []
        let suffix = ".traineddata"
        while let entry = readdir(handle) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.hasSuffix(suffix) else { continue }
            let language = String(name.dropLast(suffix.count))
            if !noLanguages.contains(language), isReadable(language) { languages.append(language) }
        }
        return languages.sorted()
    }

    /// Why these languages can not be read, and what to do; `nil` when they can.
    static func unavailableReason(_ languages: [String]) -> String? {
        guard !languages.isEmpty else { return "no language of text is asked for; name one, such as eng" }
        for language in languages {
            guard isName(language) else {
                return "\"\(language)\" is no name of a language of Tesseract; names are like eng or chi_sim"
            }
            guard !noLanguages.contains(language) else {
                return "\"\(language)\" is data of Tesseract that reads no text; name a language, such as eng"
            }
            guard isReadable(language) else {
                let package = "tesseract-ocr-" + language.replacing("_", with: "-")
                return
                    "Tesseract's data for the language \"\(language)\" is not in \(directory); install the package \(package)"
            }
        }
        return nil
    }

    /// Names become part of a path and of Tesseract's own list syntax.
    private static func isName(_ language: String) -> Bool {
        !language.isEmpty && language.utf8.count <= 32
            && language.utf8.allSatisfy {
                ($0 >= 0x61 && $0 <= 0x7A) || ($0 >= 0x41 && $0 <= 0x5A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x5F
            }
    }

    private static func isReadable(_ language: String) -> Bool {
        access("\(directory)/\(language).traineddata", R_OK) == 0
    }
}
