// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import LinuxSystem
import ScanModel

@testable import Capture

/// A device of which only the controls are there.
final class ControlDevice: VideoDevice {
    var known: [VideoControl]
    /// What setting a control answers, by its name.
    var refusals: [String: Int32] = [:]
    /// What happens once a control was set, by its name.
    var effects: [String: (ControlDevice) -> Void] = [:]
    var listError: Int32?
    private(set) var journal: [String] = []

    init(_ known: [VideoControl]) { self.known = known }

    func index(_ name: String) -> Int { known.firstIndex { $0.name == name } ?? known.count }

    func controls() throws(SystemError) -> [VideoControl] {
        if let listError { throw SystemError("VIDIOC_QUERY_EXT_CTRL", code: listError) }
        return known
    }

    func value(ofControl id: UInt32) throws(SystemError) -> Int64 { known.first { $0.id == id }?.value ?? 0 }

    func setControl(_ id: UInt32, to value: Int64) throws(SystemError) {
        guard let index = known.firstIndex(where: { $0.id == id }) else {
            throw SystemError("VIDIOC_S_EXT_CTRLS", code: 22)
        }
        let name = known[index].name
        journal.append("\(name)=\(value)")
        if let code = refusals[name] { throw SystemError("VIDIOC_S_EXT_CTRLS", code: code) }
        if known[index].value != nil { known[index].value = value }
        effects[name]?(self)
    }

    func capability() throws(SystemError) -> VideoCapability { throw absent }
    func formats() throws(SystemError) -> [VideoFormat] { throw absent }
    func sizes(of format: FourCC) throws(SystemError) -> VideoRange<VideoSize> { throw absent }
    func intervals(of format: FourCC, _ size: VideoSize) throws(SystemError) -> VideoRange<FrameInterval> {
        throw absent
    }
    func format() throws(SystemError) -> NegotiatedFormat { throw absent }
    func setFormat(_ code: FourCC, _ size: VideoSize) throws(SystemError) -> NegotiatedFormat { throw absent }
    func setInterval(_ interval: FrameInterval) throws(SystemError) -> FrameInterval? { throw absent }
    func interval() throws(SystemError) -> FrameInterval? { throw absent }
    func subscribeToSourceChanges() throws(SystemError) { throw absent }
    func takeSourceChange() throws(SystemError) -> Bool { throw absent }
    func requestBuffers(_ count: Int) throws(SystemError) -> Int { throw absent }
    func mapBuffer(_ index: Int) throws(SystemError) { throw absent }
    func bytes(ofBuffer index: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
    func queueBuffer(_ index: Int) throws(SystemError) { throw absent }
    func dequeueBuffer() throws(SystemError) -> DequeuedBuffer? { throw absent }
    func startStreaming() throws(SystemError) { throw absent }
    func stopStreaming() throws(SystemError) { throw absent }
    func wait(until deadline: MonotonicTime, cancellation: EventDescriptor) throws(SystemError) -> VideoReadiness {
        throw absent
    }
    func close() {}

    private var absent: SystemError { SystemError("VIDIOC", code: 25) }
}

/// A control as a test needs it.
func control(
    _ name: String, _ kind: VideoControl.Kind = .integer, _ range: ClosedRange<Int64> = 0...255, step: UInt64 = 1,
    value: Int64? = 0, isReadOnly: Bool = false, isInactive: Bool = false
) -> VideoControl {
    VideoControl(
        id: UInt32(truncatingIfNeeded: name.hashValue), name: name, title: name, kind: kind, minimum: range.lowerBound,
        maximum: range.upperBound, step: step, defaultValue: range.lowerBound, value: value, isReadOnly: isReadOnly,
        isInactive: isInactive)
}
