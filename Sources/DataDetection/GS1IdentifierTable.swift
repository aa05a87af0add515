// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// The application identifiers of the GS1 General Specifications (3.2), by their digits.
///
/// No identifier is the beginning of another, so the digits tell where it ends.
enum GS1IdentifierTable {
    /// What follows an identifier of two, three or four digits; `nil` where there is no such identifier.
    static func components(of identifier: String) -> [GS1Component]? { all[identifier] }

    /// Whether values of the identifiers that begin with these two digits have a length that is known beforehand, so that
    /// no separator is needed behind them (7.8.5, figure 7.8.5-2).
    static func isPredefined(_ firstTwo: String) -> Bool { predefined.contains(firstTwo) }

    private static let predefined: Set<String> = [
        "00", "01", "02", "03", "04", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20", "31", "32", "33",
        "34",
        "35", "36", "41",
    ]

    private static let all: [String: [GS1Component]] = {
        var table: [String: [GS1Component]] = [:]
        for (identifiers, components) in identification + dates + trade + amounts + places + logistics
            + measures + perishables + healthcare + special
        {
            for identifier in identifiers { table[identifier] = components }
        }
        return table
    }()

    private typealias Entry = (identifiers: [String], components: [GS1Component])

    private static func one(_ identifier: String, _ components: GS1Component...) -> Entry { ([identifier], components) }

    private static func each(_ numbers: ClosedRange<Int>, _ components: GS1Component...) -> Entry {
        (numbers.map { String($0) }, components)
    }

    /// Identifiers whose last digit says how many decimals the value has: 0 up to `decimals`.
    private static func decimal(_ three: Int, upTo decimals: Int, _ components: GS1Component...) -> Entry {
        ((0...decimals).map { "\(three)\($0)" }, components)
    }

    private static let identification: [Entry] = [
        one("00", .n(18, .checkDigit)),
        one("01", .n(14, .checkDigit)),
        one("02", .n(14, .checkDigit)),
        one("03", .n(14, .checkDigit)),
        one("253", .n(13, .checkDigit), .x(upTo: 17).optional),
        one("255", .n(13, .checkDigit), .n(upTo: 12).optional),
        one("8003", .n(1, .zero), .n(13, .checkDigit), .x(upTo: 16).optional),
        one("8004", .x(upTo: 30)),
        one("8006", .n(14, .checkDigit), .n(4, .pieceOfTotal)),
        one("8010", GS1Component(characters: .set39, length: 1...30)),
        one("8011", .n(upTo: 12, .noZeroInFront)),
        one("8013", .x(upTo: 25, .checkPair)),
        one("8014", .x(upTo: 25, .checkPair)),
        one("8017", .n(18, .checkDigit)),
        one("8018", .n(18, .checkDigit)),
        one("8019", .n(upTo: 10)),
        one("8026", .n(14, .checkDigit), .n(4, .pieceOfTotal)),
    ]

    private static let dates: [Entry] = [
        each(11...13, .n(6, .date(dayMayBe00: true))),
        each(15...17, .n(6, .date(dayMayBe00: true))),
        one("4324", .n(6, .date(dayMayBe00: true)), .n(4, .time(mayBe9999: true))),
        one("4325", .n(6, .date(dayMayBe00: true)), .n(4, .time(mayBe9999: true))),
        one("4326", .n(6, .date(dayMayBe00: false))),
        one("7003", .n(6, .date(dayMayBe00: false)), .n(4, .time(mayBe9999: false))),
        one("7006", .n(6, .date(dayMayBe00: false))),
        one("7007", .n(6, .date(dayMayBe00: false)), .n(6, .date(dayMayBe00: false)).optional),
        one("7011", .n(6, .date(dayMayBe00: false)), .n(4, .time(mayBe9999: false)).optional),
        one(
            "8008", .n(6, .date(dayMayBe00: false)), .n(2, .hour), .n(2, .minute).optional, .n(2, .second).optional),
    ]

    private static let trade: [Entry] = [
        one("10", .x(upTo: 20)),
        one("20", .n(2)),
        each(21...22, .x(upTo: 20)),
        one("235", .x(upTo: 28)),
        each(240...241, .x(upTo: 30)),
        one("242", .n(upTo: 6)),
        one("243", .x(upTo: 20)),
        each(250...251, .x(upTo: 30)),
        one("254", .x(upTo: 20)),
        one("30", .n(upTo: 8)),
        one("37", .n(upTo: 8)),
    ]

