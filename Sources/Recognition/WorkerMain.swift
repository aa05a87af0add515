// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem

/// The program's other life: a process that reads what the daemon hands it, and nothing else.
public enum RecognitionWorker {
    /// The first argument that makes the program a worker. It is not for users and in no help text.
    public static let flag = "--recognition-worker"

    /// Whether a command line, program name first, asks for a worker.
    public static func isRequested(by commandLine: [String]) -> Bool { commandLine.dropFirst().first == flag }

    /// Does the work of a worker until the daemon closes the socket.
    ///
    /// - Parameter commandLine: all of it, program name first.
    /// - Returns: the exit status: 0 when no more jobs come, otherwise one of sysexits(3), after a line on standard error.
    public static func run(commandLine: [String]) -> Int32 {
        run(commandLine: commandLine) { ReaderEngine(quarantine: $0) }
    }

    static func run(commandLine: [String], makeEngine: (CropQuarantine) -> any RecognitionEngine) -> Int32 {
        guard let start = WorkerStart(arguments: Array(commandLine.dropFirst(2))) else {
            return fail(EX_USAGE, "\(flag) is for the daemon's own use: it starts its workers itself")
        }
        guard CurrentProcess.dieWithParent(start.parent) else { return EX_OK }
        // A terminal's or a service manager's signal is for the daemon, which ends its workers in order.
        CurrentProcess.ignoreRequestsToEnd()
        CurrentProcess.ignoreBrokenPipes()
        let socket = OwnedDescriptor(owning: WorkerStart.socketNumber)
        let memory = OwnedDescriptor(owning: WorkerStart.memoryNumber)
        let frames: ReadOnlyMapping
        do throws(SystemError) {
            try CurrentProcess.limitMemory(toBytes: start.addressSpace)
            frames = try ReadOnlyMapping(of: memory, subject: "the frames")
        } catch {
            return fail(EX_OSERR, "\(error)")
        }
        let loop = WorkerLoop(socket: socket.raw, frames: frames.bytes, engine: makeEngine(quarantine()))
        switch loop.run(start: start) {
        case .endOfJobs: return EX_OK
        case .failed(let reason): return fail(EX_SOFTWARE, reason)
        }
    }

    /// The supervisor's notes, where it has handed some on.
    private static func quarantine() -> CropQuarantine {
        let descriptor = OwnedDescriptor(owning: WorkerStart.notesNumber)
        guard let words = try? SharedWords(taking: descriptor, count: SharedCropNotes.wordCount) else {
            return CropQuarantine()
        }
        return CropQuarantine(notes: SharedCropNotes(words: words))
    }

    private static func fail(_ status: Int32, _ message: String) -> Int32 {
        let line = Array("datascand worker: \(message)\n".utf8)
        _ = write(2, line, line.count)
        return status
    }
}
