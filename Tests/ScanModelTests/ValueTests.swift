// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import ScanTestSupport
import Testing

@Suite struct ItemIDTests {
    @Test func isAUUIDOfVersionSeven() throws {
        var random = SeededGenerator(seed: 1)
        for milliseconds in [0, 1, 1_796_030_794_120, 0xFFFF_FFFF_FFFF] as [Int64] {
            let text = ItemID(at: WallTime(milliseconds: milliseconds), using: &random).description
            let fields = text.split(separator: "-").map(String.init)
            #expect(fields.map(\.count) == [8, 4, 4, 4, 12])
            #expect(Int64(fields[0] + fields[1], radix: 16) == milliseconds)
            #expect(fields[2].hasPrefix("7"))
            let variant = try #require(fields[3].first)
            #expect("89ab".contains(variant))
        }
    }

    @Test func sortsByTimeAndIsNeverTheSame() {
        var random = SeededGenerator(seed: 2)
        let ids = (0..<1000 as Range<Int64>).map { ItemID(at: WallTime(milliseconds: $0), using: &random) }
        #expect(ids == ids.sorted())
        let many = (0..<1000).map { _ in ItemID(at: WallTime(milliseconds: 5), using: &random) }
        #expect(Set(many).count == 1000)
    }

    @Test func readsWhatItWrites() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<100 {
            let id = ItemID(at: WallTime(milliseconds: .random(in: 0...9_999_999_999_999)), using: &random)
            #expect(ItemID(id.description) == id)
            #expect(ItemID(id.description.uppercased()) == id)
        }
    }

    @Test(
        arguments: [
            "", "0198c5a1", "0198c5a1-0000-7000-8000-00000000000", "0198c5a1-0000-7000-8000-0000000000000",
            "0198c5a1_0000-7000-8000-000000000000", "0198c5ag-0000-7000-8000-000000000000",
            "0198c5a1-0000-7000-8000-0000000000é", "0198c5a1000-0-7000-8000-000000000000",
        ])
    func refusesOtherText(text: String) {
        #expect(ItemID(text) == nil)
    }
}

@Suite struct TimeTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_796_030_794_120, "2026-11-30T09:26:34.120Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (4_107_542_399_999, "2100-02-28T23:59:59.999Z"), (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (.min, "-292275055-05-16T16:47:04.192Z"), (.max, "292278994-08-17T07:12:55.807Z"),
            (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)])
    func rfc3339(milliseconds: Int64, text: String) {
        #expect(WallTime(milliseconds: milliseconds).rfc3339 == text)
    }

    @Test func durations() {
        #expect(Duration.milliseconds(1500).inNanoseconds == 1_500_000_000)
        #expect(Duration.milliseconds(-1500).inNanoseconds == -1_500_000_000)
        #expect(Duration.milliseconds(1500).inSeconds == 1.5)
        #expect(Duration.seconds(Int64.max).inNanoseconds == .max)
        #expect(Duration.seconds(Int64.min).inNanoseconds == .min)
        let time = MonotonicTime(nanoseconds: 10)
        #expect(time + .nanoseconds(5) - time == .nanoseconds(5))
        #expect(time < time + .nanoseconds(1))
    }

    /// Times come from files and sockets too: none ends the process.
    @Test func whatDoesNotFitIsClamped() {
        let (first, last) = (MonotonicTime(nanoseconds: .min), MonotonicTime(nanoseconds: .max))
        #expect(last - first == .nanoseconds(Int64.max) && first - last == .nanoseconds(Int64.min))
        #expect(MonotonicTime(nanoseconds: 0) - first == .nanoseconds(Int64.max))
        #expect(last + .nanoseconds(1) == last && first + .nanoseconds(-1) == first)
        #expect(last + .seconds(Int64.max) == last && first + .seconds(Int64.min) == first)
        // The seconds fit 64 bits of nanoseconds, and with what is behind the point they do not.
        let edge = Duration(secondsComponent: 9_223_372_036, attosecondsComponent: 999_999_999_000_000_000)
        #expect(edge.inNanoseconds == .max && (.zero - edge).inNanoseconds == .min)
    }

    @Test func aMomentIsBelievedWhereAClockCanHaveSaidIt() {
        #expect(MonotonicTime(told: 0) == MonotonicTime(nanoseconds: 0))
        #expect(MonotonicTime(told: 1 << 62) == MonotonicTime(nanoseconds: 1 << 62))
        for wild in [-1, (1 << 62) + 1, .min, .max] as [Int64] { #expect(MonotonicTime(told: wild) == nil) }
    }
}

