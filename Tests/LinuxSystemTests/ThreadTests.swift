// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem
import ScanModel
import Testing

@Suite struct MonitorTests {
    @Test func aWaitEndsAtItsDeadline() {
        let monitor = Monitor(0)
        let began = MonotonicTime.now
        let result = monitor.wait(until: began + .milliseconds(50)) { $0 > 0 ? $0 : nil }
        let took = MonotonicTime.now - began
        #expect(result == nil)
        #expect(took >= .milliseconds(50))
        #expect(took < .seconds(5))
    }

    @Test func aDeadlineInThePastStillLooksOnce() {
        let monitor = Monitor(7)
        #expect(monitor.wait(until: MonotonicTime(nanoseconds: 0)) { $0 > 0 ? $0 : nil } == 7)
        #expect(monitor.wait(until: MonotonicTime(nanoseconds: 0)) { $0 > 7 ? $0 : nil } == nil)
    }

    @Test func aSignalWakesEveryoneWhoWaits() {
        let monitor = Monitor((go: false, woken: 0))
        let threads = (0..<4).map { number in
            NamedThread("waiter-\(number)") {
                _ = monitor.wait { $0.go ? true : nil }
                monitor.withLock { $0.woken += 1 }
            }
        }
        monitor.signal { $0.go = true }
        for thread in threads { thread.join() }
        #expect(monitor.withLock { $0.woken } == 4)
    }

    @Test func noUpdateIsLost() {
        let monitor = Monitor(0)
        let threads = (0..<4).map { number in
            NamedThread("adder-\(number)") { for _ in 0..<10_000 { monitor.withLock { $0 += 1 } } }
        }
        for thread in threads { thread.join() }
        #expect(monitor.withLock { $0 } == 40_000)
    }
}

@Suite struct MailboxTests {
    @Test func messagesComeInOrderAndTheRestIsRefused() {
        let mailbox = Mailbox<Int>(capacity: 3)
        #expect([1, 2, 3, 4].map { mailbox.put($0) } == [true, true, true, false])
        #expect(mailbox.refusedCount == 1)
        #expect(mailbox.takeAll() == [1, 2, 3])
        #expect(mailbox.put(5))
        #expect(mailbox.takeAll() == [5])
    }

    @Test func anEmptyBoxWaitsUntilTheDeadline() {
        let mailbox = Mailbox<Int>(capacity: 1)
        let began = MonotonicTime.now
        #expect(mailbox.takeAll(until: began + .milliseconds(30)).isEmpty)
        #expect(MonotonicTime.now - began >= .milliseconds(30))
        #expect(mailbox.takeAll(until: .now).isEmpty)
    }

    @Test func closingWakesTheTakerAndKeepsWhatIsThere() {
        let mailbox = Mailbox<Int>(capacity: 5)
        let taken = Monitor<[[Int]]>([])
        let thread = NamedThread("taker") {
            taken.signal { $0.append([]) }
            let messages = mailbox.takeAll()
            taken.signal { $0.append(messages) }
        }
        _ = taken.wait { $0.isEmpty ? nil : true }
        mailbox.close()
        thread.join()
        #expect(taken.withLock { $0 } == [[], []])
        #expect(!mailbox.put(1))
        let full = Mailbox<Int>(capacity: 5)
        full.put(1)
        full.close()
        #expect(full.takeAll() == [1])
        #expect(full.takeAll().isEmpty)
    }
}

@Suite struct NamedThreadTests {
    @Test func theNameIsCutAndTheThreadKnowsItself() {
        let seen = Monitor<String?>(nil)
        let thread = NamedThread("a-name-of-twenty-one") {
            let name = CurrentProcess.readSmallFile("/proc/thread-self/comm")
            seen.signal { $0 = name }
        }
        thread.join()
        #expect(seen.withLock { $0 } == "a-name-of-twent\n")
        #expect(!thread.isCurrent)
        thread.join()
    }

    @Test func joiningOneselfReturnsAtOnce() {
        let box = Monitor<NamedThread?>(nil)
        let result = Monitor<Bool?>(nil)
        let thread = NamedThread("self") {
            let own = box.wait { $0 }
            own?.join()
            result.signal { $0 = own?.isCurrent }
        }
        box.signal { $0 = thread }
        #expect(result.wait(until: .now + .seconds(10)) { $0 } == true)
        thread.join()
    }

    @Test func signalsAreBlocked() {
        let blocked = Monitor(false)
        NamedThread("blocked") {
            var mask = sigset_t()
            pthread_sigmask(SIG_SETMASK, nil, &mask)
            let all = [SIGTERM, SIGINT, SIGHUP, SIGUSR1].allSatisfy { sigismember(&mask, $0) == 1 }
            blocked.signal { $0 = all }
        }.join()
        #expect(blocked.withLock { $0 })
    }

    @Test func aThreadThatCanNotBeMadeEndsTheProcessInWords() async throws {
        // No machine has room for this stack; a limit of tasks would not hold root up.
        let result = try await #require(
            processExitsWith: .exitCode(71), observing: [\.standardErrorContent]
        ) {
            _ = NamedThread("giant", stackSize: 1 << 47) {}
        }
        let line = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(line.contains("the thread 'giant' can not be started: ") && line.contains("TasksMax="), "\(line)")
    }
}
