// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem

/// inotify on the directories that devices and their links appear in, and on one node.
///
/// Where udev runs it adds what udev does not tell: that another process closed the node. Where it does not run, as in a
/// container, it is all there is. Confined to one thread.
final class FileWatch: ChangeSource {
    private enum Subject: Hashable {
        /// With what the names of interest begin; all are of interest where there is none.
        case directory(prefixes: [String])
        case node
    }

    private let inotify: OwnedDescriptor
    private let directories: [(path: String, prefixes: [String])]
    private var node: String?
    private var subjects: [Int32: Subject] = [:]
    /// Something changed that nobody has been told of.
    private var isPending = false

    private static let directoryEvents = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB)
    private static let closings = UInt32(IN_CLOSE_WRITE | IN_CLOSE_NOWRITE)
    private static let nodeEvents = closings | UInt32(IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)
    /// Reads at once; more come with the next call.
    private static let maximumReads = 64

    /// `nil` where the system gives no inotify, as when `fs.inotify.max_user_instances` is reached.
    ///
    /// - Parameter directories: each with what the names of interest in it begin with (none: all). They need not exist
    ///   yet.
    init?(directories: [(path: String, prefixes: [String])], node: String?) {
        let raw = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard raw >= 0 else { return nil }
        inotify = OwnedDescriptor(owning: raw)
        self.directories = directories
        self.node = node
        addWatches()
    }

    var descriptor: Int32 { inotify.raw }

    /// Watches another node, or none.
    func watch(_ node: String?) {
        if node != self.node {
            // What was seen at the old one matters no less: it is why the new one is looked at.
            isPending = read() == .changed || isPending
            for (number, subject) in subjects where subject == .node {
                inotify_rm_watch(inotify.raw, number)
                subjects[number] = nil
            }
            self.node = node
        }
        addWatches()
    }

    func drain() -> ChangeReading {
        let reading = read()
        // What appeared meanwhile is watched before anyone looks at it, so that no change falls in between.
        addWatches()
        guard isPending, reading != .broken else { return reading }
        isPending = false
        return .changed
    }

    /// Closes the watched node without taking that for a change.
    ///
    /// inotify does not say who closed a file, and it folds equal events into one. So everything that waits is taken
    /// before; what comes by the closing itself is passed over. Another's closing in between, some microseconds, is
    /// missed: whoever waits has a deadline.
    func closeUnnoticed(_ close: () -> Void) {
        isPending = read() == .changed || isPending
        close()
        isPending = read(passingOverClosings: true) == .changed || isPending
    }

    /// Adding a watch that is there changes nothing; what does not exist is tried again the next time.
    private func addWatches() {
        for (path, prefixes) in directories {
            add(path, FileWatch.directoryEvents | UInt32(IN_ONLYDIR), .directory(prefixes: prefixes))
        }
        if let node { add(node, FileWatch.nodeEvents, .node) }
    }

    private func add(_ path: String, _ events: UInt32, _ subject: Subject) {
        let number = inotify_add_watch(inotify.raw, path, events)
        if number >= 0 { subjects[number] = subject }
    }

    private func read(passingOverClosings: Bool = false) -> ChangeReading {
        var reading = ChangeReading.nothing
        var buffer = [UInt8](repeating: 0, count: 8192)
        for _ in 0..<FileWatch.maximumReads {
            let outcome = buffer.withUnsafeMutableBytes { bytes in
                Result { () throws(SystemError) in try inotify.read(into: bytes) }
            }
            guard case .success(let read) = outcome else { return .broken }
            guard let count = read, count > 0 else { return reading }
            for event in InotifyEvent.all(in: buffer.prefix(count)) {
                let isChange = isChange(event, passingOverClosings)
                if isChange { reading = .changed } else if reading == .nothing { reading = .irrelevant }
            }
        }
        return reading
    }

    private func isChange(_ event: InotifyEvent, _ passingOverClosings: Bool) -> Bool {
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
        guard let subject = subjects[event.watch] else { return false }
        if event.mask & UInt32(IN_IGNORED) != 0 {
            subjects[event.watch] = nil
            return false
        }
        switch subject {
        case .directory(let prefixes):
            return prefixes.isEmpty || prefixes.contains { event.name.hasPrefix($0) }
        case .node: return !passingOverClosings || event.mask & FileWatch.nodeEvents & ~FileWatch.closings != 0
        }
    }
}

/// An event as inotify(7) lays it out.
struct InotifyEvent {
    let watch: Int32
    let mask: UInt32
    /// Of what changed in a directory; empty for the watched file itself.
    let name: String

    private static let headerSize = 16

    static func all(in bytes: ArraySlice<UInt8>) -> [InotifyEvent] {
        var rest = bytes
        var events: [InotifyEvent] = []
        while rest.count >= headerSize {
            let (watch, mask, length) = rest.withUnsafeBytes { bytes in
                (
                    bytes.loadUnaligned(fromByteOffset: 0, as: Int32.self),
                    bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self),
                    bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self)
                )
            }
            rest = rest.dropFirst(headerSize)
            guard let length = Int(exactly: length), length <= rest.count else { break }
            let name = String(decoding: rest.prefix(length).prefix { $0 != 0 }, as: UTF8.self)
            events.append(InotifyEvent(watch: watch, mask: mask, name: name))
            rest = rest.dropFirst(length)
        }
        return events
    }
}