@Suite struct PayloadTests {
    @Test(
        arguments: [
            ([0x41, 0x42], PayloadEncoding.ascii, "AB"), ([], .ascii, ""),
            ([0x30, 0x1D, 0x00], .ascii, "0\u{1D}\u{0}"),
            ([0xC3, 0xA9], .utf8, "é"), ([0xEF, 0xBB, 0xBF, 0x41], .utf8, "\u{FEFF}A"), ([0xE9], nil, nil),
            ([0xC3], nil, nil), ([0xED, 0xA0, 0x80], nil, nil), ([0xFF, 0xFE], nil, nil),
        ] as [([UInt8], PayloadEncoding?, String?)])
    func encodings(bytes: [UInt8], encoding: PayloadEncoding?, text: String?) {
        let payload = Payload(bytes: bytes)
        #expect(payload.bytes == bytes)
        #expect(payload.encoding == encoding)
        #expect(payload.string.map { Array($0.utf8) } == text.map { Array($0.utf8) })
    }

    @Test func payloadsAreEqualByBytesOnly() {
        // Canonically equivalent strings are different payloads.
        #expect(Payload(bytes: Array("é".utf8)) != Payload(bytes: Array("e\u{301}".utf8)))
    }
}

@Suite struct SymbologyTests {
    @Test func namesAreFoundWithoutRegardToCase() {
        for symbology in Symbology.allCases {
            #expect(Symbology(name: symbology.rawValue.uppercased()) == symbology)
            #expect(Symbology(name: symbology.rawValue.lowercased()) == symbology)
        }
        #expect(Symbology(name: "EAN-13") == nil)
    }

    /// One for each last digit: what stands for which zeros.
    @Test(
        arguments: [
            ("01234505", "012000003455"), ("01234515", "012100003455"), ("01234525", "012200003455"),
            ("01234535", "012300000455"), ("01234545", "012340000055"), ("01234555", "012345000055"),
            ("11234565", "112345000065"), ("01234595", "012345000095"), ("04252614", "042100005264"),
        ])
    func zeroSuppressedNumbers(short: String, long: String) {
        #expect(UPCE.expanded(Array(short.utf8)) == Array(long.utf8))
    }

    @Test(arguments: ["", "0123456", "012345678", "21234565", "0123456X"])
    func noZeroSuppressedNumbers(text: String) {
        #expect(UPCE.expanded(Array(text.utf8)) == nil)
    }
}

@Suite struct CalendarDateTests {
    @Test func onlyDaysThatExist() {
        #expect(CalendarDate(year: 2024, month: 2, day: 29)?.description == "2024-02-29")
        #expect(
            CalendarDate(year: 2000, month: 2, day: 29) != nil && CalendarDate(year: 1900, month: 2, day: 29) == nil)
        for (month, day) in [(0, 1), (13, 1), (4, 31), (1, 0), (1, 32), (2, 29)] {
            #expect(CalendarDate(year: 2026, month: month, day: day) == nil)
        }
        #expect(CalendarDate(year: 0, month: 1, day: 1) == nil && CalendarDate(year: 10_000, month: 1, day: 1) == nil)
    }

    @Test func itsFormIsReadBackAndNothingElse() {
        #expect(CalendarDate(rfc3339: "2026-11-30") == CalendarDate(year: 2026, month: 11, day: 30))
        for text in ["", "2026-11-3", "2026-11-31", "2026/11/30", "+026-11-30", "2026-11-30T", "２026-11-30"] {
            #expect(CalendarDate(rfc3339: text) == nil, "\(text)")
        }
    }

    @Test func theDayOfAMoment() {
        #expect(WallTime(milliseconds: 1_796_030_796_087).date?.description == "2026-11-30")
        #expect(WallTime(milliseconds: 0).date?.description == "1970-01-01")
        #expect(WallTime(milliseconds: -1).date?.description == "1969-12-31")
        #expect(WallTime(milliseconds: 951_782_400_000).date?.description == "2000-02-29")
    }
}

@Suite struct SymbologyRuleTests {
    @Test func lengthsAndLimitsHoldTogether() {
        var rule = SymbologyRule()
        #expect(rule.allows(length: 0) && rule.allows(length: 8192))
        rule.lengths = [6, 14]
        rule.maximumLength = 10
        #expect(rule.allows(length: 6) && !rule.allows(length: 14) && !rule.allows(length: 8))
        rule.minimumLength = 7
        #expect(!rule.allows(length: 6))
    }
}
