// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem
import ScanModel
import Testing

@testable import Capture

@Suite struct PauseTests {
    @Test func aWaitThatFailsIsNoCancellationAndTakesItsTime() throws {
        var calls = 0
        let began = MonotonicTime.now
        let goesOn = pauseDespiteFailures(until: began + .milliseconds(200)) { () throws(SystemError) in
            calls += 1
            throw SystemError("poll", code: ENOMEM)
        }
        #expect(goesOn && MonotonicTime.now - began >= .milliseconds(200))
        #expect((1...11).contains(calls))
    }

    @Test func oneWhoseTimeIsOverTakesTimeAsWell() {
        let began = MonotonicTime.now
        let goesOn = pauseDespiteFailures(until: began) { () throws(SystemError) in
            throw SystemError("poll", code: ENOMEM)
        }
        #expect(goesOn && MonotonicTime.now - began >= .milliseconds(10))
    }

    @Test func aCancellationIsSeenWhenTheWaitWorksAgain() {
        var calls = 0
        let goesOn = pauseDespiteFailures(until: .now + .seconds(30)) { () throws(SystemError) in
            calls += 1
            if calls < 3 { throw SystemError("poll", code: ENOMEM) }
            return false
        }
        #expect(!goesOn && calls == 3)
    }

    @Test func aCancellationGoesFirst() throws {
        let system = LinuxCameraSystem(watcher: DeviceWatcher(root: "/nowhere", udev: { nil })) { VideoNodeList([]) }
        let cancellation = try EventDescriptor()
        #expect(system.pause(until: .now, cancellation: cancellation))
        cancellation.signal()
        #expect(!system.pause(until: .now, cancellation: cancellation))
        #expect(!system.pause(until: .now + .seconds(30), cancellation: cancellation))
    }
}
