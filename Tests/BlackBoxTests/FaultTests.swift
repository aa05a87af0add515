// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Foundation
import ImageKernels
import LinuxSystem
import ScanModel
import ScanTestSupport
import Testing

/// What goes wrong around a running daemon: pictures, workers, sockets, signals.
@Suite struct FaultTests {
    @Test func badPicturesAreCountedNamedAndSkipped() throws {
        let folder = try TemporaryDirectory()
        func put(_ name: String, _ bytes: [UInt8]) throws {
            try Data(bytes).write(to: URL(fileURLWithPath: folder.path + "/" + name))
        }
        try Pictures.write(try Pictures.shelf(), to: folder.path + "/50-good.pgm")
        try Pictures.write(LumaBuffer(width: 1, height: 1), to: folder.path + "/10-one-pixel.pgm")
        let good = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/50-good.pgm"))
        try put("20-truncated.pgm", Array(good.prefix(good.count / 2)))
        try put("21-empty.png", [])
        try put("22-words.jpg", Array("this is no picture at all".utf8))
        try put("23-huge.pgm", Array("P5\n20000 20000\n255\n".utf8))
        try put("24-huge.png", hugePNGHeader())
        try put("30-notes.txt", Array("not looked at".utf8))
        let daemon = try Daemon([
            "--source", folder.path, "--rate", "max", "--hold", "12", "--wait-for-subscriber", "--types", "barcode",
        ])
        let subscriber = try Subscriber(path: daemon.eventsPath)
        #expect(subscriber.waitForEnd(within: 60))
        #expect(try daemon.wait() == 0, "\(daemon.log)")
        #expect(subscriber.announcedPayloads.count == 5)
        for name in ["20-truncated.pgm", "21-empty.png", "22-words.jpg", "23-huge.pgm", "24-huge.png"] {
            #expect(daemon.log.contains(name), "\(name) is not named in \(daemon.log)")
        }
        #expect(!daemon.log.contains("30-notes.txt"))
        // Pictures are numbered whether they can be read or not: the good one is the seventh.
        let frames = subscriber.messages.compactMap {
            (($0["params"] as? [String: Any])?["frame"] as? [String: Any])?["sequence"] as? Int
        }
        #expect(frames.allSatisfy { $0 >= 6 * 12 && $0 < 7 * 12 }, "\(frames)")
    }

    private func hugePNGHeader() -> [UInt8] {
        // IHDR of 20000x20000, 8-bit grey, with its right CRC, and nothing behind it.
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
            + [0, 0, 0x4E, 0x20, 0, 0, 0x4E, 0x20, 8, 0, 0, 0, 0, 0xC8, 0x4F, 0xA5, 0x5E]
    }

    @Test func aSourceOfBadPicturesOnlyEndsWith66() throws {
        let folder = try TemporaryDirectory()
        try Data("no picture".utf8).write(to: URL(fileURLWithPath: folder.path + "/a.png"))
        let result = try run(
            Programs.datascand,
            ["--source", folder.path, "--rate", "max", "--socket-dir", folder.path + "/sockets"])
        #expect(result.status == 66, "\(result.errors)")
        #expect(result.errors.contains("a.png"))
    }

    @Test func aMissingLanguageTurnsTextOffAndBarcodesGoOn() throws {
        let folder = try TemporaryDirectory()
        try Pictures.write(try Pictures.shelf(), to: folder.path + "/shelf.pgm")
        let daemon = try Daemon([
            "--source", folder.path + "/shelf.pgm", "--loop", "--languages", "tlh",
        ])
        let subscriber = try Subscriber(path: daemon.eventsPath)
        #expect(subscriber.waitForMessage(within: 20) { $0["method"] as? String == "didAdd" } != nil)
        let status = try daemon.status()
        #expect((status["textUnavailable"] as? String)?.contains("tesseract-ocr-tlh") == true, "\(status)")
        #expect(daemon.log.components(separatedBy: "tesseract-ocr-tlh").count == 2, "\(daemon.log)")
    }

