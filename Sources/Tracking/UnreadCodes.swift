// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

/// Places that look like a code and gave no reading; they are never items.
struct UnreadCodes {
    private(set) var codes: [TrackedAttention.UnreadCode] = []

    /// Places that are remembered.
    private static let most = 64
    /// How long one is remembered without being seen again.
    private static let memory = Duration.seconds(2)

    /// Takes in what a look saw and did not read; what it did read is none any more.
    mutating func take(_ look: Look) {
        var read: [Quad] = []
        for observation in look.observations {
            if case .barcode = observation.content { read.append(observation.bounds) }
        }
        codes.removeAll { code in read.contains { $0.contains(code.bounds.center) } }
        for observation in look.observations {
            guard case .unreadCode(let moduleSize) = observation.content, observation.bounds.isFinite else { continue }
            let bounds = observation.bounds
            codes.removeAll { $0.bounds.contains(bounds.center) || bounds.contains($0.bounds.center) }
            if codes.count >= UnreadCodes.most { codes.removeFirst() }
            codes.append(.init(bounds: bounds, moduleSize: moduleSize, lastSeen: look.frame.monotonic))
        }
    }

    mutating func forget(at now: MonotonicTime) { codes.removeAll { now - $0.lastSeen > UnreadCodes.memory } }

    mutating func forgetAll() { codes.removeAll() }

    mutating func carry(by motion: PlaneMotion) {
        for index in codes.indices { codes[index].bounds = motion(codes[index].bounds) }
    }
}
