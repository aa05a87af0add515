// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

/// An account of CPU time: it fills with time, and what looks cost is drawn from it, into debt if need be.
struct CPUBudget {
    private(set) var credit: Double
    let burst: Double
    private let mostDebt: Double

    init(burst: Double, mostDebt: Double = SchedulerLimits.mostDebt) {
        self.burst = burst
        self.mostDebt = mostDebt
        credit = burst
    }

    /// Whether a look is affordable: what it costs is known only afterwards, so debt is paid off before the next one.
    var isInCredit: Bool { credit >= -1e-9 }

    /// Whether so much was saved; what costs more than can be saved has to wait for all that can.
    func hasSaved(_ seconds: Double) -> Bool { credit >= Swift.min(seconds, burst * 0.99) - 1e-9 }

    mutating func fill(_ seconds: Double) { credit = Swift.min(burst, credit + seconds) }
    mutating func draw(_ seconds: Double) {
        credit = Swift.min(burst, Swift.max(-mostDebt, credit - seconds))
    }
}