    @Test func aWorkerThatIsKilledCostsNoItem() throws {
        let folder = try TemporaryDirectory()
        try Pictures.write(try Pictures.shelf(), to: folder.path + "/shelf.pgm")
        let daemon = try Daemon(["--source", folder.path + "/shelf.pgm", "--loop", "--types", "barcode"])
        let subscriber = try Subscriber(path: daemon.eventsPath)
        let limit = MonotonicTime.now + .seconds(20)
        while subscriber.items(of: "didAdd").count < 5, MonotonicTime.now < limit { usleep(20_000) }
        #expect(subscriber.items(of: "didAdd").count == 5)

        var deaths = 0
        for signal in [SIGSEGV, SIGKILL, SIGSTOP] {
            for _ in 0..<10 {
                let status = try daemon.waitForStatus(within: 20) {
                    ($0["workerRestarts"] as? Int) == deaths && ($0["workerPids"] as? [Int])?.isEmpty == false
                }
                let looks = status["barcodeLooks"] as? Int ?? 0
                // In mid-scan: the worker that is shot has given an answer before.
                let next = try daemon.waitForStatus(within: 20) { ($0["barcodeLooks"] as? Int ?? 0) > looks }
                guard let pid = (next["workerPids"] as? [Int])?.first else { continue }
                kill(Int32(pid), signal)
                deaths += 1
            }
        }
        let status = try daemon.waitForStatus(within: 20) { ($0["workerRestarts"] as? Int) == 30 }
        #expect(status["workerRestarts"] as? Int == 30)
        #expect(daemon.isRunning)
        #expect(!subscriber.hasEnded)
        #expect(subscriber.items(of: "didRemove").isEmpty)
        #expect(subscriber.items(of: "didAdd").count == 5)
        let items = try daemon.request("getItems")["items"] as? [[String: Any]] ?? []
        #expect(
            Set(items.compactMap { $0["id"] as? String })
                == Set(subscriber.items(of: "didAdd").compactMap { $0["id"] as? String }))
        daemon.send(SIGTERM)
        #expect(try daemon.wait(within: 10) == 0)
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func aSignalEndsItCleanly(signal: Int32) throws {
        let folder = try TemporaryDirectory()
        try Pictures.write(try Pictures.shelf(), to: folder.path + "/shelf.pgm")
        let daemon = try Daemon(["--source", folder.path + "/shelf.pgm", "--loop", "--types", "barcode"])
        let subscriber = try Subscriber(path: daemon.eventsPath)
        #expect(subscriber.waitForMessage(within: 20) { $0["method"] as? String == "didAdd" } != nil)
        let workers = try daemon.status()["workerPids"] as? [Int] ?? []
        #expect(!workers.isEmpty)
        let asked = MonotonicTime.now
        daemon.send(signal)
        #expect(try daemon.wait(within: 10) == 0, "\(daemon.log)")
        #expect((MonotonicTime.now - asked).inSeconds < 2)
        #expect(subscriber.waitForEnd(within: 5))
        let removed = subscriber.items(of: "didRemove")
        #expect(!removed.isEmpty && removed.allSatisfy { $0["reason"] as? String == "stopped" })
        #expect(!FileManager.default.fileExists(atPath: daemon.eventsPath))
        #expect(!FileManager.default.fileExists(atPath: daemon.controlPath))
        for pid in workers { #expect(kill(Int32(pid), 0) != 0, "worker \(pid) lives on") }
    }

    @Test func nohupKeepsItRunning() throws {
        let folder = try TemporaryDirectory()
        try Pictures.write(try Pictures.shelf(), to: folder.path + "/shelf.pgm")
        let result = try shell(
            """
            trap '' HUP; \(Programs.datascand) --source \(folder.path)/shelf.pgm --loop --types barcode \
            --socket-dir \(folder.path) & sleep 2; kill -HUP $!; sleep 1; kill -TERM $!; wait $!
            """)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.contains("SIGTERM: stopping") && !result.errors.contains("SIGHUP"), "\(result.errors)")
    }

    @Test func aSecondDaemonNamesTheFirstAndADeadOnesSocketIsReplaced() throws {
        let folder = try TemporaryDirectory()
        try Pictures.write(try Pictures.shelf(), to: folder.path + "/shelf.pgm")
        let arguments = ["--source", folder.path + "/shelf.pgm", "--loop", "--types", "barcode"]
        let first = try Daemon(arguments, in: folder)
        let second = try run(Programs.datascand, arguments + ["--socket-dir", folder.path])
        #expect(second.status == 69, "\(second.errors)")
        #expect(second.errors.contains("\(first.pid)"), "\(second.errors)")
        #expect(first.isRunning)
        first.send(SIGKILL)
        _ = try first.wait()
        #expect(FileManager.default.fileExists(atPath: first.eventsPath))
        let third = try Daemon(arguments, in: folder)
        let subscriber = try Subscriber(path: third.eventsPath)
        #expect(subscriber.waitForMessage(within: 20) { $0["method"] as? String == "didAdd" } != nil)
    }

