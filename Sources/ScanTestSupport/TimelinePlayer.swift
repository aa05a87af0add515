// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel
public import Tracking

/// Plays timelines that are written as text to a tracker, and tells what happened as text.
///
/// A timeline has a lane for each label, and a column for each look:
///
///     A: ..33##..
///     T: aab.u-aa
///
/// `.` looked and did not see it; `1`...`9` read a barcode on five times as many scan lines; `#` on a hundred; `a`, `b`
/// read the label's first or second transcript; `u` found the line and did not read it; `-` no look of this kind.
///
/// The story that comes back has the look's number, then `+A1` for an item that was added, `~A1` updated (`=b` with the
/// second transcript), `-A1:gone` removed. `A2` is the second ID that label A got.
public struct TimelinePlayer: Sendable {
    public var tracker: ItemTracker
    public var labels: [String: TimelineLabel]
    /// How many frames there are from look to look.
    public var framesPerLook: UInt64 = 3
    /// What a look covers.
    public var region = Rect(x: 0, y: 0, width: 1, height: 1)
    public private(set) var checker = EventChecker()
    public private(set) var metrics = TrackingMetrics()
    /// The number of the next look, and of its frame.
    public private(set) var column = 0
    public private(set) var frame: UInt64 = 0
    private let clock: ManualClock
    private var names: [ItemID: String] = [:]
    private var transcripts: [ItemID: String] = [:]
    private var counts: [String: Int] = [:]

    public init(
        _ labels: [String: TimelineLabel], settings: TrackerSettings = TrackerSettings(), frameRate: Double = 30
    ) {
        self.labels = labels
        clock = ManualClock(frameRate: frameRate)
        tracker = ItemTracker(settings: settings, random: SeededGenerator(seed: 1))
    }

    public var stamp: FrameStamp { clock.stamp(frame) }

    /// Plays lanes and tells what happened.
    public mutating func play(_ timeline: String) -> String {
        let lanes = timeline.split(separator: "\n").compactMap { line -> (name: String, marks: [Character])? in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            return (String(parts[0].filter { $0 != " " }), parts[1].filter { $0 != " " })
        }
        var story: [String] = []
        for index in 0..<(lanes.map(\.marks.count).max() ?? 0) {
            let marks = lanes.map { ($0.name, index < $0.marks.count ? $0.marks[index] : ".") }
            story += look(marks)
            column += 1
            frame += framesPerLook
        }
        return story.joined(separator: " ")
    }

    /// Lets frames go by in which nobody looks.
    public mutating func skip(frames: UInt64) { frame += frames }

    /// Takes in events that a call other than a look gave, and tells them.
    public mutating func tell(_ events: [ScanEvent]) -> String {
        checker.take(events)
        return events.flatMap { words($0) }.joined(separator: " ")
    }

    private mutating func look(_ marks: [(name: String, mark: Character)]) -> [String] {
        var told: [String] = []
        for subject in [Look.Subject.barcodes, .text] {
            let own = marks.filter { labels[$0.name]?.subject == subject }
            guard !own.isEmpty, !own.contains(where: { $0.mark == "-" }) else { continue }
            let look = Look(
                frame: stamp, subject: subject, searched: [region], aspectRatio: 16.0 / 9,
                observations: own.compactMap { labels[$0.name]?.observation(for: $0.mark) })
            let events = tracker.process(look, newest: stamp)
            checker.take(events)
            told += events.flatMap { words($0) }
        }
        for (name, mark) in marks where mark != "." && mark != "-" { note(name) }
        return told.isEmpty ? [] : ["\(column)"] + told
    }

    /// Scores which item stands for a label that is in view.
    private mutating func note(_ name: String) {
        guard let label = labels[name] else { return }
        let standing = checker.live.values.filter { label.matches($0) && label.bounds.contains($0.bounds.center) }
        metrics.note(label: name, ids: standing.map(\.id))
    }

    // MARK: - Words

    private mutating func words(_ event: ScanEvent) -> [String] {
        switch event {
        case .didAdd(let items, _, _): return items.map { "+" + name($0) }
        case .didUpdate(let items, _, _): return items.map { "~" + name($0) + change($0) }
        case .didRemove(let removed, _, _): return removed.map { "-" + name($0.item) + ":" + $0.reason.rawValue }
        case .becameUnavailable, .becameAvailable, .guidance: return []
        }
    }

    private mutating func name(_ item: RecognizedItem) -> String {
        if let name = names[item.id] { return name }
        func distance(_ label: TimelineLabel) -> Double { label.center.distance(to: item.bounds.center) }
        let label = labels.filter { $0.value.matches(item) }.min {
            (distance($0.value), $0.key) < (distance($1.value), $1.key)
        }
        let prefix = label?.key ?? "?"
        counts[prefix, default: 0] += 1
        let name = prefix + String(counts[prefix, default: 0])
        names[item.id] = name
        if case .text(let text) = item { transcripts[item.id] = text.transcript }
        return name
    }

    /// Which transcript a line changed to, as the letter of its label.
    private mutating func change(_ item: RecognizedItem) -> String {
        guard case .text(let text) = item, transcripts[item.id] != text.transcript else { return "" }
        transcripts[item.id] = text.transcript
        for label in labels.values {
            guard case .text(let variants) = label.print, let index = variants.firstIndex(of: text.transcript) else {
                continue
            }
            return "=" + String(Array("abcdefghij")[index % 10])
        }
        return "=?"
    }
}
