// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// Dates of six digits, YYMMDD (GS1 General Specifications, 3.4 and 7.12).
enum GS1Dates {
    /// What is wrong with a date; `nil` where nothing is.
    ///
    /// The century is not known here: 29 February is taken in every year that two digits can stand for a leap year.
    static func problem(sixDigits: [UInt8], dayMayBe00: Bool) -> String? {
        guard let (year, month, day) = fields(sixDigits) else { return "six digits are expected" }
        guard (1...12).contains(month) else { return "there is no month \(twoDigits(month))" }
        if day == 0 { return dayMayBe00 ? nil : "day 00 is not allowed here" }
        // 00 is 2000 as much as it is 1900.
        guard day <= CalendarDate.days(inMonth: month, of: 2000 + year) else {
            return "there is no day \(twoDigits(day)) in month \(twoDigits(month))"
        }
        return nil
    }

    /// The day that six digits mean in `currentYear`; the last of the month where the day is 00.
    ///
    /// The century is the one that brings the year nearest to the current one: 51 to 99 years after it are of the last
    /// century, 50 and more before it of the next (7.12).
    static func date(sixDigits: some Collection<UInt8>, currentYear: Int) -> CalendarDate? {
        guard let (short, month, day) = fields(Array(sixDigits)), (1...12).contains(month) else { return nil }
        var year = currentYear / 100 * 100 + short
        let ahead = short - currentYear % 100
        if ahead >= 51 { year -= 100 } else if ahead <= -50 { year += 100 }
        return CalendarDate(
            year: year, month: month, day: day == 0 ? CalendarDate.days(inMonth: month, of: year) : day)
    }

    private static func fields(_ digits: [UInt8]) -> (Int, Int, Int)? {
        let values = digits.compactMap { CheckDigits.value(ofDigit: $0) }
        guard digits.count == 6, values.count == 6 else { return nil }
        return (values[0] * 10 + values[1], values[2] * 10 + values[3], values[4] * 10 + values[5])
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
