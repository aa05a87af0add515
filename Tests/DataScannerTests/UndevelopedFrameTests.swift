// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import DataScanner
import Glibc
import ImageKernels
import LinuxSystem
import ScanTestSupport
import Testing

/// Frames of a camera that sends JPEGs: decoded when a look wants them.
@Suite struct UndevelopedFrameTests {
    private static let code = "4006381333931"

    private static let picture: LumaBuffer = {
        var picture = LumaBuffer(width: 1600, height: 900, filledWith: 230)
        picture.paste(SyntheticLabel.ean13(code), x: 60, y: 60)
        return picture
    }()

    /// What happened, in order.
    private struct Story {
        var events: [String] = []
        var notices: [String] = []
        var status = ScannerStatus()
    }

    private func play(
        _ steps: [ScriptedSource.Step], types: [RecognizedDataType] = [.barcode(symbologies: [.ean13])],
        region: RegionOfInterest = .full, isUnpaced: Bool = true
    ) async throws -> Story {
        let notices = Monitor<[String]>([])
        let scanner = try DataScanner(
            source: ScriptedSource(steps, isUnpaced: isUnpaced),
            configuration: ScannerConfiguration(
                recognizedDataTypes: types, recognizesMultipleItems: true, regionOfInterest: region,
                onNotice: { notice in
                    switch notice {
                    case .frameSkipped(let sequence, let subject, let reason):
                        notices.withLock { $0.append("\(sequence) \(subject): \(reason)") }
                    case .framesReadAgain: notices.withLock { $0.append("read again") }
                    default: break
                    }
                }))
        let events = scanner.events
        try scanner.startScanning()
        var story = Story()
        for try await event in events {
            switch event {
            case .didAdd(let items, _, let frame): story.events += items.map { _ in "add \(frame.sequence)" }
            case .didRemove(let items, _, _): story.events += items.map { "remove \($0.reason.rawValue)" }
            case .becameUnavailable(let code, _): story.events.append(code.rawValue)
            case .becameAvailable: story.events.append("available")
            case .didUpdate, .guidance: break
            }
        }
        story.notices = notices.withLock { $0 }
        story.status = scanner.status
        return story
    }

    @Test func ofASceneWithoutItemsOnlyWhatIsLookedAtIsDecoded() async throws {
        let decoded = Monitor<[UInt64]>([])
        // The picture shows an EAN-13.
        let story = try await play(
            [.showUndeveloped(Self.picture, frames: 200) { number in decoded.withLock { $0.append(number) } }],
            types: [.barcode(symbologies: [.qr])])
        let numbers = decoded.withLock { $0 }
        // By the table of costs, a look at this picture takes 32 ms of a budget of 20 ms a frame.
        #expect((100...160).contains(numbers.count))
        #expect(Set(numbers).count == numbers.count)
        #expect(story.status.framesDecoded == numbers.count)
        #expect(story.status.barcodeLooks == numbers.count)
        #expect(story.status.framesProcessed == 200 && story.status.framesSkipped == 0)
        #expect(story.events.isEmpty)
    }

    @Test func anItemIsFollowedThroughEachFrame() async throws {
        let decoded = Monitor<[UInt64]>([])
        let story = try await play([
            .showUndeveloped(Self.picture, frames: 200) { number in decoded.withLock { $0.append(number) } }
        ])
        let numbers = decoded.withLock { $0 }
        #expect(numbers == Array(0..<200))
        #expect(story.status.framesDecoded == 200)
        #expect((100...160).contains(story.status.barcodeLooks))
        #expect(story.events.last == "remove stopped" && story.events.count == 2)
    }

    @Test func twoLooksDecodeAFrameOnce() async throws {
        let decoded = Monitor<[UInt64]>([])
        let story = try await play(
            [.showUndeveloped(Self.picture, frames: 30) { number in decoded.withLock { $0.append(number) } }],
            types: [.barcode(symbologies: [.ean13]), .text(languages: ["eng"])])
        let numbers = decoded.withLock { $0 }
        #expect(Set(numbers).count == numbers.count)
        #expect(story.status.framesDecoded == numbers.count)
        // The first frame has a look of each kind.
        #expect(story.status.barcodeLooks + story.status.textLooks > numbers.count)
    }