    private static let amounts: [Entry] = [
        decimal(390, upTo: 9, .n(upTo: 15)),
        decimal(391, upTo: 9, .n(3), .n(upTo: 15)),
        decimal(392, upTo: 9, .n(upTo: 15)),
        decimal(393, upTo: 9, .n(3), .n(upTo: 15)),
        decimal(394, upTo: 3, .n(4)),
        decimal(395, upTo: 5, .n(6)),
        one("8005", .n(6)),
        one("8007", .x(upTo: 34, .iban)),
        one("8020", .x(upTo: 25)),
        one("8110", .x(upTo: 70)),
        one("8111", .n(4)),
        one("8112", .x(upTo: 70)),
    ]

    private static let places: [Entry] = [
        each(410...417, .n(13, .checkDigit)),
        one("420", .x(upTo: 20)),
        one("421", .n(3), .x(upTo: 9)),
        one("422", .n(3)),
        one("423", .n(3), .n(3).optional, .n(3).optional, .n(3).optional, .n(3).optional),
        one("424", .n(3)),
        one("425", .n(3), .n(3).optional, .n(3).optional, .n(3).optional, .n(3).optional),
        one("426", .n(3)),
        one("427", .x(upTo: 3)),
    ]

    private static let logistics: [Entry] = [
        each(400...401, .x(upTo: 30)),
        one("402", .n(17, .checkDigit)),
        one("403", .x(upTo: 30)),
        each(4300...4301, .x(upTo: 35)),
        each(4302...4306, .x(upTo: 70)),
        one("4307", .x(2, .countryLetters)),
        one("4308", .x(upTo: 30)),
        one("4309", .n(10, .latitude), .n(10, .longitude)),
        each(4310...4311, .x(upTo: 35)),
        each(4312...4316, .x(upTo: 70)),
        one("4317", .x(2, .countryLetters)),
        one("4318", .x(upTo: 20)),
        one("4319", .x(upTo: 30)),
        one("4320", .x(upTo: 35)),
        each(4321...4323, .n(1, .flag)),
        each(4330...4333, .n(6), .x(1, .hyphen).optional),
        one("7040", .n(1), .x(3)),
        one("7041", .x(upTo: 4)),
    ]

    /// Six digits with up to five decimals: weights, lengths, areas and volumes.
    private static let measures: [Entry] =
        (Array(310...316) + Array(320...337) + Array(340...357) + Array(360...369)).map { decimal($0, upTo: 5, .n(6)) }

    private static let perishables: [Entry] = [
        one("7001", .n(13)),
        one("7002", .x(upTo: 30)),
        one("7004", .n(upTo: 4)),
        one("7005", .x(upTo: 12)),
        one("7008", .x(upTo: 3)),
        one("7009", .x(upTo: 10)),
        one("7010", .x(upTo: 2)),
        each(7020...7022, .x(upTo: 20)),
        one("7023", .x(upTo: 30)),
        each(7030...7039, .n(3), .x(upTo: 27)),
    ]

    private static let healthcare: [Entry] = [
        each(710...716, .x(upTo: 20)),
        each(7230...7239, .x(2), .x(upTo: 28)),
        one("7240", .x(upTo: 20)),
        one("7241", .n(2)),
        one("7242", .x(upTo: 25)),
        one("7250", .n(8, .longDate)),
        one("7251", .n(8, .longDate), .n(4, .time(mayBe9999: false))),
        one("7252", .n(1, .sex)),
        each(7253...7254, .x(upTo: 40)),
        one("7255", .x(upTo: 10)),
        one("7256", .x(upTo: 90)),
        one("7257", .x(upTo: 70)),
        one("7258", .x(3, .positionInSequence)),
        one("7259", .x(upTo: 40)),
    ]

    private static let special: [Entry] = [
        one("8001", .n(4, .notZero), .n(5, .notZero), .n(3, .notZero), .n(1, .winding), .n(1)),
        one("8002", .x(upTo: 20)),
        one("8009", .x(upTo: 50)),
        one("8012", .x(upTo: 20)),
        one("8030", GS1Component(characters: .set64, length: 1...90)),
        one("8200", .x(upTo: 70)),
        one("90", .x(upTo: 30)),
        each(91...99, .x(upTo: 90)),
    ]
}
