// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import DataDetection
import Foundation
import ScanModel
import Testing

/// Element strings with the exact result; `|` stands for the separator, which none of GS1's characters is.
@Suite struct GS1ElementStringTests {
    private func parsed(_ text: String) throws(GS1Error) -> String {
        GS1ElementString.humanReadable(
            try GS1ElementString.parse(text.utf8.map { $0 == UInt8(ascii: "|") ? 0x1D : $0 }))
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let expected: String
        var testDescription: String { text }

        /// A case a line, `text => expected`.
        static func all(_ lines: String) -> [Case] {
            lines.split(separator: "\n").compactMap { line in
                let parts = line.components(separatedBy: " => ")
                return parts.count == 2 ? Case(text: parts[0], expected: parts[1]) : nil
            }
        }
    }

    static let right = Case.all(
        """
        0104006381333931 => (01)04006381333931
        |0104006381333931 => (01)04006381333931
        0104006381333931| => (01)04006381333931
        0104006381333931|17261130|10A1 => (01)04006381333931(17)261130(10)A1
        010400638133393117261130 => (01)04006381333931(17)261130
        010400638133393110A88994|17261130 => (01)04006381333931(10)A88994(17)261130
        010400638133393110A88994|17261100 => (01)04006381333931(10)A88994(17)261100
        00006141411234567890 => (00)006141411234567890
        02040063813339313712 => (02)04006381333931(37)12
        0304006381333931 => (03)04006381333931
        010400638133393121ABC-123_/% => (01)04006381333931(21)ABC-123_/%
        11240229 => (11)240229
        12991231 => (12)991231
        1326110115260101 => (13)261101(15)260101
        16260630 => (16)260630
        2001 => (20)01
        22A|235x => (22)A(235)x
        240PART-1|241C.7|24212|243p => (240)PART-1(241)C.7(242)12(243)p
        250S2|251R => (250)S2(251)R
        2534006381333931ABC => (253)4006381333931ABC
        2534006381333931|10L => (253)4006381333931(10)L
        2554006381333931123456789012 => (255)4006381333931123456789012
        254X|30144 => (254)X(30)144
        01906141410000153202000150 => (01)90614141000015(3202)000150
        3103001250 => (3103)001250
        310300125015261130 => (3103)001250(15)261130
        3370000100 => (3370)000100
        39021299|3931978150 => (3902)1299(3931)978150
        39129781299 => (3912)9781299
        39400025 => (3940)0025
        3952000150 => (3952)000150
        400PO-77|401SHIP1 => (400)PO-77(401)SHIP1
        40206141411234567890|403R => (402)06141411234567890(403)R
        41040063813339314144006381333931 => (410)4006381333931(414)4006381333931
        4174006381333931 => (417)4006381333931
        42012345|421276D-12345 => (420)12345(421)276D-12345
        422276|423276250|424372|426276|427BY => (422)276(423)276250(424)372(426)276(427)BY
        4300ACME+Ltd|4307DE|4308+4930123 => (4300)ACME+Ltd(4307)DE(4308)+4930123
        430914250000001934000000 => (4309)14250000001934000000
        43211|43242611301530|43252611009999 => (4321)1(4324)2611301530(4325)2611009999
        4330000250- => (4330)000250-
        4331000250 => (4331)000250
        70032611301530 => (7003)2611301530
        7007261101261130|7010W => (7007)261101261130(7010)W
        7031276ABATTOIR1 => (7031)276ABATTOIR1
        710PZN-1234 => (710)PZN-1234
        7230EM123|72582/3 => (7230)EM123(7258)2/3
        725019800229|72521 => (7250)19800229(7252)1
        800101000123402509 => (8001)01000123402509
        800304006381333931SER-1 => (8003)04006381333931SER-1
        8004GIAI-1|8005001299 => (8004)GIAI-1(8005)001299
        8006040063813339310102 => (8006)040063813339310102
        8007DE89370400440532013000 => (8007)DE89370400440532013000
        800826113015|10A => (8008)26113015(10)A
        8008261130153045 => (8008)261130153045
        8010ABC-12/3#4|801112 => (8010)ABC-12/3#4(8011)12
        80131987654Ad4X4bL5ttr2310c2K => (8013)1987654Ad4X4bL5ttr2310c2K
        8018006141411234567890|80195 => (8018)006141411234567890(8019)5
        8020REF-1|8200https://example.com/a => (8020)REF-1(8200)https://example.com/a
        8030aGVsbG8_-= => (8030)aGVsbG8_-=
        81110100 => (8111)0100
        90internal|91A|99zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz => (90)internal(91)A(99)zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz
        10A|10A => (10)A
        010400638133393110A|0104006381333931 => (01)04006381333931(10)A
        """)

