// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem
import Testing

@testable import Capture

/// A control as a driver holds it.
private struct Held: Sendable {
    var id: UInt32
    var title: String
    var type: UInt32 = 1
    var range: ClosedRange<Int64> = 0...255
    var flags: UInt32 = 0
    var dimensions: UInt32 = 0
    var value: Int64 = 0
    /// What asking for it answers.
    var error: Int32 = 0
}

/// A driver that lists the controls as V4L2 prescribes: the next one behind an id.
private func driver(_ held: [Held], menus: [UInt32: [UInt32: String]] = [:]) throws -> ScriptedDriver {
    let driver = try ScriptedDriver()
    let values = Monitor(Dictionary(uniqueKeysWithValues: held.map { ($0.id, $0.value) }))
    driver.on(.queryControl) { argument in
        let id = argument[0] & 0x0FFF_FFFF
        let isNext = argument[0] & 0x8000_0000 != 0
        guard let control = held.first(where: { isNext ? $0.id > id : $0.id == id }) else { return EINVAL }
        if control.error != 0 { return control.error }
        argument[0] = control.id
        argument[4] = control.type
        argument.set(8, Array(control.title.utf8.prefix(32)))
        argument.set(40, control.range.lowerBound)
        argument.set(48, control.range.upperBound)
        argument.set(56, 1)
        argument.set(64, control.range.lowerBound)
        argument[72] = control.flags
        argument[84] = control.dimensions
        return 0
    }
    driver.on(.queryMenu) { argument in
        guard let name = menus[argument[0]]?[argument[4]] else { return EINVAL }
        if let number = Int64(name) { argument.set(8, number) } else { argument.set(8, Array(name.utf8)) }
        return 0
    }
    for (request, isWriting) in [(Request.getControls, false), (.setControls, true)] {
        driver.on(request) { argument in
            guard argument[4] == 1, let control = argument.pointee(24),
                let type = held.first(where: { $0.id == control[0] })?.type
            else { return EINVAL }
            values.withLock { values in
                if isWriting {
                    values[control[0]] =
                        type == 5
                        ? control.address.loadUnaligned(fromByteOffset: 12, as: Int64.self)
                        : Int64(Int32(bitPattern: control[12]))
                } else if type == 5 {
                    control.set(12, values[control[0]] ?? 0)
                } else {
                    control[12] = UInt32(truncatingIfNeeded: values[control[0]] ?? 0)
                }
            }
            return 0
        }
    }
    return driver
}