    @Test func nothingIsDecodedWhereNothingIsLookedAt() async throws {
        let decoded = Monitor(0)
        let region = try #require(RegionOfInterest(Rect(x: 0.2, y: 0.2, width: 0.00001, height: 0.00001)))
        let story = try await play(
            [.showUndeveloped(Self.picture, frames: 20) { _ in decoded.withLock { $0 += 1 } }], region: region)
        #expect(decoded.withLock { $0 } == 0)
        #expect(story.status.framesDecoded == 0 && story.status.framesProcessed == 20)
    }

    @Test func aDamagedFrameIsSkippedAndTheNextOneIsLookedAt() async throws {
        let asked = Monitor<[UInt64]>([])
        // Damage comes in bursts that are longer than it takes to miss an item.
        let story = try await play([
            .showUndeveloped(Self.picture, frames: 150) { (number) throws(PictureError) in
                asked.withLock { $0.append(number) }
                if number >= 20, number % 50 < 40 { throw .damaged("half of it is grey") }
            }
        ])
        let numbers = asked.withLock { $0 }
        let damaged = numbers.filter { $0 >= 20 && $0 % 50 < 40 }
        // A look that could not be had is due again at once: each damaged frame is tried.
        #expect(damaged.count == 100)
        #expect(story.status.framesSkipped == 100)
        #expect(story.status.framesDecoded == numbers.count - 100)
        #expect(story.status.framesProcessed == 50)
        #expect(story.status.lastSkipped?.reason == "the picture is damaged: half of it is grey")
        #expect(story.events == ["add 1", "remove stopped"])
        // Ten frames in between are no end of the spell.
        #expect(!story.notices.contains("read again"))
        #expect(story.notices.first == "20 script: the picture is damaged: half of it is grey")
    }

    @Test func aSpellOfDamageEndsWithTenSecondsOfWholeFrames() async throws {
        let story = try await play([
            .showUndeveloped(Self.picture, frames: 660) { (number) throws(PictureError) in
                if number == 5 || number == 20 || number >= 650 { throw .damaged("half of it is grey") }
            }
        ])
        let kinds = story.notices.map { $0 == "read again" ? "again" : "skipped" }
        #expect(
            Array(kinds.prefix(4)) == ["skipped", "skipped", "again", "skipped"] && kinds.count { $0 == "again" } == 1)
    }

    @Test func aFrameOfBeforeTheLossIsNoReturn() async throws {
        // Slow enough for the loss to come while a frame waits for the pipeline, and another one is looked at.
        for _ in 0..<5 {
            let story = try await play(
                [
                    .showUndeveloped(Self.picture, frames: 40) { _ in usleep(10_000) }, .unavailable(.cameraLost),
                ], isUnpaced: false)
            #expect(story.events.last == "cameraLost", "\(story.events)")
            #expect(!story.events.contains("available"))
        }
    }

    @Test func aSourceIsBackWithItsFirstWholeFrame() async throws {
        let story = try await play([
            .unavailable(.cameraLost),
            .showUndeveloped(Self.picture, frames: 10) { (number) throws(PictureError) in
                if number < 6 { throw .damaged("torn") }
            },
        ])
        #expect(story.events.first == "cameraLost")
        #expect(story.events.dropFirst().first == "available")
        #expect(story.status.framesSkipped == 5 && story.status.framesProcessed == 5)
    }

    @Test func damageAloneMakesNoSourceAvailable() async throws {
        let story = try await play([
            .unavailable(.noFrames),
            .showUndeveloped(Self.picture, frames: 10) { (_) throws(PictureError) in throw .damaged("torn") },
        ])
        #expect(story.events == ["noFrames"])
        #expect(story.status.unavailability == .noFrames && story.status.framesSkipped == 10)
    }
}
