// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Testing

@testable import Capture

private let powerLine = control(
    "power_line_frequency",
    .menu([.init(index: 0, name: "Disabled"), .init(index: 1, name: "50 Hz"), .init(index: 2, name: "60 Hz")]), 0...2)

/// The value that is meant, or the complaint.
private func meaning(_ text: String, _ control: VideoControl) -> String {
    do throws(ControlProblem) {
        return "\(try control.value(written: text))"
    } catch {
        return error.description
    }
}

@Suite struct ControlNameTests {
    @Test(arguments: [
        ("Exposure Time, Absolute", "exposure_time_absolute"), ("Exposure (Absolute)", "exposure_absolute"),
        ("White Balance Temperature, Auto", "white_balance_temperature_auto"), ("  --Gain--  ", "gain"),
        ("LED1 Mode", "led1_mode"), ("__", ""), ("Größe", "gr_e"), ("already_one", "already_one"),
    ])
    func driversWordsBecomeNames(_ title: String, _ name: String) {
        #expect(ControlNames.normalized(title) == name)
    }

    @Test(arguments: ControlNames.synonyms)
    func eachSpellingFindsTheControlUnderEachOther(_ names: [String]) throws {
        for there in names {
            let book = ControlBook([control("brightness"), control(there)])
            for written in names { #expect(book[written]?.name == there) }
        }
    }

    @Test func theOwnNameWinsOverASynonym() {
        let book = ControlBook([control("exposure_time_absolute"), control("exposure_absolute")])
        #expect(book["exposure_absolute"]?.name == "exposure_absolute")
        #expect(book["exposure_time_absolute"]?.name == "exposure_time_absolute")
    }

    @Test func aNameMayBeWrittenAsTheDriverWritesIt() {
        let book = ControlBook([control("exposure_time_absolute")])
        #expect(book["Exposure (Absolute)"]?.name == "exposure_time_absolute")
        #expect(book["exposure-time-absolute"]?.name == "exposure_time_absolute")
    }

    @Test func noNameStandsForTwoControls() {
        let names = ControlNames.synonyms.flatMap { $0 }
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { ControlNames.normalized($0) == $0 })
    }

    @Test func anUnknownNameIsToldWithTheNearestAndAll() {
        let book = ControlBook([control("brightness"), control("zoom_absolute")])
        #expect(
            throws: ControlProblem(
                "the camera has no control 'brightnes'; did you mean brightness? it has brightness, zoom_absolute")
        ) {
            try book.control(named: "brightnes")
        }
        #expect(throws: ControlProblem("the camera has no control 'nonsense'; it has brightness, zoom_absolute")) {
            try book.control(named: "nonsense")
        }
        #expect(throws: ControlProblem("the camera has no controls, so there is no 'gain'")) {
            try ControlBook([]).control(named: "gain")
        }
    }
}

@Suite struct ControlValueTests {
    @Test(arguments: [
        ("0", "0"), ("255", "255"), ("0x10", "16"), ("0XfF", "255"), ("-1", "level takes 0 to 255, not -1"),
        ("256", "level takes 0 to 255, not 256"), ("0x", "level takes a number, 0 to 255, not '0x'"),
        ("0x-5", "level takes a number, 0 to 255, not '0x-5'"), ("", "level takes a number, 0 to 255, not ''"),
        ("1.5", "level takes a number, 0 to 255, not '1.5'"), ("on", "level takes a number, 0 to 255, not 'on'"),
        ("99999999999999999999", "level takes a number, 0 to 255, not '99999999999999999999'"),
    ])
    func anIntegerIsANumberInItsRange(_ text: String, _ expected: String) {
        #expect(meaning(text, control("level")) == expected)
    }