    static let wrong = Case.all(
        """
         => the data at byte 0: there is nothing
        | => the data at byte 1: there is nothing
        ||0104006381333931 => the data at byte 1: a separator with nothing before it
        10A||17261130 => the data at byte 4: a separator with nothing before it
        0104006381333932 => (01) at byte 0: its check digit should be 1
        010400638133393 => (01) at byte 0: 14 digits are expected, there are 13
        010400638|17261130 => (01) at byte 0: 14 digits are expected, there are 7
        010400638133393A => (01) at byte 0: 'A' at byte 15 is not a digit
        010400638133393118261130 => the data at byte 16: no application identifier begins with 1826
        0104006381333931A => the data at byte 16: an application identifier is expected, two digits or more
        01040063813339315 => the data at byte 16: an application identifier is expected, two digits or more
        17261301 => (17) at byte 0: there is no month 13
        17260001 => (17) at byte 0: there is no month 00
        17260230 => (17) at byte 0: there is no day 30 in month 02
        11250229 => (11) at byte 0: there is no day 29 in month 02
        7006261100 => (7006) at byte 0: day 00 is not allowed here
        70032611302460 => (7003) at byte 0: there is no such time of the day
        70032611309999 => (7003) at byte 0: there is no such time of the day
        00006141411234567891 => (00) at byte 0: its check digit should be 0
        4104006381333930 => (410) at byte 0: its check digit should be 1
        4184006381333931 => the data at byte 0: no application identifier begins with 4184
        3106000150 => the data at byte 0: no application identifier begins with 3106
        10AAAAAAAAAAAAAAAAAAAAA => (10) at byte 0: it has 21 characters up to a separator or the end, 1 to 20 are expected
        10|17261130 => (10) at byte 0: it has no value
        10 => (10) at byte 0: it has no value
        10A B => (10) at byte 0: ' ' at byte 3 is not one of the 82 characters of GS1
        10A#B => (10) at byte 0: '#' at byte 3 is not one of the 82 characters of GS1
        10é => (10) at byte 0: byte 195 at byte 2 is not one of the 82 characters of GS1
        10A|10B => (10) at byte 4: it says B, and before it said A
        37123456789 => (37) at byte 0: it has 9 characters up to a separator or the end, 1 to 8 are expected
        40206141411234567891 => (402) at byte 0: its check digit should be 0
        402061414112345 => (402) at byte 0: it ends after 12 characters, 17 are expected
        42327625 => (423) at byte 0: it ends after 5 characters, 3 to 15 are expected
        4307de => (4307) at byte 0: two capital letters are expected
        430900000000009999999999 => (4309) at byte 0: there is no such longitude
        43212 => (4321) at byte 0: 0 or 1 is expected
        4330000250+ => (4330) at byte 0: a hyphen is expected
        72583/2 => (7258) at byte 0: a position such as 1/2 is expected
        725019800231 => (7250) at byte 0: there is no such day
        8006040063813339310302 => (8006) at byte 0: piece 3 of 2
        800314006381333931 => (8003) at byte 0: a 0 is expected
        8007DE88370400440532013000 => (8007) at byte 0: it is no IBAN, or its check digits are wrong
        80082611302501 => (8008) at byte 0: there is no such hour
        8010abc => (8010) at byte 0: 'a' at byte 4 is not one of the 39 characters of GS1 part numbers
        801101 => (8011) at byte 0: it may not begin with 0
        80131987654Ad4X4bL5ttr2310c2J => (8013) at byte 0: its two check characters are wrong
        0000614141123456789001040063813339 => (01) at byte 20: 14 digits are expected, there are 12
        """)

    @Test(arguments: right) func rightOnesAreTakenApart(_ row: Case) throws {
        #expect(try parsed(row.text) == row.expected)
    }

    @Test(arguments: wrong) func wrongOnesAreNamed(_ row: Case) {
        do throws(GS1Error) {
            let result = try parsed(row.text)
            Issue.record("\(row.text) was taken as \(result)")
        } catch {
            #expect(error.description == row.expected)
        }
    }

    @Test func theTablesAreWhole() { #expect(Self.right.count >= 60 && Self.wrong.count >= 40) }

    @Test func anyBytesEndInElementsOrInAnError() {
        var state: UInt64 = 7
        func next() -> UInt8 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        for round in 0..<20_000 {
            // Mostly digits, so that many strings get past their first identifier.
            let bytes = (0..<Int(next() % 48)).map { _ in round % 3 == 0 ? next() : 0x30 + next() % 10 }
            do throws(GS1Error) {
                let elements = try GS1ElementString.parse(bytes)
                #expect(!elements.isEmpty)
                let length = elements.reduce(0) { $0 + $1.identifier.utf8.count + $1.value.utf8.count }
                #expect(length <= bytes.count)
            } catch {
                #expect((0...bytes.count).contains(error.offset))
            }
        }
    }
}
