// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// How the names of controls are written, and which of them mean the same.
enum ControlNames {
    /// A driver's words as `v4l2-ctl` makes a name of them: letters and digits in lower case, one underscore for each run
    /// of anything else between them. `Exposure Time, Absolute` is `exposure_time_absolute`.
    static func normalized(_ title: String) -> String {
        var name = ""
        var gap = false
        for byte in title.utf8 {
            guard let letter = lowerCase(byte) else {
                gap = true
                continue
            }
            if gap, !name.isEmpty { name.append("_") }
            gap = false
            name.unicodeScalars.append(Unicode.Scalar(letter))
        }
        return name
    }

    /// The names that one control goes by.
    ///
    /// uvcvideo had words of its own and takes the framework's since Linux 5.16: Debian 11 has the old ones, Debian 12 the new
    /// ones. A configuration may use either.
    static let synonyms: [[String]] = [
        ["exposure_time_absolute", "exposure_absolute"],
        ["auto_exposure", "exposure_auto"],
        ["exposure_dynamic_framerate", "exposure_auto_priority"],
        ["focus_automatic_continuous", "focus_auto"],
        ["white_balance_automatic", "white_balance_temperature_auto", "white_balance_component_auto"],
        ["red_balance", "white_balance_red_component"],
        ["blue_balance", "white_balance_blue_component"],
        ["hue_automatic", "hue_auto"],
        ["gain_automatic", "autogain"],
    ]

    /// All names of the control that is called `name`, that one first.
    static func spellings(of name: String) -> [String] {
        let name = normalized(name)
        return [name] + (synonyms.first { $0.contains(name) } ?? []).filter { $0 != name }
    }

    /// What each automatic takes away from whoever wants to set it by hand, by the newer names.
    private static let locks: [String: Set<String>] = [
        "auto_exposure": ["exposure_time_absolute", "iris_absolute", "iris_relative", "gain"],
        "focus_automatic_continuous": ["focus_absolute", "focus_relative"],
        "white_balance_automatic": ["white_balance_temperature", "red_balance", "blue_balance"],
        "hue_automatic": ["hue"],
        "gain_automatic": ["gain"],
    ]

    /// Whether the control decides whether others can be set.
    static func isAutomatic(_ name: String) -> Bool { locks[newest(name)] != nil }

    /// The automatics that can be in charge of a control, by their newer names.
    static func automatics(over name: String) -> [String] {
        let name = newest(name)
        return locks.filter { $0.value.contains(name) }.keys.sorted()
    }

    private static func newest(_ name: String) -> String {
        let name = normalized(name)
        return synonyms.first { $0.contains(name) }?.first ?? name
    }

    private static func lowerCase(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte + 0x20
        default: nil
        }
    }
}