    @Test func malformedRequestsGetErrorsAndTheDaemonGoesOn() throws {
        let folder = try TemporaryDirectory()
        try Pictures.write(try Pictures.shelf(), to: folder.path + "/shelf.pgm")
        let daemon = try Daemon(["--source", folder.path + "/shelf.pgm", "--loop", "--types", "barcode"])
        for (line, code) in [
            ("{", -32700), ("[]", -32600), ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"fly\"}", -32601),
        ] {
            let answer = try daemon.exchange(line)
            #expect((answer["error"] as? [String: Any])?["code"] as? Int == code, "\(line): \(answer)")
        }
        let refused = try daemon.exchange(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"stopScanning\"}", socket: daemon.eventsPath)
        #expect("\(refused["error"] ?? "")".contains("control.sock"), "\(refused)")
        // The sockets are open before the workers are.
        var isScanning = false
        for _ in 0..<100 where !isScanning {
            isScanning = try daemon.status()["isScanning"] as? Bool == true
            if !isScanning { Thread.sleep(forTimeInterval: 0.1) }
        }
        #expect(isScanning)
    }

    @Test func scanningStopsAndStartsOnRequest() throws {
        let folder = try TemporaryDirectory()
        try Pictures.write(try Pictures.shelf(), to: folder.path + "/shelf.pgm")
        let daemon = try Daemon(["--source", folder.path + "/shelf.pgm", "--loop", "--types", "barcode"])
        let subscriber = try Subscriber(path: daemon.eventsPath)
        #expect(subscriber.waitForMessage(within: 20) { $0["method"] as? String == "didAdd" } != nil)
        _ = try daemon.request("stopScanning")
        let removed = subscriber.waitForMessage(within: 5) { $0["method"] as? String == "didRemove" }
        #expect("\(removed ?? [:])".contains("stopped"))
        let stopped = try daemon.waitForStatus(within: 5) { $0["isScanning"] as? Bool == false }
        #expect(stopped["items"] as? Int == 0)
        let adds = subscriber.items(of: "didAdd").count
        _ = try daemon.request("startScanning")
        _ = try daemon.waitForStatus(within: 20) { ($0["items"] as? Int ?? 0) == 5 }
        #expect(subscriber.items(of: "didAdd").count > adds)
    }

    @Test func aSubscriberThatNeverReadsHoldsNobodyUp() throws {
        let folder = try TemporaryDirectory()
        try Pictures.write(try Pictures.shelf(), to: folder.path + "/a.pgm")
        try Pictures.write(LumaBuffer(width: 1280, height: 720, filledWith: 255), to: folder.path + "/b.pgm")
        // Items come and go all the time: a picture and an empty one, each for two thirds of a second.
        let daemon = try Daemon([
            "--source", folder.path, "--loop", "--hold", "20", "--types", "barcode", "--wait-for-subscriber",
        ])
        let reader = try Subscriber(path: daemon.eventsPath)
        #expect(reader.waitForMessage(within: 20) { $0["method"] as? String == "didAdd" } != nil)
        // Side by side in one run, so that a busy machine slows both: some seconds without the silent client, then with.
        func frames() throws -> Int {
            let before = try daemon.status()["framesProcessed"] as? Int ?? 0
            sleep(6)
            return (try daemon.status()["framesProcessed"] as? Int ?? 0) - before
        }
        let alone = try frames()
        let silent = try Subscriber(path: daemon.eventsPath, reads: false)
        let beside = try frames()
        #expect(alone > 0)
        #expect(Double(beside) >= 0.6 * Double(alone), "\(beside) frames beside it, \(alone) alone")
        // Every event reaches the other one, and soon: it has what the server has.
        let newest = try daemon.request("getItems")["sequence"] as? Int ?? 0
        #expect(newest > 0)
        #expect(
            reader.waitForMessage(within: 5) {
                (($0["params"] as? [String: Any])?["sequence"] as? Int ?? 0) >= newest
            } != nil)
        withExtendedLifetime(silent) {}
        let sequences = reader.messages.dropFirst(2).compactMap {
            (($0["params"] as? [String: Any])?["sequence"]) as? Int
        }
        #expect(zip(sequences, sequences.dropFirst()).allSatisfy { $0 + 1 == $1 || $0 == $1 }, "a hole")
        #expect(!reader.hasEnded)
    }
}
