// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem
import ScanModel
import Testing

@Suite struct ChildProcessTests {
    private func shell(_ script: String) throws(SystemError) -> ChildProcess {
        try ChildProcess(
            executable: "/bin/sh", arguments: ["-c", script], environment: ["PATH=/usr/bin:/bin", "GREETING=hello"],
            descriptors: [:])
    }

    /// What a script writes to its standard output.
    private func output(of script: String, ownProcessGroup: Bool = false) throws -> String {
        let pipe = try OwnedDescriptor.makePipe()
        let reading = OwnedDescriptor(owning: pipe.reading)
        var child: ChildProcess
        do {
            let writing = OwnedDescriptor(owning: pipe.writing)
            child = try ChildProcess(
                executable: "/bin/sh", arguments: ["-c", script], environment: ["GREETING=hello"],
                descriptors: [1: writing.raw], ownProcessGroup: ownProcessGroup)
        }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while let count = try buffer.withUnsafeMutableBytes({ try reading.read(into: $0) }), count > 0 {
            text += buffer[..<count]
        }
        #expect(child.wait() == .exited(0))
        return try #require(String(validating: text, as: UTF8.self))
    }

    @Test func endingsAreTold() throws {
        var child = try shell("exit 3")
        #expect(child.wait() == .exited(3))
        #expect(child.wait() == .exited(3))
        #expect(child.condition() == .ended(.exited(3)))
        child.kill()
        var crashing = try shell("kill -SEGV $$")
        #expect(crashing.wait() == .killed(signal: SIGSEGV))
        #expect("\(crashing.wait())" == "was ended by SIGSEGV")
        #expect("\(child.wait())" == "exited with status 3")
    }

