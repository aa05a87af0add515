// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// A moment of CLOCK_MONOTONIC in nanoseconds.
///
/// Pure code takes it as an argument. Wall time is for display only: it jumps. Sums and differences that do not fit
/// 64 bits (292 years) are clamped: times come from drivers, files and sockets too.
public struct MonotonicTime: Sendable, Hashable, Comparable {
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Takes what a file or a peer tells; `nil` where no clock can have said it.
    ///
    /// The clock counts from the machine's start; 2^62 ns, 146 years, are believed.
    public init?(told nanoseconds: Int64) {
        guard nanoseconds >= 0, nanoseconds <= 1 << 62 else { return nil }
        self.nanoseconds = nanoseconds
    }

    public static func < (a: MonotonicTime, b: MonotonicTime) -> Bool { a.nanoseconds < b.nanoseconds }
    public static func - (a: MonotonicTime, b: MonotonicTime) -> Duration {
        let (difference, overflow) = a.nanoseconds.subtractingReportingOverflow(b.nanoseconds)
        return .nanoseconds(overflow ? (a.nanoseconds < 0 ? .min : .max) : difference)
    }
    public static func + (a: MonotonicTime, b: Duration) -> MonotonicTime {
        let (sum, overflow) = a.nanoseconds.addingReportingOverflow(b.inNanoseconds)
        return MonotonicTime(nanoseconds: overflow ? (a.nanoseconds < 0 ? .min : .max) : sum)
    }
}

/// A moment of the wall clock in milliseconds since 1970-01-01T00:00:00Z.
public struct WallTime: Sendable, Hashable, Comparable {
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public static func < (a: WallTime, b: WallTime) -> Bool { a.milliseconds < b.milliseconds }

    /// RFC 3339 with milliseconds in UTC, as `2026-11-30T09:26:34.120Z`.
    public var rfc3339: String {
        // Both are rounded down, also before 1970, without a step that may not fit 64 bits.
        let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        let days = remainder < 0 ? quotient - 1 : quotient
        let rest = remainder < 0 ? remainder + 86_400_000 : remainder
        let (year, month, day) = WallTime.civil(fromDays: days)
        func padded(_ value: Int64, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
        }
        return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2) + "T" + padded(rest / 3_600_000, 2) + ":"
            + padded(rest / 60_000 % 60, 2) + ":" + padded(rest / 1000 % 60, 2) + "." + padded(rest % 1000, 3) + "Z"
    }

    /// The day in UTC; `nil` outside the years 1...9999.
    public var date: CalendarDate? {
        let days = milliseconds >= 0 ? milliseconds / 86_400_000 : (milliseconds - 86_399_999) / 86_400_000
        let (year, month, day) = WallTime.civil(fromDays: days)
        return CalendarDate(year: Int(year), month: Int(month), day: Int(day))
    }

    /// The proleptic Gregorian date of a day counted from 1970-01-01, by eras of 400 years.
    private static func civil(fromDays days: Int64) -> (Int64, Int64, Int64) {
        // Years start in March, so that the leap day is the last of its year.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}

extension Duration {
    /// The whole duration in nanoseconds; what does not fit 64 bits is clamped.
    public var inNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflow) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        if isTooLarge || overflow { return seconds < 0 ? .min : .max }
        return sum
    }

    /// The whole duration in seconds.
    public var inSeconds: Double { Double(inNanoseconds) / 1e9 }
}
