// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc

/// Which control to ask a driver for next: all of them, whatever a single one answers.
///
/// A driver is asked for the one behind the last. A camera that fails at one control would hide all behind it, so the
/// ids behind the failed one are tried, then the next class of controls.
struct ControlEnumeration {
    /// The id behind which the next one is asked for; `nil` when the list has ended.
    private(set) var last: UInt32? = 0
    private var found = 0
    /// In a row, at one place of the list.
    private var failures = 0
    private var allFailures = 0

    /// V4L2_CID_BASE, the first control of all.
    private static let first: UInt32 = 0x0098_0900
    /// Classes of controls lie so far apart, and their controls begin here; the last one of kernel 6.1 is 0x00A4.
    private static let classDistance: UInt32 = 0x0001_0000
    private static let classStart: UInt32 = 0x900
    private static let beyondClasses: UInt32 = 0x00B0_0000
    /// V4L2_CTRL_ID_MASK: with a larger one nothing can be asked for, the bits above it say how.
    private static let largest: UInt32 = 0x0FFF_FFFF
    /// The failed control is one of the next few ids, or of another class.
    private static let failuresInAClass = 8
    /// Each may cost a transfer over USB, of some milliseconds.
    private static let maximumFailures = 64

    /// Takes the id that the driver answered; false where it is none that can come next.
    mutating func take(_ id: UInt32) -> Bool {
        guard let last, id > last, id <= ControlEnumeration.largest, found < VideoListLimit.controls else {
            // One that goes back would go round for ever.
            self.last = nil
            return false
        }
        self.last = id
        found += 1
        failures = 0
        return true
    }

    /// Takes the driver's error; true where it only concerns one control. `last` is at most `largest`: no sum overflows.
    mutating func fail(_ code: Int32) -> Bool {
        guard let last, ControlEnumeration.concernsOne(code), allFailures < ControlEnumeration.maximumFailures else {
            self.last = nil
            return false
        }
        failures += 1
        allFailures += 1
        var next = max(last + 1, ControlEnumeration.first)
        if failures > ControlEnumeration.failuresInAClass {
            failures = 0
            next =
                (last / ControlEnumeration.classDistance + 1) * ControlEnumeration.classDistance
                + ControlEnumeration.classStart - 1
        }
        self.last = next < ControlEnumeration.beyondClasses ? next : nil
        return true
    }

    /// What uvcvideo makes of a camera that refuses a request about a control. Not among them: ETIMEDOUT, for a camera
    /// that does not answer at all takes 5 s each time.
    private static func concernsOne(_ code: Int32) -> Bool {
        [EPIPE, EIO, EACCES, EBUSY, ERANGE, EREMOTE, EPROTO, EILSEQ].contains(code)
    }
}
