// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import Foundation
import ImageKernels
import LinuxSystem
import ScanClient
import ScanModel
import ScanProtocol
import ScanServer
import ScanTestSupport
import Testing

/// `datascan record` against a server whose camera the test plays: the real one is in the virtual machine's tests.
@Suite struct RecordTests {
    /// A server with a camera that gives what it is told to.
    private final class Studio {
        struct Handler: ScanRequestHandler {
            func status() -> StatusReport { StatusReport() }
            func startScanning() -> Result<Void, RequestFailure> { .success(()) }
            func stopScanning() -> Result<Void, RequestFailure> { .success(()) }
            var symbologyEngines: [Wire.SymbologyEngines] { [] }
            var supportedTextRecognitionLanguages: [String] { [] }
        }

        let folder: TemporaryDirectory
        let camera: PlayedCamera
        let server: ScanServer
        private let thread = Monitor<NamedThread?>(nil)
        private let isOver = Monitor(false)

        init(_ camera: PlayedCamera = PlayedCamera()) throws {
            self.camera = camera
            folder = try TemporaryDirectory()
            server = try ScanServer(
                configuration: ServerConfiguration(directory: folder.path, camera: "studio", version: "0"),
                handler: Handler(), frames: camera, log: { _, _ in })
            try server.start()
        }

        deinit {
            isOver.signal { $0 = true }
            thread.withLock { $0 }?.join()
            server.finish(within: .seconds(1))
        }

        /// Gives frame after frame to whoever records, until `last`; then does what comes after.
        func play(
            upTo last: Int = .max, pause: Duration = .milliseconds(2),
            _ give: @escaping @Sendable (PlayedCamera, Int) -> Void,
            then finish: @escaping @Sendable (PlayedCamera) -> Void = { _ in }
        ) {
            let started = NamedThread("player") { [camera, isOver] in
                var number = 0
                while number < last, !isOver.withLock({ $0 }) {
                    guard camera.isObserved else {
                        _ = isOver.wait(until: .now + .milliseconds(1)) { $0 ? true : nil }
                        continue
                    }
                    give(camera, number)
                    number += 1
                    _ = isOver.wait(until: .now + pause) { $0 ? true : nil }
                }
                finish(camera)
            }
            thread.withLock { $0 = started }
        }

        func path(_ name: String) -> String { folder.path + "/" + name }
        func text(_ name: String) -> String {
            String(decoding: FileManager.default.contents(atPath: path(name)) ?? Data(), as: UTF8.self)
        }
        func size(_ name: String) -> Int { FileManager.default.contents(atPath: path(name))?.count ?? -1 }

        func record(_ name: String, _ options: [String] = [], prefix: String = "") throws -> Finished {
            let words = ["record", path(name), "--socket-dir", folder.path] + options
            return try shell(prefix + "exec " + ([Programs.datascan] + words).joined(separator: " "))
        }
    }

    private static let jpeg: [UInt8] = {
        (try? LumaBuffer(width: 640, height: 480, filledWith: 90).withView {
            try JPEGEncoder.encode(luma: $0, quality: 80)
        }) ?? []
    }()

    private static let giveJPEG: @Sendable (PlayedCamera, Int) -> Void = { $0.give($1, RecordTests.jpeg) }

    private func replayed(_ path: String) throws -> Int {
        var options = ReplayOptions()
        options.rate = .unpaced()
        let source = try ReplaySource(path: path, options: options)
        let pool = try FramePool(slotCount: 2, maximumPixels: 1 << 20)
        let never = try EventDescriptor()
        while case .frame = source.next(into: pool, cancellation: never) {}
        #expect(source.counters.skipped == 0)
        return Int(source.counters.delivered)
    }

