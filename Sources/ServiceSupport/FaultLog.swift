// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem

/// Says each distinct fault once when it starts and once when it ends, however often it is seen between.
///
/// Any thread may call it.
public final class FaultLog: Sendable {
    /// Distinct faults that are remembered; beyond it, new ones are only counted, so that hostile input (a directory of
    /// damaged pictures) can neither fill the log nor the memory.
    public static let maximumFaults = 64

    private struct State {
        var active: [String: Int] = [:]
        var unsaid = 0
    }

    private let logger: Logger
    private let state = Monitor(State())

    public init(logger: Logger) { self.logger = logger }

    /// Logs a fault unless it is known; `key` tells it from others.
    public func begin(_ key: String, level: LogLevel = .warning, _ message: @autoclosure () -> String) {
        enum Step {
            case say
            case sayLimit
            case nothing
        }
        let step = state.withLock { state -> Step in
            if state.active[key] != nil {
                state.active[key, default: 0] += 1
                return .nothing
            }
            guard state.active.count < FaultLog.maximumFaults else {
                state.unsaid += 1
                return state.unsaid == 1 ? .sayLimit : .nothing
            }
            state.active[key] = 1
            return .say
        }
        switch step {
        case .say: logger.log(level, message())
        case .sayLimit:
            logger.warning("more than \(FaultLog.maximumFaults) distinct faults, further ones are only counted")
        case .nothing: break
        }
    }

    /// Logs the end of a fault that was begun; of one that was not, nothing.
    public func end(_ key: String, _ message: @autoclosure () -> String) {
        guard state.withLock({ $0.active.removeValue(forKey: key) }) != nil else { return }
        logger.info(message())
    }

    /// Faults that were not logged because there were too many distinct ones.
    public var unsaidCount: Int { state.withLock { $0.unsaid } }
}
