// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Foundation
import ImageKernels
import ScanTestSupport
import Testing

@Suite struct ScanningTests {
    @Test func aShelfIsAnnouncedOnceAndRemovedAtTheEnd() throws {
        let folder = try TemporaryDirectory()
        try Pictures.write(try Pictures.shelf(), to: folder.path + "/shelf.pgm")
        let daemon = try Daemon([
            "--source", folder.path + "/shelf.pgm", "--rate", "max", "--hold", "30", "--wait-for-subscriber", "--types",
            "barcode",
        ])
        let subscriber = try Subscriber(path: daemon.eventsPath)
        #expect(subscriber.waitForEnd(within: 60))
        #expect(try daemon.wait() == 0, "\(daemon.log)")
        #expect(subscriber.messages.first?["method"] as? String == "hello")
        #expect(subscriber.messages.dropFirst().first?["method"] as? String == "snapshot")
        let payloads = subscriber.announcedPayloads.map { String(decoding: $0, as: UTF8.self) }
        #expect(
            payloads.sorted() == [
                "15400141288763", "4006381333931", "LOT7731", "PALLET-0042", "https://wh.example/i/7",
            ])
        let removed = subscriber.items(of: "didRemove")
        #expect(removed.count == 5)
        #expect(removed.allSatisfy { $0["reason"] as? String == "stopped" })
        #expect(!FileManager.default.fileExists(atPath: daemon.eventsPath))
        #expect(!FileManager.default.fileExists(atPath: daemon.controlPath))
    }

    @Test(arguments: [true, false])
    func threeEqualLabelsAreThreeItems(sideBySide: Bool) throws {
        let folder = try TemporaryDirectory()
        let label = try Pictures.symbol("EANX", "4006381333931")
        let parts = (0..<3).map { index in
            sideBySide
                ? (picture: label, x: 30 + index * (label.width + 30), y: 100)
                : (picture: label, x: 200, y: 20 + index * (label.height + 24))
        }
        try Pictures.write(Pictures.compose(width: 1280, height: 720, parts), to: folder.path + "/three.pgm")
        let daemon = try Daemon([
            "--source", folder.path + "/three.pgm", "--rate", "max", "--hold", "30", "--wait-for-subscriber", "--types",
            "barcode",
        ])
        let subscriber = try Subscriber(path: daemon.eventsPath)
        #expect(subscriber.waitForEnd(within: 60))
        let added = subscriber.items(of: "didAdd")
        #expect(added.count == 3)
        #expect(Set(added.compactMap { $0["id"] as? String }).count == 3)
        #expect(subscriber.announcedPayloads.allSatisfy { $0 == Array("4006381333931".utf8) })
        #expect(added.allSatisfy { $0["gtin"] as? String == "04006381333931" })
    }

    @Test func eachRunGivesTheSameEvents() throws {
        let folder = try TemporaryDirectory()
        try Pictures.write(try Pictures.shelf(), to: folder.path + "/a.pgm")
        try Pictures.write(LumaBuffer(width: 1280, height: 720, filledWith: 200), to: folder.path + "/b.pgm")
        func events() throws -> [String] {
            let daemon = try Daemon([
                "--source", folder.path, "--rate", "max", "--hold", "40", "--wait-for-subscriber",
            ])
            let subscriber = try Subscriber(path: daemon.eventsPath)
            #expect(subscriber.waitForEnd(within: 120))
            return subscriber.messages.compactMap { message in
                guard let method = message["method"] as? String, method.hasPrefix("did"),
                    let params = message["params"] as? [String: Any], let frame = params["frame"] as? [String: Any],
                    let items = params["items"] as? [[String: Any]]
                else { return nil }
                let what = items.map { item in
                    let text = (item["payload"] as? [String: Any])?["base64"] ?? item["transcript"] ?? ""
                    let corner = (item["bounds"] as? [String: Any])?["topLeft"] ?? ""
                    return "\(text) \(corner) \(item["reason"] ?? "")"
                }
                return "\(method) \(frame["sequence"] ?? "") \(what)"
            }
        }
        let first = try events()
        #expect(first.count >= 2)
        #expect(try events() == first)
    }

    @Test func aRegionHidesWhatIsOutside() throws {
        let folder = try TemporaryDirectory()
        try Pictures.write(try Pictures.shelf(), to: folder.path + "/shelf.pgm")
        let daemon = try Daemon([
            "--source", folder.path + "/shelf.pgm", "--rate", "max", "--hold", "30", "--wait-for-subscriber", "--types",
            "barcode", "--region", "0,0,0.36,0.45",
        ])
        let subscriber = try Subscriber(path: daemon.eventsPath)
        #expect(subscriber.waitForEnd(within: 60))
        #expect(subscriber.announcedPayloads == [Array("4006381333931".utf8)])
    }

    @Test(arguments: [(90, false), (180, false), (270, false), (0, true)])
    func aSidewaysCameraIsTurnedBack(rotation: Int, mirrored: Bool) throws {
        let folder = try TemporaryDirectory()
        // The camera hangs so that its picture must be turned by `rotation` to be upright.
        let turned = Pictures.turned(
            try Pictures.shelf(), degrees: mirrored ? 0 : (360 - rotation) % 360, isMirrored: mirrored)
        try Pictures.write(turned, to: folder.path + "/shelf.pgm")
        let daemon = try Daemon(
            [
                "--source", folder.path + "/shelf.pgm", "--rate", "max", "--hold", "30", "--wait-for-subscriber",
                "--types", "barcode:QR",
            ] + (mirrored ? ["--mirror"] : ["--rotate", "\(rotation)"]))
        let subscriber = try Subscriber(path: daemon.eventsPath)
        #expect(subscriber.waitForEnd(within: 60))
        let items = subscriber.items(of: "didAdd")
        #expect(items.count == 1)
        let bounds = items.first?["bounds"] as? [String: [Double]]
        // The QR code stands at (60, 260) of 1280x720 in the upright picture.
        let corner = bounds?["topLeft"] ?? [0, 0]
        #expect(abs(corner[0] * 1280 - 96) < 40 && abs(corner[1] * 720 - 280) < 40, "\(corner)")
    }

    @Test func aStreamOnStandardInputIsScanned() throws {
        let shelf = try Pictures.shelf()
        var stream = Array("YUV4MPEG2 W1280 H720 F30:1 Ip A1:1 Cmono\n".utf8)
        for _ in 0..<40 { stream += Array("FRAME\n".utf8) + shelf.pixels }
        let folder = try TemporaryDirectory()
        try Data(stream).write(to: URL(fileURLWithPath: folder.path + "/in"))
        let input = open(folder.path + "/in", O_RDONLY | O_CLOEXEC)
        defer { close(input) }
        let daemon = try Daemon(
            ["--source", "-", "--rate", "max", "--wait-for-subscriber", "--types", "barcode"], input: input)
        let subscriber = try Subscriber(path: daemon.eventsPath)
        #expect(subscriber.waitForEnd(within: 60))
        #expect(subscriber.announcedPayloads.count == 5)
        #expect(try daemon.wait() == 0)
    }
}
