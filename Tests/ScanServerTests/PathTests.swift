// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem
import ScanClient
import ScanModel
import ScanServer
import ScanTestSupport
import Testing

extension ServerTests {
    /// Faults A65 and A66: whose path it is, and who may use it.
    @Suite struct Paths {
        private func expectRefusal(in directory: TemporaryDirectory, _ says: String) throws {
            do {
                _ = try Fixture(in: directory)
                Issue.record("started all the same")
            } catch let error as ScanServerError {
                #expect("\(error)".contains(says), "\(error)")
            }
        }

        private func mode(_ path: String) -> mode_t {
            var information = stat()
            return lstat(path, &information) == 0 ? information.st_mode & 0o7777 : 0
        }

        @Test func modesAreSetAndPathsGo() throws {
            let parent = try TemporaryDirectory()
            let path = parent.path + "/one/two"
            do {
                let fixture = try Fixture(in: parent) {
                    $0.directory = path
                    $0.controlMode = 0o600
                }
                #expect(mode(path) == 0o750 && mode(path + "/events.sock") == 0o660)
                #expect(mode(path + "/control.sock") == 0o600)
                fixture.server.finish(within: .seconds(1))
                #expect(access(path + "/events.sock", F_OK) != 0 && access(path + "/control.sock", F_OK) != 0)
            }
            #expect(rmdir(path) == 0 && rmdir(parent.path + "/one") == 0)
        }

        @Test func aDeadSocketIsReplaced() throws {
            let directory = try TemporaryDirectory()
            do {
                // Bound, and gone at once: nobody listens at the name.
                _ = try UnixSocket.listen(path: directory.path + "/events.sock", mode: 0o660)
            }
            #expect(access(directory.path + "/events.sock", F_OK) == 0)
            let fixture = try Fixture(in: directory)
            _ = try fixture.client.eventReader().expectHello()
        }

        @Test func aLiveSocketIsRefusedWithItsPid() throws {
            let fixture = try Fixture()
            try expectRefusal(in: fixture.directory, "in use by process \(getpid())")
            // Nothing was changed.
            _ = try fixture.client.eventReader().expectHello()
            _ = try fixture.client.control().status()
        }

        @Test func aLiveSocketWithAFullQueueIsRefused() throws {
            let directory = try TemporaryDirectory()
            let path = directory.path + "/events.sock"
            let listener = try UnixSocket.listen(path: path, mode: 0o660, backlog: 0)
            let waiting = try RawClient(path)
            try expectRefusal(in: directory, "does not answer")
            withExtendedLifetime(listener) { withExtendedLifetime(waiting) {} }
        }

        @Test func aTakenControlSocketLeavesNoEventsSocket() throws {
            let directory = try TemporaryDirectory()
            let listener = try UnixSocket.listen(path: directory.path + "/control.sock", mode: 0o660)
            try expectRefusal(in: directory, "control.sock is in use by process \(getpid())")
            #expect(access(directory.path + "/events.sock", F_OK) != 0)
            withExtendedLifetime(listener) {}
        }

        @Test func whatIsNoSocketIsLeftAlone() throws {
            let directory = try TemporaryDirectory()
            let path = directory.path + "/events.sock"
            close(creat(path, 0o600))
            try expectRefusal(in: directory, "is a regular file")
            #expect(access(path, F_OK) == 0)
            unlink(path)
            #expect(symlink("nowhere", path) == 0)
            try expectRefusal(in: directory, "is a symbolic link")
            unlink(path)
            #expect(mkdir(path, 0o700) == 0)
            try expectRefusal(in: directory, "is a directory")
            rmdir(path)
        }

        @Test func pathsThatCanNotBe() throws {
            for (path, says) in [
                ("run", "not absolute"),
                ("/" + String(repeating: "x", count: 120), "bytes, and a socket's path at most 107"),
            ] {
                let configuration = ServerConfiguration(directory: path, camera: "c", version: "1")
                let server = try ScanServer(configuration: configuration, handler: CountingHandler()) { _, _ in }
                do {
                    try server.start()
                    Issue.record("started at \(path)")
                } catch {
                    #expect("\(error)".contains(says), "\(error)")
                }
            }
        }

        @Test func aPathThatAnotherTookIsNotRemoved() throws {
            let fixture = try Fixture()
            let path = fixture.client.eventsPath
            unlink(path)
            let other = try UnixSocket.listen(path: path, mode: 0o660)
            fixture.server.finish(within: .seconds(1))
            #expect(access(path, F_OK) == 0 && access(fixture.client.controlPath, F_OK) != 0)
            withExtendedLifetime(other) {}
        }

        @Test func aGroupThatIsNotThereIsAWarning() throws {
            let fixture = try Fixture { $0.eventsGroup = "no-such-group" }
            #expect(fixture.logged("no group no-such-group").count == 1)
            #expect(mode(fixture.client.eventsPath) == 0o660)
        }

        @Test func twoThatStartAtOnceDoNotBothWin() throws {
            let directory = try TemporaryDirectory()
            let path = directory.path
            for _ in 0..<20 {
                // A dead socket for both to find.
                do {
                    _ = try UnixSocket.listen(path: path + "/events.sock", mode: 0o660)
                }
                let outcomes = Monitor([Bool]())
                let finish = Monitor(false)
                let threads = (0..<2).map { _ in
                    NamedThread("starter") {
                        let configuration = ServerConfiguration(directory: path, camera: "c", version: "1")
                        let server = try? ScanServer(configuration: configuration, handler: CountingHandler()) { _, _ in
                        }
                        let started = (try? server?.start()) != nil
                        outcomes.signal { $0.append(started) }
                        _ = finish.wait { $0 ? true : nil }
                        server?.finish(within: .seconds(1))
                    }
                }
                let both = outcomes.wait(until: .now + .seconds(10)) { $0.count == 2 ? $0 : nil }
                #expect(both?.count { $0 } == 1)
                finish.signal { $0 = true }
                for thread in threads { thread.join() }
            }
        }
    }
}
