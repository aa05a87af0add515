// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Foundation
import ScanTestSupport
import Testing

/// The public pictures with truth, where they lie beside the package.
@Suite struct SharedPicturesTests {
    @Test(
        .enabled(if: Repository.shared != nil, "the pictures are not there: ../shared/data"),
        arguments: [
            "fast", "balanced", "accurate",
        ])
    func everyEasyPictureIsReadAndNothingElse(quality: String) throws {
        let data = (Repository.shared ?? "") + "/data/first"
        let manifest = try String(contentsOfFile: data + "/manifest.tsv", encoding: .utf8)
        var truth = Set<String>()
        for line in manifest.split(separator: "\n").dropFirst() {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            let text = try JSONDecoder().decode(String.self, from: Data(fields[2].utf8))
            truth.insert(canonical(text))
        }
        let daemon = try Daemon([
            "--source", data, "--rate", "max", "--hold", "12", "--wait-for-subscriber", "--types", "barcode",
            "--quality", quality,
        ])
        let subscriber = try Subscriber(path: daemon.eventsPath)
        #expect(subscriber.waitForEnd(within: 240))
        #expect(try daemon.wait() == 0, "\(daemon.log)")
        let read = Set(subscriber.announcedPayloads.map { canonical(String(decoding: $0, as: UTF8.self)) })
        #expect(truth.subtracting(read) == [], "not announced")
        #expect(read.subtracting(truth) == [], "announced and not printed")
    }

    /// UPC-A is EAN-13 with a leading zero; UPC-E is compared as it is printed.
    private func canonical(_ text: String) -> String {
        text.count == 12 && text.allSatisfy(\.isNumber) ? "0" + text : text
    }

    @Test(.enabled(if: Repository.shared != nil, "the judge is not there: ../shared/tools"))
    func theSampleIsJudgedWithoutFault() throws {
        let samples = Repository.root + "/Samples"
        let daemon = try Daemon([
            "--source", samples + "/shelf.mjpeg", "--rate", "max", "--wait-for-subscriber",
        ])
        let subscriber = try Subscriber(path: daemon.eventsPath)
        #expect(subscriber.waitForEnd(within: 300))
        #expect(try daemon.wait() == 0, "\(daemon.log)")
        let folder = try TemporaryDirectory()
        try FileManager.default.copyItem(
            atPath: samples + "/shelf.truth.jsonl", toPath: folder.path + "/truth.jsonl")
        try FileManager.default.copyItem(atPath: samples + "/shelf.scene.json", toPath: folder.path + "/scene.json")
        try subscriber.lines.joined(separator: "\n").write(
            toFile: folder.path + "/events.ndjson", atomically: true, encoding: .utf8)
        let judged = try run(
            "/usr/bin/env",
            [
                "python3", (Repository.shared ?? "") + "/tools/score_events.py", folder.path,
                folder.path + "/events.ndjson", "--json",
            ])
        #expect(judged.status == 0, "\(judged.errors)")
        let score = Subscriber.parse(judged.output)
        for measure in ["wrong", "ghosts", "extra", "idsw", "protocol"] {
            #expect(score[measure] as? Int == 0, "\(measure) in \(judged.output)")
        }
        let ever = (score["ever"] as? String ?? "").split(separator: "/")
        #expect(ever.count == 2 && ever[0] == ever[1] && ever[0] != "0", "\(judged.output)")
    }
}
