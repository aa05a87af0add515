// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// What must hold of a component beyond its characters and its length.
enum GS1Check: Sendable, Hashable {
    /// The last digit completes the others (GS1 General Specifications, 7.9.1).
    case checkDigit
    /// The last two characters complete the others (7.9.5).
    case checkPair
    /// YYMMDD; with `dayMayBe00`, 00 stands for the whole month.
    case date(dayMayBe00: Bool)
    /// YYYYMMDD.
    case longDate
    case hour
    case minute
    case second
    /// HHMM; with `mayBe9999`, 9999 says that no time is meant.
    case time(mayBe9999: Bool)
    /// Degrees plus 90, times 10,000,000.
    case latitude
    /// Degrees, those of the west as more than 180, times 10,000,000.
    case longitude
    /// Which piece of how many, two digits each.
    case pieceOfTotal
    /// Country and account with two check digits (ISO 13616).
    case iban
    case zero
    case notZero
    case noZeroInFront
    /// 0 or 1.
    case flag
    /// 0, 1 or 9: out, in, not known.
    case winding
    /// 0, 1, 2 or 9 (ISO/IEC 5218).
    case sex
    /// Two capital letters (ISO 3166-1 alpha-2; that the country exists is not looked up).
    case countryLetters
    case hyphen
    /// One digit, a slash, one digit: which child of how many.
    case positionInSequence

    /// What is wrong with a value whose characters fit; `nil` where nothing is.
    func problem(_ value: [UInt8]) -> String? {
        let number = value.reduce(0) { $0 &* 10 &+ Int($1) &- 0x30 }
        switch self {
        case .checkDigit: return GS1Check.wrongCheckDigit(value)
        case .checkPair: return GS1CheckPair.isValid(value) ? nil : "its two check characters are wrong"
        case .date(let dayMayBe00): return GS1Dates.problem(sixDigits: value, dayMayBe00: dayMayBe00)
        case .longDate:
            let date = CalendarDate(year: number / 10_000, month: number / 100 % 100, day: number % 100)
            return date == nil ? "there is no such day" : nil
        case .hour: return number < 24 ? nil : "there is no such hour"
        case .minute: return number < 60 ? nil : "there is no such minute"
        case .second: return number < 60 ? nil : "there is no such second"
        case .time(let mayBe9999):
            return number / 100 < 24 && number % 100 < 60 || mayBe9999 && number == 9999
                ? nil : "there is no such time of the day"
        case .latitude: return number <= 1_800_000_000 ? nil : "there is no such latitude"
        case .longitude: return number <= 3_600_000_000 ? nil : "there is no such longitude"
        case .pieceOfTotal:
            let (piece, total) = (number / 100, number % 100)
            return piece > 0 && piece <= total ? nil : "piece \(piece) of \(total)"
        case .iban: return GS1Check.isIBAN(value) ? nil : "it is no IBAN, or its check digits are wrong"
        case .zero: return number == 0 ? nil : "a 0 is expected"
        case .notZero: return number > 0 ? nil : "it may not be 0"
        case .noZeroInFront:
            return value.count > 1 && value.first == UInt8(ascii: "0") ? "it may not begin with 0" : nil
        case .flag: return number < 2 ? nil : "0 or 1 is expected"
        case .winding: return [0, 1, 9].contains(number) ? nil : "0, 1 or 9 is expected"
        case .sex: return [0, 1, 2, 9].contains(number) ? nil : "0, 1, 2 or 9 is expected"
        case .countryLetters:
            return value.allSatisfy { (0x41...0x5A).contains($0) } ? nil : "two capital letters are expected"
        case .hyphen: return value == [UInt8(ascii: "-")] ? nil : "a hyphen is expected"
        case .positionInSequence: return GS1Check.wrongPosition(value)
        }
    }

    private static func wrongCheckDigit(_ digits: [UInt8]) -> String? {
        let right = CheckDigits.gs1(completing: Array(digits.dropLast()))
        guard let right, right != digits.last else { return nil }
        return "its check digit should be \(Character(Unicode.Scalar(right)))"
    }

    private static func wrongPosition(_ value: [UInt8]) -> String? {
        let digits = (UInt8(ascii: "1")...UInt8(ascii: "9"))
        guard value.count == 3, digits.contains(value[0]), value[1] == UInt8(ascii: "/"), digits.contains(value[2]),
            value[0] <= value[2]
        else { return "a position such as 1/2 is expected" }
        return nil
    }

    /// ISO 13616: the first four characters moved to the end, letters as 10...35, and the whole modulo 97 is 1.
    private static func isIBAN(_ value: [UInt8]) -> Bool {
        guard value.count > 4, value[..<2].allSatisfy({ (0x41...0x5A).contains($0) }) else { return false }
        var rest = 0
        for byte in value[4...] + value[..<4] {
            switch byte {
            case 0x30...0x39: rest = (rest * 10 + Int(byte - 0x30)) % 97
            case 0x41...0x5A: rest = (rest * 100 + Int(byte - 0x41) + 10) % 97
            default: return false
            }
        }
        return rest == 1
    }
}

/// The check character pair of a Global Model Number (GS1 General Specifications, 7.9.5).
enum GS1CheckPair {
    /// The 82 characters in the order of their values.
    private static let values = Array(
        ##"!"%&'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"##.utf8)
    /// What the pair is made of, five bits a character; without 0, 1, I and O.
    private static let pairs = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ".utf8)
    /// The weights from the right: the primes from 2 on, as many as the longest key has characters before its pair.
    private static let weights = [
        2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83,
    ]

    /// Whether the last two characters are those of the others.
    static func isValid(_ value: [UInt8]) -> Bool {
        guard value.count > 2, value.count <= weights.count + 2 else { return false }
        var sum = 0
        for (byte, weight) in zip(value.dropLast(2).reversed(), weights) {
            guard let number = values.firstIndex(of: byte) else { return false }
            sum += number * weight
        }
        sum %= 1021
        return value.suffix(2).elementsEqual([pairs[sum >> 5], pairs[sum & 31]])
    }
}
