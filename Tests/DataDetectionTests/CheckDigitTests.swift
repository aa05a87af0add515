// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import DataDetection
import Testing

@Suite struct CheckDigitTests {
    @Test(
        arguments: [
            "4006381333931", "9780804816632", "73513537", "036000291452", "10614141000415", "00012345678905",
            "106141412345678908", "00",
        ])
    func validGS1Numbers(number: String) {
        #expect(CheckDigits.isValidGS1(Array(number.utf8)))
    }

    @Test(
        arguments: ["4006381333932", "4006381339331", "73513536", "", "0", "400638133393X", "４００６３８"])
    func invalidGS1Numbers(number: String) {
        #expect(!CheckDigits.isValidGS1(Array(number.utf8)))
    }

    @Test func everyChangedDigitIsNoticed() {
        let number = Array("4006381333931".utf8)
        for index in number.indices {
            for digit in "0123456789".utf8 where digit != number[index] {
                var changed = number
                changed[index] = digit
                #expect(!CheckDigits.isValidGS1(changed))
            }
        }
    }

    @Test(arguments: [("CODE39", "W"), ("1234", "A"), ("A-B C", "L"), ("", "0")])
    func code39(payload: String, check: String) {
        #expect(CheckDigits.code39(completing: Array(payload.utf8)) == check.utf8.first)
        #expect(payload.isEmpty || CheckDigits.isValidCode39(Array((payload + check).utf8)))
    }

    @Test(arguments: ["CODE39X", "1235A", "W", "", "code39w", "A*B"])
    func invalidCode39(payload: String) {
        #expect(!CheckDigits.isValidCode39(Array(payload.utf8)))
    }
}