    @Test func negativeRangesAndHexadecimalNumbersGoTogether() {
        let pan = control("pan", .integer, -36_000...36_000, step: 3600)
        #expect(meaning("-3600", pan) == "-3600")
        #expect(meaning("-0xE10", pan) == "-3600")
        #expect(
            meaning("-3601", pan)
                == "pan takes -36000 to 36000 in steps of 3600, not -3601; -7200 and -3600 are the nearest")
    }

    @Test func aStepIsKeptToAndTheNearestAreNamed() {
        let level = control("level", .integer, 10...25, step: 10)
        #expect(meaning("20", level) == "20")
        #expect(meaning("25", level) == "level takes 10 to 25 in steps of 10, not 25; 20 is the nearest")
        #expect(meaning("11", level) == "level takes 10 to 25 in steps of 10, not 11; 10 and 20 are the nearest")
    }

    @Test func noRangeIsTooLargeAndNoStepTooWide() {
        let all = control("all", .integer, .min ... .max, step: .max)
        #expect(meaning("\(Int64.min)", all) == "\(Int64.min)")
        #expect(meaning("\(Int64.max)", all) == "\(Int64.max)")
        #expect(meaning("0", all).hasSuffix("not 0; \(Int64.min) and \(Int64.max) are the nearest"))
        #expect(
            meaning("0", control("most", .integer, .min...5, step: .max)).hasSuffix("; \(Int64.min) is the nearest"))
        #expect(meaning("7", control("free", .integer, 0...255, step: 0)) == "7")
    }

    @Test func aRangeWithoutAValueInItForbidsNothing() {
        var broken = control("broken")
        (broken.minimum, broken.maximum) = (5, 1)
        #expect(meaning("77", broken) == "77")
        #expect(broken.allowedValues == "any number")
    }

    @Test(arguments: ["1", "true", "on", "ON", "yes"]) func aBooleanIsSwitchedOn(_ text: String) {
        #expect(meaning(text, control("focus_auto", .boolean, 0...1)) == "1")
    }

    @Test(arguments: ["0", "false", "off", "Off", "no"]) func aBooleanIsSwitchedOff(_ text: String) {
        #expect(meaning(text, control("focus_auto", .boolean, 0...1)) == "0")
    }

    @Test func aBooleanIsNothingElse() {
        #expect(meaning("2", control("focus_auto", .boolean, 0...1)) == "focus_auto is on or off, not '2'")
    }

    @Test(arguments: [
        ("1", "1"), ("0x2", "2"), ("50 Hz", "1"), ("50hz", "1"),
        ("60 HZ", "2"), ("60-hz", "2"), ("disabled", "0"),
        ("3", "power_line_frequency takes 0 (Disabled), 1 (50 Hz), 2 (60 Hz), not '3'"),
        ("", "power_line_frequency takes 0 (Disabled), 1 (50 Hz), 2 (60 Hz), not ''"),
        ("--", "power_line_frequency takes 0 (Disabled), 1 (50 Hz), 2 (60 Hz), not '--'"),
    ])
    func aMenuTakesNumbersAndWords(_ text: String, _ expected: String) {
        #expect(meaning(text, powerLine) == expected)
    }

    @Test func aMenusNumberIsAnEntryBeforeItIsAName() {
        let rates = control(
            "link", .menu([.init(index: 0, name: "1"), .init(index: 1, name: "400"), .init(index: 3, name: "3")]), 0...3
        )
        #expect(meaning("1", rates) == "1")
        #expect(meaning("400", rates) == "1")
        #expect(meaning("2", rates) == "link takes 0 (1), 1 (400), 3, not '2'")
    }

    @Test func theSameCharactersComeBeforeTheSameLetters() {
        let gains = control("gain", .menu([.init(index: 0, name: "1.5"), .init(index: 1, name: "15")]), 0...1)
        #expect(meaning("15", gains) == "1")
        #expect(meaning("1.5", gains) == "0")
    }

    @Test func anEntryThatThereIsTwiceIsNamedByItsNumber() {
        let menu = control("mode", .menu([.init(index: 0, name: "Auto"), .init(index: 2, name: "auto")]), 0...2)
        #expect(meaning("AUTO", menu) == "mode has several entries 'AUTO'; name one by its number: 0 (Auto), 2 (auto)")
        #expect(meaning("2", menu) == "2")
    }

    @Test func aButtonIsPressedAndTheRestIsNotSet() {
        #expect(meaning("press", control("start", .button)) == "1")
        #expect(meaning("1", control("start", .button)) == "1")
        #expect(meaning("0", control("start", .button)) == "start is a button: 'start=press' presses it")
        #expect(meaning("1", control("text", .other)) == "text holds no single number and can not be set here")
        #expect(meaning("1", control("temp", isReadOnly: true)) == "temp can only be read")
    }
}
