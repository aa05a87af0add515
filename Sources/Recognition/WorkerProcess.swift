// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem
internal import ScanModel

/// A worker as its supervisor sees it from outside.
///
/// - Important: Confined to the supervisor's thread.
protocol WorkerProcess: AnyObject {
    var pid: Int32 { get }
    /// Readable once the worker has ended.
    var endDescriptor: Int32 { get }
    /// CPU time used so far; `nil` when that can not be told.
    var cpuTime: Duration? { get }
    /// Resident memory that is not shared; `nil` when that can not be told.
    var privateBytes: Int? { get }
    func kill()
    func condition() -> ChildProcess.Condition
    /// Waits until it has ended.
    func wait()
}

/// A worker with the supervisor's end of its socket and of its standard error.
final class WorkerConnection {
    let process: any WorkerProcess
    /// Borrowed; `nil` once closed.
    private(set) var socket: Int32?
    private(set) var errors: Int32?
    private var ownedSocket: OwnedDescriptor?
    private var ownedErrors: OwnedDescriptor?

    /// Takes over both descriptors; that of standard error is non-blocking.
    init(process: any WorkerProcess, socket: consuming OwnedDescriptor, errors: consuming OwnedDescriptor) {
        self.process = process
        self.socket = socket.raw
        self.errors = errors.raw
        ownedSocket = consume socket
        ownedErrors = consume errors
    }

    /// Tells the worker that no more jobs come.
    func closeSocket() {
        socket = nil
        ownedSocket = nil
    }

    /// Reads what the worker said on its standard error; 0 at the end or where that is closed, `nil` for nothing yet.
    func readErrors(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        if ownedErrors == nil { return 0 }
        do { return try ownedErrors?.read(into: buffer) } catch { return 0 }
    }

    /// Reads no more of what the worker says.
    func closeErrors() {
        errors = nil
        ownedErrors = nil
    }
}

/// Makes workers.
protocol WorkerSpawner {
    /// - Parameter notes: where the worker notes what its engine has, and finds what it must not have; `nil` for nowhere.
    func spawn(_ kind: WorkerKind, notes: SharedWords?) throws(SystemError) -> WorkerConnection
}

/// Makes workers as child processes of the calling thread.
struct ProcessSpawner: WorkerSpawner {
    let configuration: WorkerConfiguration

    /// All that a worker finds in its environment: one OpenMP thread for Tesseract, bytes for text, no backtraces that
    /// take seconds to print.
    static let environment = [
        "OMP_THREAD_LIMIT=1", "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "SWIFT_BACKTRACE=enable=no",
    ]

    func spawn(_ kind: WorkerKind, notes: SharedWords?) throws(SystemError) -> WorkerConnection {
        let ends = try UnixSocket.messagePair()
        let own = OwnedDescriptor(owning: ends.0)
        let theirs = OwnedDescriptor(owning: ends.1)
        UnixSocket.setSendBuffer(Int32(WireMessage.maximumBytes), of: own.raw)
        UnixSocket.setSendBuffer(Int32(WireMessage.maximumBytes), of: theirs.raw)
        let pipe = try OwnedDescriptor.makePipe()
        let errors = OwnedDescriptor(owning: pipe.reading)
        let errorsEnd = OwnedDescriptor(owning: pipe.writing)
        try errors.setNonBlocking()
        let start = WorkerStart(
            kind: kind, parent: CurrentProcess.pid,
            addressSpace: configuration.limits.addressSpace + configuration.frameMemorySize,
            languages: configuration.languages)
        var descriptors = [
            2: errorsEnd.raw, WorkerStart.socketNumber: theirs.raw,
            WorkerStart.memoryNumber: configuration.frameMemory,
        ]
        if let notes { descriptors[WorkerStart.notesNumber] = notes.raw }
        let child = try ChildProcess(
            executable: configuration.executable, arguments: configuration.arguments + start.arguments,
            environment: Self.environment,
            descriptors: descriptors,
            ownProcessGroup: true)
        return WorkerConnection(process: SpawnedProcess(child), socket: own, errors: errors)
    }
}

private final class SpawnedProcess: WorkerProcess {
    private var child: ChildProcess

    init(_ child: consuming ChildProcess) { self.child = child }

    var pid: Int32 { child.pid }
    var endDescriptor: Int32 { child.endDescriptor }
    var cpuTime: Duration? { child.cpuTime }
    var privateBytes: Int? { CurrentProcess.privateBytes(of: child.pid) }
    func kill() { child.kill() }
    func condition() -> ChildProcess.Condition { child.condition() }
    func wait() { _ = child.wait() }
}

/// What a worker is told on its command line.
struct WorkerStart: Hashable {
    /// Where the worker finds its socket, the frames, and the words for its notes if there are any.
    static let socketNumber: Int32 = 10
    static let memoryNumber: Int32 = 11
    static let notesNumber: Int32 = 12

    var kind: WorkerKind
    /// The pid of the process that spawned it.
    var parent: Int32
    /// Bytes of address space that it may use.
    var addressSpace: Int
    var languages: [String]

    init(kind: WorkerKind, parent: Int32, addressSpace: Int, languages: [String]) {
        self.kind = kind
        self.parent = parent
        self.addressSpace = addressSpace
        self.languages = languages
    }

    var arguments: [String] { [kind.name, String(parent), String(addressSpace)] + languages }

    /// Reads what `arguments` wrote; `nil` where it is something else.
    init?(arguments: [String]) {
        guard arguments.count >= 3, let kind = WorkerKind(name: arguments[0]), let parent = Int32(arguments[1]),
            let addressSpace = Int(arguments[2]), addressSpace > 0
        else { return nil }
        self.init(kind: kind, parent: parent, addressSpace: addressSpace, languages: Array(arguments[3...]))
    }
}
