// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel
import ScanTestSupport
import Scheduling
import Testing

/// Runs a scheduler over frames at 30/s with readers that take a given time.
private struct Bench {
    var scheduler: ScanScheduler
    var attention = SchedulerAttention()
    var width = 1920
    var height = 1080
    /// CPU and wall time of a look.
    var barcodeTime = Duration.milliseconds(114)
    var textTime = Duration.milliseconds(8)
    var linesRead = 0
    /// Whether jobs are awaited within their frame, as with `--rate max`.
    var isAwaited = false
    private(set) var barcodeFrames: [Int] = []
    private(set) var textLooks: [(frame: Int, look: ScanPlan.TextLook)] = []
    private var barcodeDone: MonotonicTime?
    private var textDone: MonotonicTime?
    private(set) var frame = 0
    private let clock = ManualClock()

    init(_ change: (inout SchedulerSettings) -> Void = { _ in }) {
        var settings = SchedulerSettings()
        change(&settings)
        scheduler = ScanScheduler(settings: settings)
    }

    var now: MonotonicTime { clock.stamp(UInt64(frame)).monotonic }
    var textFrames: [Int] { textLooks.map(\.frame) }

    mutating func run(frames: Int, region: Rect = Rect(x: 0, y: 0, width: 1, height: 1)) {
        for _ in 0..<frames {
            let now = self.now
            if let done = barcodeDone, done <= now { finishBarcodes(region, now) }
            if let done = textDone, done <= now { finishText(now) }
            let plan = scheduler.plan(
                frame: clock.stamp(UInt64(frame)), width: width, height: height, region: region,
                isBarcodeReaderFree: barcodeDone == nil, isTextReaderFree: textDone == nil, attention: attention,
                now: now)
            if plan.barcodes != nil {
                barcodeFrames.append(frame)
                barcodeDone = now + barcodeTime
                if isAwaited { finishBarcodes(region, now) }
            }
            if let look = plan.text {
                textLooks.append((frame, look))
                textDone = now + textTime
                if isAwaited { finishText(now) }
            }
            frame += 1
        }
    }

    mutating func pause(frames: Int) { frame += frames }

    private mutating func finishBarcodes(_ region: Rect, _ now: MonotonicTime) {
        let pixels = Int(Double(width * height) * region.area)
        scheduler.finished(.barcodes, cpuTime: barcodeTime, pixels: pixels, now: now)
        barcodeDone = nil
    }

    private mutating func finishText(_ now: MonotonicTime) {
        scheduler.finished(.text, cpuTime: textTime, pixels: width * height, linesRead: linesRead, now: now)
        textDone = nil
    }
}

@Suite struct SchedulerTests {
    private let line = Quad(Rect(x: 0.2, y: 0.2, width: 0.3, height: 0.02))

    @Test func theFirstFrameIsLookedAtAtOnce() {
        var bench = Bench()
        bench.run(frames: 1)
        #expect(bench.barcodeFrames == [0] && bench.textFrames == [0])
    }

    @Test func barcodesStayWithinTheirShare() {
        var bench = Bench()
        bench.run(frames: 900)
        let share = Double(bench.barcodeFrames.count) * 0.114 / 30
        #expect(share > 0.57 && share < 0.63)
    }

    @Test func cheapLooksAreHadAtEachFrame() {
        var bench = Bench()
        bench.barcodeTime = .milliseconds(10)
        bench.run(frames: 300)
        // The table is dearer than this machine: a few looks teach that.
        #expect(bench.barcodeFrames.suffix(200) == Array(100..<300)[...])
    }

    @Test func aSmallRegionIsCheaper() {
        var bench = Bench { $0.costModel = .fixed }
        bench.isAwaited = true
        bench.run(frames: 300, region: Rect(x: 0, y: 0, width: 0.25, height: 0.25))
        #expect(bench.barcodeFrames.count == 300)
    }

