// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import DataScanner
import ImageKernels
import LinuxSystem
import ScanTestSupport
import Testing

/// The library as a Swift program uses it, recognition in process.
@Suite struct DataScannerTests {
    private static func picture(_ codes: [String]) -> LumaBuffer {
        var picture = LumaBuffer(width: 960, height: 540, filledWith: 230)
        for (index, code) in codes.enumerated() {
            picture.paste(SyntheticLabel.ean13(code), x: 40 + index % 2 * 460, y: 40 + index / 2 * 160)
        }
        return picture
    }

    private static func payloads(_ items: [RecognizedItem]) -> [String] {
        items.compactMap { if case .barcode(let barcode) = $0 { barcode.payload.string } else { nil } }
    }

    private func scanner(
        _ steps: [ScriptedSource.Step], multiple: Bool = true
    ) throws -> DataScanner {
        try DataScanner(
            recognizedDataTypes: [.barcode(symbologies: [.ean13])], recognizesMultipleItems: multiple,
            source: ScriptedSource(steps))
    }

    @Test func eventsTellWhatComesAndGoes() async throws {
        let scanner = try scanner([
            .show(Self.picture(["4006381333931", "8801234567893"]), frames: 20),
            .skip(reason: "torn"),
            .show(Self.picture(["4006381333931"]), frames: 40),
        ])
        let events = scanner.events
        try scanner.startScanning()
        var added: [RecognizedItem] = []
        var removed: [RemovedItem] = []
        for try await event in events {
            if case .didAdd(let items, let all, _) = event {
                added += items
                #expect(all.count == added.count - removed.count)
            }
            if case .didRemove(let items, let all, _) = event {
                removed += items
                #expect(all.count == added.count - removed.count)
            }
        }
        #expect(Self.payloads(added).sorted() == ["4006381333931", "8801234567893"])
        #expect(removed.map(\.reason) == [.gone, .stopped])
        #expect(Set(removed.map(\.item.id)) == Set(added.map(\.id)))
        #expect(scanner.status.framesSkipped == 1)
        #expect(scanner.status.framesProcessed == 60)
        #expect(scanner.status.framesDropped == 0)
        #expect(!scanner.isScanning)
        #expect(throws: ScannerError.sourceEnded) { try scanner.startScanning() }
    }

    @Test func recognizedItemsIsTheWholeList() async throws {
        let scanner = try scanner([.show(Self.picture(["4006381333931", "8801234567893"]), frames: 30)])
        let lists = scanner.recognizedItems
        try scanner.startScanning()
        var largest: [String] = []
        var last: [RecognizedItem]?
        for await items in lists {
            if items.count > largest.count { largest = Self.payloads(items) }
            last = items
        }
        #expect(largest.sorted() == ["4006381333931", "8801234567893"])
        #expect(last == [])
    }

    @Test func oneItemIsTheNearestToTheMiddle() async throws {
        var picture = Self.picture(["4006381333931"])
        picture.paste(SyntheticLabel.ean13("8801234567893"), x: 330, y: 220)
        let scanner = try scanner([.show(picture, frames: 30)], multiple: false)
        let events = scanner.events
        try scanner.startScanning()
        var added: [RecognizedItem] = []
        for try await event in events { if case .didAdd(let items, _, _) = event { added += items } }
        #expect(Self.payloads(added) == ["8801234567893"])
    }

    @Test func aLostSourceRemovesItemsOnce() async throws {
        let scanner = try scanner([
            .show(Self.picture(["4006381333931"]), frames: 20), .unavailable(.cameraLost), .unavailable(.cameraLost),
            .show(Self.picture(["4006381333931"]), frames: 20),
        ])
        let events = scanner.events
        try scanner.startScanning()
        var story: [String] = []
        for try await event in events {
            switch event {
            case .didAdd: story.append("add")
            case .didRemove(let items, _, _): story += items.map { "remove \($0.reason.rawValue)" }
            case .becameUnavailable(let code, _): story.append(code.rawValue)
            case .becameAvailable: story.append("available")
            case .didUpdate, .guidance: break
            }
        }
        #expect(story == ["add", "remove sourceLost", "cameraLost", "available", "add", "remove stopped"])
    }

    @Test func stoppingEmptiesTheListAndStartingFillsIt() async throws {
        let scanner = try scanner([.show(Self.picture(["4006381333931"]), frames: 10_000_000)])
        let events = scanner.events
        try scanner.startScanning()
        var adds = 0
        var isStopped = false
        for try await event in events {
            switch event {
            case .didAdd:
                adds += 1
                if adds == 1 { scanner.stopScanning() } else { scanner.shutDown() }
            case .didRemove(let items, let all, _):
                #expect(items.map(\.reason) == [.stopped])
                #expect(all.isEmpty)
                if !isStopped {
                    isStopped = true
                    try scanner.startScanning()
                }
            default: break
            }
        }
        #expect(adds == 2)
    }

    @Test func theLastOfStopAndStartCounts() async throws {
        // The stop comes while a look is in work, the start from the event that the look gives.
        let restart = Restart()
        let scanner = try DataScanner(
            source: ScriptedSource([.show(Self.picture(["4006381333931"]), frames: 10_000_000)]),
            configuration: ScannerConfiguration(
                recognizedDataTypes: [.barcode(symbologies: [.ean13])], recognizesMultipleItems: true),
            onEvent: { if case .didAdd = $0 { restart.stopAndStart() } })
        restart.use(scanner)
        try scanner.startScanning()
        let limit = MonotonicTime.now + .seconds(20)
        while restart.count == 0, MonotonicTime.now < limit { try await Task.sleep(for: .milliseconds(5)) }
        #expect(restart.count > 0)
        let frames = scanner.status.framesProcessed
        // Afresh: the tests beside this one may have held its task up for long.
        let secondLimit = MonotonicTime.now + .seconds(20)
        while scanner.status.framesProcessed < frames + 100, MonotonicTime.now < secondLimit {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(scanner.isScanning)
        #expect(scanner.status.framesProcessed >= frames + 100)
        restart.use(nil)
        scanner.shutDown()
    }

    @Test func nothingToLookForIsAnError() throws {
        #expect(throws: ScannerError.nothingToRecognize) {
            _ = try DataScanner(
                recognizedDataTypes: [.barcode(symbologies: [.gs1DataBarLimited])], source: ScriptedSource([]))
        }
    }

    @Test func aForgottenScannerEnds() throws {
        weak var forgotten: DataScanner?
        do {
            let scanner = try scanner([.show(Self.picture(["4006381333931"]), frames: 10_000_000)])
            try scanner.startScanning()
            forgotten = scanner
        }
        #expect(forgotten == nil)
    }
}

/// Stops and starts a scanner once, from within its own event.
private final class Restart: Sendable {
    private let state = Monitor<(scanner: DataScanner?, count: Int)>((nil, 0))

    var count: Int { state.withLock { $0.count } }

    func use(_ scanner: DataScanner?) { state.withLock { $0.scanner = scanner } }

    func stopAndStart() {
        let scanner = state.withLock { state -> DataScanner? in
            state.count += 1
            return state.count == 1 ? state.scanner : nil
        }
        scanner?.stopScanning()
        try? scanner?.startScanning()
    }
}
