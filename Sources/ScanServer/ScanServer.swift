// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem
public import ScanModel

/// Tells everyone who is connected what the scanner sees, and answers their requests.
///
/// One thread serves all clients and never waits for one of them. What a client does not take waits in a queue of its
/// own; beyond its limit the client is disconnected. It may connect again and gets the state as it is then.
public final class ScanServer: Sendable {
    private let mailbox: ServerMailbox
    private let thread: Monitor<NamedThread?> = Monitor(nil)
    private let configuration: ServerConfiguration
    private let handler: any ScanRequestHandler
    private let frames: (any FrameProvider)?
    private let log: @Sendable (ServerLogLevel, String) -> Void

    /// Prepares a server; nothing is opened before `start`.
    ///
    /// - Parameters:
    ///   - frames: where recordings get their frames from; `nil`: nothing can be recorded.
    ///   - log: Called on the server's thread and in `start`; it must not block.
    public init(
        configuration: ServerConfiguration, handler: any ScanRequestHandler, frames: (any FrameProvider)? = nil,
        log: @escaping @Sendable (ServerLogLevel, String) -> Void
    ) throws(ScanServerError) {
        self.configuration = configuration
        self.handler = handler
        self.frames = frames
        self.log = log
        do throws(SystemError) {
            mailbox = try ServerMailbox(capacity: configuration.waitingEvents)
        } catch {
            throw .system(error)
        }
    }

    deinit { finish(within: .zero) }

    /// Opens both sockets and serves them on a thread of its own; call it once.
    ///
    /// A socket that a dead process left is replaced. One that a running process listens on, and anything that is no
    /// socket, is an error, and nothing is changed.
    public func start() throws(ScanServerError) {
        try ListeningSocket.check(configuration.eventsPath)
        try ListeningSocket.check(configuration.controlPath)
        let lock = try SocketDirectory.lock(configuration.directory, mode: configuration.directoryMode)
        defer { _ = lock.raw }
        let (events, eventsWarning) = try ListeningSocket.open(
            path: configuration.eventsPath, mode: configuration.eventsMode, group: configuration.eventsGroup)
        do throws(ScanServerError) {
            let (control, controlWarning) = try ListeningSocket.open(
                path: configuration.controlPath, mode: configuration.controlMode, group: configuration.controlGroup)
            for case .some(let warning) in [eventsWarning, controlWarning] { log(.warning, warning) }
            try run(events, control)
        } catch {
            events.removePath()
            throw error
        }
    }

    private func run(_ events: ListeningSocket, _ control: ListeningSocket) throws(ScanServerError) {
        let started = NamedThread("sockets") { [mailbox, configuration, handler, frames, log] in
            do throws(SystemError) {
                let loop = try ServerLoop(
                    configuration: configuration, handler: handler, frames: frames, log: log, mailbox: mailbox,
                    listeners: [(.events, events), (.control, control)])
                mailbox.noteStart()
                loop.run()
                events.removePath()
                control.removePath()
                mailbox.noteEnd()
            } catch {
                mailbox.noteEnd(error)
            }
        }
        thread.signal { $0 = started }
        do throws(SystemError) {
            try mailbox.waitForStart()
        } catch {
            control.removePath()
            throw .system(error)
        }
    }

    /// Tells an event to every subscriber; events reach each in the order of these calls.
    ///
    /// Any thread may call it. It waits for nothing but room in the queue to the server's thread, which takes what is
    /// there at once. False when the server has finished.
    @discardableResult
    public func publish(_ event: ScanEvent) -> Bool { mailbox.put(event) }

    /// Waits for the first client whose `hello` and `snapshot` are on their way; false at `deadline` or the end.
    public func waitForSubscriber(until deadline: MonotonicTime? = nil) -> Bool {
        mailbox.waitForSubscriber(until: deadline)
    }

    /// Takes no new clients, sends what was published, closes all and removes both sockets; returns when that is done.
    ///
    /// A client that takes nothing for `finishPatience` is given up, and every client when `limit` is over. A path that
    /// another process has taken meanwhile stays.
    public func finish(within limit: Duration) {
        guard let thread = thread.withLock({ $0 }) else { return }
        mailbox.finish(by: .now + limit)
        thread.join()
    }

    /// Counters since the start; those of the moment are at most one round of the server's thread old.
    public var statistics: ServerStatistics { mailbox.statistics }
}