@Suite struct VideoControlListTests {
    @Test func eachKindIsToldAsItIs() throws {
        let driver = try driver(
            [
                Held(id: 0x0098_0001, title: "User Controls", type: 6),
                Held(id: 0x0098_0900, title: "Brightness", value: 7),
                Held(id: 0x0098_090C, title: "White Balance, Automatic", type: 2, range: 0...1, value: 1),
                Held(id: 0x0098_0913, title: "Gain", flags: 0x0001),
                Held(id: 0x0098_0918, title: "Power Line Frequency", type: 3, range: 0...3, value: 1),
                Held(id: 0x0098_0950, title: "Link", type: 9, range: 0...1, value: 1),
                Held(id: 0x0098_0951, title: "Mask", type: 8, range: 0...0xFFFF_FFFF, value: 0xFFFF_FFFF),
                Held(id: 0x0098_0952, title: "Wide", type: 5, range: .min ... .max, value: -5_000_000_000),
                Held(id: 0x0098_0953, title: "Array", flags: 0x0100, dimensions: 1),
                Held(id: 0x009A_0902, title: "Exposure Time, Absolute", flags: 0x0010, value: -3),
                Held(id: 0x009A_0909, title: "Pan, Reset", type: 4, flags: 0x0040),
                Held(id: 0x009A_0910, title: "Temperature", flags: 0x0004, value: 40),
                Held(id: 0x009A_0911, title: "Key", flags: 0x0040, value: 40),
                Held(id: 0x009A_0912, title: "Text", type: 7, flags: 0x0100),
            ],
            menus: [
                0x0098_0918: [0: "Disabled", 1: "50 Hz", 3: "Auto"], 0x0098_0950: [0: "200000000", 1: "-5"],
            ])
        let book = ControlBook(try driver.open().controls())
        #expect(
            book.controls.map(\.name) == [
                "brightness", "white_balance_automatic", "power_line_frequency", "link", "mask", "wide", "array",
                "exposure_time_absolute", "pan_reset", "temperature", "key", "text",
            ])
        #expect(book.controls.map(\.value) == [7, 1, 1, 1, 0xFFFF_FFFF, -5_000_000_000, nil, -3, nil, 40, nil, nil])
        #expect(book["brightness"]?.kind == .integer && book["brightness"]?.maximum == 255)
        #expect(book["exposure_absolute"]?.title == "Exposure Time, Absolute")
        #expect(book["exposure_absolute"]?.isInactive == true && book["brightness"]?.isInactive == false)
        #expect(book["temperature"]?.isReadOnly == true && book["key"]?.isReadOnly == false)
        #expect(book["pan_reset"]?.kind == .button && book["array"]?.kind == .other && book["text"]?.kind == .other)
        #expect(
            book["power_line_frequency"]?.kind
                == .menu([
                    .init(index: 0, name: "Disabled"), .init(index: 1, name: "50 Hz"), .init(index: 3, name: "Auto"),
                ]))
        #expect(book["link"]?.kind == .menu([.init(index: 0, name: "200000000"), .init(index: 1, name: "-5")]))
    }

    @Test func valuesOfAllWidthsAreSetAndRead() throws {
        let device = try driver([
            Held(id: 1, title: "Narrow", range: -10...10), Held(id: 2, title: "Mask", type: 8),
            Held(id: 3, title: "Wide", type: 5),
        ]).open()
        for (id, value): (UInt32, Int64) in [(1, -7), (2, 0xFFFF_FFF0), (3, .min), (3, 1 << 80)] {
            try device.setControl(id, to: value)
            #expect(try device.value(ofControl: id) == value)
        }
        for (id, value): (UInt32, Int64) in [(1, 1 << 31), (2, -1), (2, 1 << 32)] {
            #expect(failure { try device.setControl(id, to: value) } == "VIDIOC_S_EXT_CTRLS \(ERANGE)")
        }
        #expect(failure { try device.setControl(4, to: 1) } == "VIDIOC_QUERY_EXT_CTRL \(EINVAL)")
        #expect(failure { try device.value(ofControl: 4) } == "VIDIOC_QUERY_EXT_CTRL \(EINVAL)")
    }

    @Test(arguments: [EPIPE, EIO, EACCES, ERANGE]) func oneThatFailsHidesNoOther(_ code: Int32) throws {
        let driver = try driver([
            Held(id: 0x0098_0900, title: "Brightness", error: code), Held(id: 0x0098_0901, title: "Contrast"),
            Held(id: 0x0098_0905, title: "Hue", error: code), Held(id: 0x0098_0913, title: "Gain"),
            Held(id: 0x0098_091B, title: "Sharpness", error: code),
            Held(id: 0x009A_0901, title: "Auto Exposure", error: code),
            Held(id: 0x009A_090A, title: "Focus, Absolute"),
        ])
        #expect(try driver.open().controls().map(\.name) == ["contrast", "gain", "focus_absolute"])
        #expect(driver.count(of: .queryControl) < 60)
    }

    @Test func aCameraThatFailsAtEachIsAskedAFewTimes() throws {
        let driver = try ScriptedDriver()
        driver.on(.queryControl) { _ in EPIPE }
        #expect(failure { try driver.open().controls() } == "VIDIOC_QUERY_EXT_CTRL \(EPIPE)")
        #expect(driver.count(of: .queryControl) < 80)
    }

    @Test(arguments: [ETIMEDOUT, ENODEV]) func aCameraThatIsGoneIsAskedOnce(_ code: Int32) throws {
        let driver = try ScriptedDriver()
        driver.on(.queryControl) { _ in code }
        #expect(failure { try driver.open().controls() } == "VIDIOC_QUERY_EXT_CTRL \(code)")
        #expect(driver.count(of: .queryControl) == 1)
    }

    @Test func aDriverThatGoesRoundIsLeft() throws {
        let driver = try ScriptedDriver()
        driver.on(.queryControl) { argument in
            argument[0] = 0x0098_0900
            argument[4] = 1
            argument.set(8, Array("Gain".utf8))
            return 0
        }
        #expect(try driver.open().controls().map(\.name) == ["gain"])
        #expect(driver.count(of: .queryControl) == 2)
    }

    @Test func aMenuWithoutEndIsCut() throws {
        let driver = try driver([Held(id: 1, title: "Mode", type: 3, range: 0...Int64(UInt32.max))])
        driver.on(.queryMenu) { argument in
            argument.set(8, Array("Entry".utf8))
            return 0
        }
        guard case .menu(let entries) = try driver.open().controls().first?.kind else {
            Issue.record("no menu")
            return
        }
        #expect(entries.count == 1024)
    }
}
