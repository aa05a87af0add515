// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// What was waiting at a source of changes.
enum ChangeReading: Sendable, Hashable {
    /// Nothing: the descriptor was not readable, or what made it so is gone.
    case nothing
    /// Something that does not matter.
    case irrelevant
    /// Something changed, or changes were lost.
    case changed
    /// The source is of no more use.
    case broken
}

/// A descriptor that becomes readable when something about the devices changes.
protocol ChangeSource: AnyObject {
    /// Borrowed.
    var descriptor: Int32 { get }
    /// Takes all that waits (up to a limit), without waiting itself.
    func drain() -> ChangeReading
}

/// A source of a kind that does not matter to who listens.
final class AnyChangeSource: ChangeSource {
    private let source: any ChangeSource

    init(_ source: any ChangeSource) { self.source = source }

    var descriptor: Int32 { source.descriptor }

    func drain() -> ChangeReading { source.drain() }
}

/// A source that is replaced when it breaks, but not more often than every few seconds.
struct RenewedSource<Source: ChangeSource> {
    private(set) var source: Source?
    private let make: () -> Source?
    private var brokenAt: Int64?
    private var emptyReadings = 0

    /// How long a broken source stays away, in nanoseconds.
    private static var pause: Int64 { 5_000_000_000 }
    /// Readable and nothing there, so often in a row: it would turn a wait into a loop.
    private static var maximumEmptyReadings: Int { 16 }

    init(_ make: @escaping () -> Source?) {
        self.make = make
        source = make()
    }

    /// Makes a broken source anew when its time has come; true where it did, and changes may have been missed.
    mutating func renew(now: Int64) -> Bool {
        guard source == nil else { return false }
        guard let since = brokenAt else {
            brokenAt = now
            return false
        }
        guard now - since >= RenewedSource.pause else { return false }
        source = make()
        brokenAt = source == nil ? now : nil
        return source != nil
    }

    /// Reads what waits; `isReady`: poll(2) says that there is something, or that the descriptor is bad.
    mutating func drain(isReady: Bool, isBad: Bool, now: Int64) -> ChangeReading {
        guard let source else { return .nothing }
        var reading = isBad ? .broken : source.drain()
        if reading == .nothing, isReady { emptyReadings += 1 } else { emptyReadings = 0 }
        if emptyReadings >= RenewedSource.maximumEmptyReadings { reading = .broken }
        if reading == .broken {
            self.source = nil
            brokenAt = now
            emptyReadings = 0
        }
        return reading
    }
}