    @Test func aReplayIsNotRecordedAndThatIsSaid() throws {
        let folder = try TemporaryDirectory()
        try Pictures.write(try Pictures.shelf(), to: folder.path + "/shelf.pgm")
        let daemon = try Daemon(["--source", folder.path + "/shelf.pgm", "--loop", "--types", "barcode"])
        let result = try run(
            Programs.datascan, ["record", folder.path + "/clip.mjpeg", "--socket-dir", daemon.folder.path])
        #expect(result.status == 69)
        #expect(result.errors.contains("the source is a replay (\(folder.path)/shelf.pgm)"), "\(result.errors)")
        #expect(result.output.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/clip.mjpeg"))
        let answer = try daemon.exchange(#"{"jsonrpc":"2.0","id":1,"method":"recordFrames"}"#)
        #expect((answer["error"] as? [String: Any])?["code"] as? Int == -32003)
        #expect(try daemon.status()["recordings"] as? Int == 0)
    }

    @Test func whatTheCameraGivesIsWrittenAndReplayed() throws {
        let studio = try Studio()
        studio.play(RecordTests.giveJPEG)
        let clip = try studio.record("clip.mjpeg", ["--frames", "20"])
        #expect(clip.status == 0, "\(clip.errors)")
        let summary = Subscriber.parse(clip.output)
        #expect(summary["frames"] as? Int == 20 && summary["ended"] as? String == "frames")
        #expect(summary["dropped"] as? Int == 0 && summary["path"] as? String == studio.path("clip.mjpeg"))
        #expect(studio.size("clip.mjpeg") == 20 * RecordTests.jpeg.count)
        #expect(try replayed(studio.path("clip.mjpeg")) == 20)

        let shots = try studio.record("shots", ["--frames", "5"])
        #expect(shots.status == 0, "\(shots.errors)")
        #expect(try replayed(studio.path("shots")) == 5)
        let about = Subscriber.parse(studio.text("shots/recording.json"))
        #expect(about["name"] as? String == "Played Camera" && about["format"] as? String == "MJPG")
        #expect(about["stablePath"] as? String == "/dev/v4l/by-id/played-camera")
        #expect((about["controls"] as? [[String: Any]])?.first?["value"] as? Int == 50)
        #expect(about["frames"] as? Int == 5 && about["ended"] as? String == "frames")
        #expect(about["version"] is String)
    }

    @Test func aRawFormatBecomesAFilmOrPictures() throws {
        let studio = try Studio()
        studio.play { camera, number in
            camera.give(
                number, [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 64 * 48), format: "GREY",
                width: 64,
                height: 48, bytesPerLine: 64)
        }
        let refused = try studio.record("clip.mjpeg")
        #expect(refused.status == 78 && refused.errors.contains("--format MJPG"), "\(refused.errors)")
        for name in ["film.y4m", "shots"] {
            let result = try studio.record(name, ["--frames", "4"])
            #expect(result.status == 0, "\(result.errors)")
            #expect(try replayed(studio.path(name)) == 4)
        }
        #expect(studio.text("film.y4m").hasPrefix("YUV4MPEG2 W64 H48 F25:1 "))
        #expect(studio.size("shots/000000.pgm") == 64 * 48 + 13)
    }

    @Test func itEndsInGoodOrderOnASignal() throws {
        let studio = try Studio()
        studio.play(RecordTests.giveJPEG)
        for (name, signal) in [("int.mjpeg", "INT"), ("term.mjpeg", "TERM")] {
            // The signal comes once there is something to see.
            let path = studio.path(name)
            let line =
                "\(Programs.datascan) record \(path) --socket-dir \(studio.folder.path) & "
                + "until [ -s \(path) ]; do sleep 0.05; done; kill -\(signal) $!; wait $!"
            let result = try shell("set -m; " + line)
            #expect(result.status == 0, "\(result.status) \(result.errors)")
            let summary = Subscriber.parse(result.output)
            #expect(summary["ended"] as? String == "interrupted")
            #expect(try replayed(path) == summary["frames"] as? Int)
        }
    }

    @Test func itEndsAtItsSizeAndTime() throws {
        let studio = try Studio()
        studio.play(RecordTests.giveJPEG)
        let size = try studio.record("size.mjpeg", ["--max-size", "1"])
        #expect(size.status == 0 && Subscriber.parse(size.output)["ended"] as? String == "size", "\(size.errors)")
        #expect(studio.size("size.mjpeg") + studio.size("size.mjpeg.times") <= 1 << 20)
        // A second by the frames' own times, of which 25 make one.
        let time = try studio.record("time.mjpeg", ["--seconds", "1"])
        #expect(time.status == 0 && Subscriber.parse(time.output)["ended"] as? String == "seconds", "\(time.errors)")
        #expect(Subscriber.parse(time.output)["frames"] as? Int == 25)
    }

    /// A limit of the file's size stands in for a full disk: it too cuts a write in the middle of a frame.
    @Test(
        .enabled(if: !CurrentProcess.isSanitized, "a sanitizer's own files do not fit the limit"),
        arguments: ["clip.mjpeg", "film.y4m"]
    )
    func aFullDiskIsSaidAndWhatIsThereIsWhole(name: String) throws {
        let studio = try Studio()
        studio.play { camera, number in
            name.hasSuffix("mjpeg")
                ? camera.give(number, RecordTests.jpeg)
                : camera.give(
                    number, [UInt8](repeating: 5, count: 64 * 48), format: "GREY", width: 64, height: 48,
                    bytesPerLine: 64)
        }
        let limit = (name.hasSuffix("mjpeg") ? RecordTests.jpeg.count : 64 * 48) * 7 / 2
        let result = try studio.record(name, prefix: "ulimit -f \(limit / 512); ")
        #expect(result.status == 74, "\(result.errors)")
        #expect(result.errors.contains("File too large") && result.errors.contains("whole"), "\(result.errors)")
        let frames = try #require(Subscriber.parse(result.output)["frames"] as? Int)
        #expect((1...3).contains(frames))
        #expect(try replayed(studio.path(name)) == frames)
        #expect(studio.text(name + ".times").split(separator: "\n").count == frames + 1)
    }

    @Test func aLossIsSaidAndWhatIsThereIsWhole() throws {
        let studio = try Studio()
        studio.play(upTo: 7, RecordTests.giveJPEG) { $0.end(.unavailable, "cameraLost: the camera was unplugged") }
        let result = try studio.record("clip.mjpeg")
        #expect(result.status == 69)
        #expect(result.errors.contains("cameraLost: the camera was unplugged; what was written"), "\(result.errors)")
        #expect(Subscriber.parse(result.output)["frames"] as? Int == 7)
        #expect(try replayed(studio.path("clip.mjpeg")) == 7)
    }

    @Test func aCameraThatIsNotThereIsWaitedForAsLongAsAsked() throws {
        let camera = PlayedCamera(failure: RequestFailure("cameraLost: it is not plugged in", isTemporary: true))
        let studio = try Studio(camera)
        let refused = try studio.record("clip.mjpeg")
        #expect(refused.status == 69 && refused.errors.contains("cameraLost: it is not plugged in"))
        studio.play(RecordTests.giveJPEG)
        let plug = NamedThread("plug") {
            _ = Monitor(()).wait(until: .now + .milliseconds(300)) { _ in nil as Bool? }
            camera.fail(nil)
        }
        let waited = try studio.record("clip.mjpeg", ["--wait", "60", "--frames", "3"])
        plug.join()
        #expect(waited.status == 0, "\(waited.errors)")
    }

    @Test func nothingIsOverwrittenUnlessAsked() throws {
        let studio = try Studio()
        studio.play(RecordTests.giveJPEG)
        for name in ["clip.mjpeg", "shots"] {
            #expect(try studio.record(name, ["--frames", "5"]).status == 0)
            let refused = try studio.record(name, ["--frames", "2"])
            #expect(refused.status == 73 && refused.errors.contains("--force"), "\(refused.errors)")
            #expect(try replayed(studio.path(name)) == 5)
            #expect(try studio.record(name, ["--frames", "2", "--force"]).status == 0)
            #expect(try replayed(studio.path(name)) == 2)
        }
    }

    @Test(arguments: [[Int64.max, -Int64.max], [7, Int64.max], [Int64.min, Int64.max]])
    func timesThatNoClockTellsAreAnErrorOfTheProtocol(times: [Int64]) throws {
        let studio = try Studio()
        studio.play { $0.give($1, RecordTests.jpeg, monotonic: times[min($1, 1)]) }
        let result = try studio.record("clip.mjpeg", ["--frames", "3"])
        let believed = times[0] == 7
        #expect(result.status == (believed ? 69 : 76), "\(result.status) \(result.errors)")
        #expect(result.errors.contains("makes no sense"), "\(result.errors)")
        #expect(FileManager.default.fileExists(atPath: studio.path("clip.mjpeg")) == believed)
    }

    @Test(arguments: ["clip.mjpeg", "shots"]) func aFrameThatDoesNotFitLeavesWhatWasThere(name: String) throws {
        let studio = try Studio()
        let large = [UInt8](repeating: 5, count: 3 << 20)
        studio.play { $0.give($1, $1 < 5 ? RecordTests.jpeg : large) }
        #expect(try studio.record(name, ["--frames", "5"]).status == 0)
        let before = try replayed(studio.path(name))
        for (options, left) in [(["--force"], before), ([], 0)] {
            if left == 0 { try FileManager.default.removeItem(atPath: studio.path(name)) }
            if left == 0, name == "clip.mjpeg" {
                try FileManager.default.removeItem(atPath: studio.path("clip.mjpeg.times"))
            }
            let result = try studio.record(name, ["--max-size", "1"] + options)
            #expect(
                result.status == 73 && result.errors.contains("--max-size; nothing was written"), "\(result.errors)")
            #expect(result.output.isEmpty)
            #expect(FileManager.default.fileExists(atPath: studio.path(name)) == (left > 0))
            if left > 0 { #expect(try replayed(studio.path(name)) == left) }
        }
    }

    @Test(
        .enabled(if: !CurrentProcess.isSanitized, "a sanitizer's own files do not fit the limit"),
        arguments: ["clip.mjpeg", "shots"]
    )
    func aDiskThatIsFullAtTheFirstFrameLeavesWhatWasThere(name: String) throws {
        let studio = try Studio()
        studio.play(RecordTests.giveJPEG)
        let full = "ulimit -f 1; "
        let refused = try studio.record(name, prefix: full)
        #expect(refused.status == 74 && refused.errors.contains("nothing was written"), "\(refused.errors)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: studio.folder.path).allSatisfy { !$0.contains(name) })
        #expect(try studio.record(name, ["--frames", "5"]).status == 0)
        #expect(try studio.record(name, ["--force"], prefix: full).status == 74)
        #expect(try replayed(studio.path(name)) == 5)
    }

    @Test(arguments: [
        (["/dev/zero", "clip.mjpeg"], Int32(66), "is no camera"), (["/dev/null", "shots"], 66, "is no camera"),
        (["auto", "missing/clip.mjpeg"], 73, "no such directory"),
        (["auto", "missing/shots"], 73, "no such directory"),
    ])
    func whatCanNotBecomeARecordingIsNotWaitedFor(words: [String], status: Int32, part: String) throws {
        let folder = try TemporaryDirectory()
        let start = MonotonicTime.now
        let result = try run(
            Programs.datascan,
            ["record", folder.path + "/" + words[1], "--source", words[0], "--wait", "3600"])
        #expect(result.status == status, "\(result.errors)")
        #expect(result.errors.contains(part), "\(result.errors)")
        #expect(MonotonicTime.now - start < .seconds(60))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test(arguments: [
        (["clip.avi"], Int32(73), ".avi is not written"), (["clip.mjpeg", "--size", "640x480"], 64, "need --source"),
        (["clip.mjpeg", "--seconds", "0"], 64, "--seconds"), ([], 64, "something is missing"),
        (["clip.mjpeg"], 69, "there is no such socket"),
    ])
    func refusalsSayWhy(arguments: [String], status: Int32, part: String) throws {
        let folder = try TemporaryDirectory()
        let result = try run(Programs.datascan, ["record", "--socket-dir", folder.path] + arguments)
        #expect(result.status == status, "\(result.errors)")
        #expect(result.errors.contains(part), "\(result.errors)")
        #expect(result.output.isEmpty)
    }
}
