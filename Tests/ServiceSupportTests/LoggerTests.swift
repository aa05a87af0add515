// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import LinuxSystem
import Testing

@testable import ServiceSupport

@Suite struct LoggerTests {
    @Test func journalLinesCarryTheirLevel() {
        let logger = Logger(program: "datascand", threshold: .debug, isJournal: true)
        #expect(logger.line(.warning, "slow") == "<4>slow\n")
        #expect(Logger(program: "p", threshold: .info, isJournal: false).line(.error, "bad") == "p: error: bad\n")
    }

    @Test func textCanNotForgeALine() {
        let logger = Logger(program: "p", threshold: .info, isJournal: false)
        #expect(logger.line(.info, "a\n<0>b\u{1B}[2J") == "p: a\\u{a}<0>b\\u{1b}[2J\n")
    }

    @Test func faultsBeyondTheLimitAreCounted() {
        let log = FaultLog(logger: Logger(program: "p", threshold: .error, isJournal: false))
        for number in 0..<(FaultLog.maximumFaults + 10) { log.begin("\(number)", "fault \(number)") }
        #expect(log.unsaidCount == 10)
        log.end("0", "over")
        log.begin("again", "fault")
        #expect(log.unsaidCount == 10)
    }
}