    @Test func aMissingProgramIsNamed() {
        #expect(throws: SystemError("posix_spawn", code: ENOENT, subject: "/nonexistent")) {
            let child = try ChildProcess(
                executable: "/nonexistent", arguments: [], environment: [], descriptors: [:])
            _ = child.pid
        }
    }

    @Test func theEndDescriptorTellsTheEnd() throws {
        var child = try shell("read line <&5 2>/dev/null; sleep 60")
        #expect(child.condition() == .running)
        #expect(try pollDescriptors([(child.endDescriptor, .readable)], until: .now) == [[]])
        child.kill()
        #expect(
            try pollDescriptors([(child.endDescriptor, .readable)], until: .now + .seconds(10)) == [.readable])
        #expect(child.condition() == .ended(.killed(signal: SIGKILL)))
    }

    @Test func aStopIsSeenOnce() throws {
        var child = try shell("kill -STOP $$; exit 0")
        var condition = child.condition()
        let deadline = MonotonicTime.now + .seconds(10)
        while condition == .running, MonotonicTime.now < deadline {
            usleep(1000)
            condition = child.condition()
        }
        #expect(condition == .stopped)
        #expect(child.condition() == .running)
        kill(child.pid, SIGCONT)
        #expect(child.wait() == .exited(0))
    }

    @Test func cpuTimeIsSeenFromOutside() throws {
        let child = try shell("while :; do :; done")
        let deadline = MonotonicTime.now + .seconds(20)
        while (child.cpuTime ?? .zero) < .milliseconds(50), MonotonicTime.now < deadline { usleep(5000) }
        let used = child.cpuTime
        #expect(try #require(used) >= .milliseconds(50))
        let pid = child.pid
        let resident = try #require(CurrentProcess.residentBytes(of: pid))
        #expect(resident > 100_000)
        let own = try #require(CurrentProcess.privateBytes(of: pid))
        #expect(own > 0)
        #expect(own < resident)
    }

    @Test func theLastOwnerKillsAndReaps() throws {
        var pid: Int32 = 0
        do {
            let child = try shell("sleep 60")
            pid = child.pid
        }
        #expect(kill(pid, 0) == -1)
        #expect(errno == ESRCH)
    }

    @Test func aChildThatSomebodyElseReapedHasEnded() throws {
        var child = try shell("exit 5")
        var status: Int32 = 0
        #expect(waitpid(child.pid, &status, 0) == child.pid)
        #expect(child.condition() == .ended(.exited(-1)))
        #expect(child.wait() == .exited(-1))
    }

    @Test func theEnvironmentIsOnlyWhatIsGiven() throws {
        // The shell adds some of its own.
        let text = try output(of: "/usr/bin/env | grep -v '^\\(_\\|PWD\\|OLDPWD\\|SHLVL\\)='")
        #expect(text == "GREETING=hello\n")
    }

    @Test func onlyTheGivenDescriptorsAreOpen() throws {
        // `ls` has one open on the folder itself.
        let text = try output(of: "exec ls /proc/self/fd")
        #expect(text == "0\n1\n2\n3\n")
    }

    @Test func signalsAreAsInAFreshProcess() throws {
        let result = Monitor<String?>(nil)
        // Named threads block all signals; the child must not inherit that.
        NamedThread("spawner") {
            let text = try? output(of: "exec grep -E '^Sig(Blk|Ign)' /proc/self/status")
            result.signal { $0 = text }
        }.join()
        let masks = (result.withLock { $0 } ?? "").split(separator: "\n").compactMap {
            UInt64($0.drop { $0 != "\t" }.dropFirst(), radix: 16)
        }
        // glibc leaves 32 and 33, which are its own, ignored.
        #expect(masks.map { $0 & 0x7FFF_FFFF } == [0, 0])
    }

    @Test func aChildCanLeadItsOwnGroup() throws {
        let own = try output(of: "exec sh -c 'ps -o pgid= -p $$; echo $$'", ownProcessGroup: true)
        let numbers = own.split(whereSeparator: \.isWhitespace)
        #expect(numbers.count == 2)
        #expect(numbers.first == numbers.last)
        let shared = try output(of: "exec sh -c 'ps -o pgid= -p $$'")
        #expect(Int32(shared.filter { !$0.isWhitespace }) == getpgrp())
    }

    /// Sources whose numbers are each other's targets arrive where they belong.
    @Test func descriptorsThatChangePlaces() throws {
        let first = try OwnedDescriptor.makePipe()
        let second = try OwnedDescriptor.makePipe()
        let ends = [first.reading, first.writing, second.reading, second.writing].map { OwnedDescriptorBox($0) }
        // dash knows descriptors of one digit only.
        var child = try ChildProcess(
            executable: "/bin/bash",
            arguments: ["-c", "echo first >&\(second.writing); echo second >&\(first.writing)"], environment: [],
            descriptors: [first.writing: second.writing, second.writing: first.writing])
        #expect(child.wait() == .exited(0))
        var buffer = [UInt8](repeating: 0, count: 20)
        var count = read(first.reading, &buffer, 20)
        #expect(String(validating: buffer[..<max(0, count)], as: UTF8.self) == "first\n")
        count = read(second.reading, &buffer, 20)
        #expect(String(validating: buffer[..<max(0, count)], as: UTF8.self) == "second\n")
        _ = ends.count
    }
}

/// Closes a descriptor when it goes, in an array.
private final class OwnedDescriptorBox {
    private let descriptor: OwnedDescriptor

    init(_ raw: Int32) { descriptor = OwnedDescriptor(owning: raw) }
}

@Suite struct ClockTests {
    @Test func theMonotonicClockDoesNotGoBack() {
        var last = MonotonicTime.now
        for _ in 0..<1000 {
            let now = MonotonicTime.now
            #expect(now >= last)
            last = now
        }
    }

    @Test func theWallClockIsInThisCentury() {
        #expect(WallTime.now.rfc3339.hasPrefix("20"))
    }

    @Test func workCostsCPUTime() {
        let before = processCPUTime()
        var sum: UInt64 = 0
        let deadline = MonotonicTime.now + .milliseconds(30)
        while MonotonicTime.now < deadline { sum &+= 1 }
        #expect(sum > 0)
        #expect(processCPUTime() > before)
    }
}