    @Test func uncertainCandidatesAreLookedAtMoreOftenForAWhile() {
        var bench = Bench { $0.costModel = .fixed }
        bench.isAwaited = true
        bench.run(frames: 300)
        let before = bench.barcodeFrames.count
        bench.attention.uncertainBarcodes = 1
        bench.run(frames: 30)
        let hurried = bench.barcodeFrames.count - before
        bench.run(frames: 870)
        let after = bench.barcodeFrames.filter { $0 >= 900 }.count
        // 11 looks a second beside a plain scan, then 22, and later, for a phantom that stays, little more than before.
        #expect(hurried >= 20)
        #expect((125...140).contains(after))
    }

    @Test(arguments: [(QualityLevel.fast, 0.5), (.balanced, 1), (.accurate, 2)])
    func theSweepIsKeptOnASlowMachine(level: QualityLevel, sweep: Double) {
        var bench = Bench { $0.qualityLevel = level }
        bench.barcodeTime = .seconds(sweep * 0.9)
        bench.run(frames: 600)
        let gaps = zip(bench.barcodeFrames, bench.barcodeFrames.dropFirst()).map { $1 - $0 }
        #expect(gaps.allSatisfy { Double($0) <= sweep * 30 + 1 })
        #expect(!gaps.isEmpty)
    }

    @Test func aReaderThatIsBusyGetsNoSecondLook() {
        var bench = Bench()
        bench.barcodeTime = .seconds(5)
        bench.run(frames: 140)
        #expect(bench.barcodeFrames == [0])
    }

    @Test func aFrameIsLookedAtOnce() {
        var scheduler = ScanScheduler(settings: SchedulerSettings())
        let stamp = ManualClock().stamp(5)
        func plan() -> ScanPlan {
            scheduler.plan(
                frame: stamp, width: 64, height: 64, region: Rect(x: 0, y: 0, width: 1, height: 1),
                isBarcodeReaderFree: true, isTextReaderFree: true, attention: SchedulerAttention(),
                now: stamp.monotonic)
        }
        #expect(plan().barcodes != nil)
        scheduler.failed(.barcodes, now: stamp.monotonic)
        #expect(plan() == ScanPlan())
    }

    @Test func whatIsNotWantedIsNotPlanned() {
        var bench = Bench { $0.wantsText = false }
        bench.run(frames: 100)
        #expect(bench.textFrames.isEmpty && !bench.barcodeFrames.isEmpty)
        var other = Bench { $0.wantsBarcodes = false }
        other.run(frames: 100)
        #expect(other.barcodeFrames.isEmpty && !other.textFrames.isEmpty)
    }

    @Test func textThatIsSettledIsVerifiedInASlowRhythm() {
        var bench = Bench()
        bench.run(frames: 300)
        #expect(zip(bench.textFrames, bench.textFrames.dropFirst()).allSatisfy { $1 - $0 == 15 })
        #expect(bench.textFrames.count == 20)
    }

    @Test func unsettledLinesAreReadFiveTimesASecond() {
        var bench = Bench()
        bench.attention.lines = [.init(bounds: line, isSettled: false, lastRead: nil)]
        bench.linesRead = 1
        bench.textTime = .milliseconds(22)
        bench.run(frames: 300)
        #expect(bench.textFrames.count == 50)
        #expect(bench.textLooks.allSatisfy { $0.look.knownLines.isEmpty && $0.look.maximumLines == 8 })
    }

    @Test func manyUnsettledLinesStayWithinTheBudget() {
        var bench = Bench { $0.costModel = .fixed }
        bench.isAwaited = true
        bench.attention.lines = Array(repeating: .init(bounds: line, isSettled: false, lastRead: nil), count: 40)
        bench.linesRead = 8
        bench.run(frames: 900)
        let share = Double(bench.textFrames.count) * 0.12 / 30
        #expect(share > 0.3 && share < 0.37)
    }

    @Test func aSettledLineIsReadAgainAfterThreeSeconds() {
        var bench = Bench()
        bench.run(frames: 100)
        bench.attention.lines = [.init(bounds: line, isSettled: true, lastRead: bench.now)]
        bench.run(frames: 100)
        let looks = bench.textLooks.filter { $0.frame >= 100 }
        #expect(looks.filter { $0.frame < 190 }.allSatisfy { $0.look.knownLines == [line] })
        #expect(looks.contains { $0.frame >= 190 })
        #expect(looks.filter { $0.frame >= 190 }.allSatisfy { $0.look.knownLines.isEmpty })
    }

    @Test func barcodesAreMaskedForText() {
        var bench = Bench()
        bench.attention.barcodes = [
            .init(key: PlaceKey(1), bounds: line, symbology: .qr, isCertain: true, lastRead: nil)
        ]
        bench.run(frames: 1)
        #expect(bench.textLooks[0].look.masks == [line])
    }

    @Test func fixedCostsGiveTheSamePlansWhateverTheMachineTakes() {
        func frames(_ milliseconds: Int) -> [[Int]] {
            var bench = Bench { $0.costModel = .fixed }
            bench.isAwaited = true
            bench.barcodeTime = .milliseconds(milliseconds)
            bench.textTime = .milliseconds(milliseconds)
            bench.linesRead = 3
            bench.run(frames: 500)
            return [bench.barcodeFrames, bench.textFrames]
        }
        #expect(frames(1) == frames(900))
        #expect(frames(1)[0].prefix(3) == [0, 1, 2])
    }

    @Test func aPictureShownForTwelveFramesIsLookedAtEnough() {
        // Fixed costs, 1080p: each of the 12 frames of a new picture costs 114 ms of a budget of 600 a second.
        var bench = Bench { $0.costModel = .fixed }
        bench.isAwaited = true
        bench.width = 1024
        bench.height = 768
        bench.run(frames: 240)
        for start in stride(from: 0, to: 240, by: 12) {
            #expect(bench.barcodeFrames.filter { (start..<start + 12).contains($0) }.count >= 4)
        }
    }

    @Test func afterAPauseThereIsCreditButNotWithoutEnd() {
        var bench = Bench { $0.costModel = .fixed }
        bench.isAwaited = true
        bench.run(frames: 300)
        bench.pause(frames: 9000)
        let before = bench.barcodeFrames.count
        bench.run(frames: 30)
        let after = bench.barcodeFrames.dropFirst(before)
        #expect(after.first == 9300)
        // 13 a second, and what 0.4 s of saved time pay for.
        #expect(after.count <= 23)
    }

    @Test func anEmptyRegionOrFrameIsNotLookedAt() {
        var bench = Bench()
        bench.run(frames: 10, region: Rect(x: 0.5, y: 0.5, width: 0, height: 0.2))
        bench.width = 0
        bench.run(frames: 10)
        #expect(bench.barcodeFrames.isEmpty && bench.textFrames.isEmpty)
    }

    @Test func aClockThatGoesBackDoesNoHarm() {
        var scheduler = ScanScheduler(settings: SchedulerSettings())
        let clock = ManualClock()
        for (frame, time) in [(1, 10), (2, 5), (3, 11)] as [(UInt64, UInt64)] {
            _ = scheduler.plan(
                frame: clock.stamp(frame), width: 64, height: 64, region: Rect(x: 0, y: 0, width: 1, height: 1),
                isBarcodeReaderFree: true, isTextReaderFree: true, attention: SchedulerAttention(),
                now: clock.stamp(time).monotonic)
        }
        let plan = scheduler.plan(
            frame: clock.stamp(40), width: 64, height: 64, region: Rect(x: 0, y: 0, width: 1, height: 1),
            isBarcodeReaderFree: true, isTextReaderFree: true, attention: SchedulerAttention(),
            now: clock.stamp(40).monotonic)
        #expect(plan.barcodes != nil && plan.text != nil)
    }
}
