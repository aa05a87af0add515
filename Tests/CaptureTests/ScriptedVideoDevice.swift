// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem
import ScanModel

@testable import Capture

/// One opening of a scripted camera, with buffers in real memory.
final class ScriptedVideoDevice: VideoDevice {
    private let camera: ScriptedCamera
    private unowned let system: ScriptedCameraSystem
    private let isConverting: Bool
    private(set) var isOpen = true
    /// Gone with its camera: a replug does not bring it back.
    private var isDead = false

    private var format_ = NegotiatedFormat(width: 0, height: 0, code: .grey, bytesPerLine: 0, sizeImage: 0)
    private var interval_: FrameInterval?
    private var buffers: [UnsafeMutableRawBufferPointer] = []
    private var mapped: Set<Int> = []
    private var queued: [Int] = []
    private var filled: [DequeuedBuffer] = []
    private var lent: Set<Int> = []
    private var isStreaming = false
    private var nextFrame: MonotonicTime?
    private var sequence: UInt32 = 0

    init(_ camera: ScriptedCamera, in system: ScriptedCameraSystem, isConverting: Bool) {
        self.camera = camera
        self.system = system
        self.isConverting = isConverting
    }

    deinit { for buffer in buffers { buffer.deallocate() } }

    /// Every call: counted, refused after `close`, ENODEV without a camera, and what the script says.
    private func enter(_ call: VideoCall) throws(SystemError) {
        system.count()
        if !isOpen { system.violations.append("\(call) after close") }
        if let fault = camera.enter(call) {
            system.pass(fault.takes)
            throw SystemError("VIDIOC_\(call.rawValue)", code: fault.code)
        }
        if !camera.isPlugged { isDead = true }
        if isDead { throw SystemError("VIDIOC_\(call.rawValue)", code: ENODEV) }
    }

    // MARK: - What it offers

    private var formatsNow: [PlayedFormat] { isConverting ? camera.convertedFormats : camera.formats }

    func capability() throws(SystemError) -> VideoCapability {
        try enter(.capability)
        return camera.capability
    }

    func formats() throws(SystemError) -> [VideoFormat] {
        try enter(.formats)
        return formatsNow.map { VideoFormat(code: $0.code, name: "", isEmulated: $0.isEmulated) }
    }

    func sizes(of format: FourCC) throws(SystemError) -> VideoRange<VideoSize> {
        try enter(.sizes)
        return formatsNow.first { $0.code == format }?.sizes ?? .discrete([])
    }

    func intervals(of format: FourCC, _ size: VideoSize) throws(SystemError) -> VideoRange<FrameInterval> {
        try enter(.intervals)
        let rates = formatsNow.first { $0.code == format }?.rates ?? []
        return .discrete(rates.compactMap { FrameInterval(1, $0) })
    }

    // MARK: - What it is set to

    func format() throws(SystemError) -> NegotiatedFormat {
        try enter(.format)
        return format_
    }

    func setFormat(_ code: FourCC, _ size: VideoSize) throws(SystemError) -> NegotiatedFormat {
        try enter(.setFormat)
        camera.modesSet.append((code, size))
        format_ = camera.adjust?(code, size) ?? nearestOffered(code, size)
        return format_
    }

    /// As drivers do: a size that is not offered becomes one that is.
    private func nearestOffered(_ code: FourCC, _ asked: VideoSize) -> NegotiatedFormat {
        var size = asked
        if case .discrete(let sizes) = formatsNow.first(where: { $0.code == code })?.sizes, !sizes.contains(size) {
            size = sizes.last ?? size
        }
        let bytes = code == .yuyv || code == .y16 ? 2 : code.isJPEG ? 0 : 1
        let line = max(camera.fewestBytesPerLine, size.width * bytes)
        let image = code.isJPEG ? max(4096, size.width * size.height) : line * size.height * 3 / 2
        return NegotiatedFormat(
            width: size.width, height: size.height, code: code, bytesPerLine: line, sizeImage: image)
    }

    func setInterval(_ interval: FrameInterval) throws(SystemError) -> FrameInterval? {
        try enter(.setInterval)
        interval_ = interval
        return camera.readBack ?? interval
    }

    func interval() throws(SystemError) -> FrameInterval? {
        try enter(.interval)
        return camera.readBack ?? interval_
    }

    func subscribeToSourceChanges() throws(SystemError) { try enter(.subscribe) }

    func takeSourceChange() throws(SystemError) -> Bool {
        try enter(.takeSourceChange)
        guard camera.sourceChanges > 0 else { return false }
        camera.sourceChanges -= 1
        return true
    }

    func controls() throws(SystemError) -> [VideoControl] {
        try enter(.controls)
        return camera.controls
    }

    func value(ofControl id: UInt32) throws(SystemError) -> Int64 {
        try enter(.controlValue)
        return camera.controls.first { $0.id == id }?.value ?? 0
    }

    func setControl(_ id: UInt32, to value: Int64) throws(SystemError) {
        try enter(.setControl)
        camera.controlsSet.append("\(id)=\(value)")
    }

    // MARK: - Buffers

    func requestBuffers(_ count: Int) throws(SystemError) -> Int {
        try enter(.requestBuffers)
        let given = min(count, camera.mostBuffers)
        buffers = (0..<given).map { _ in
            UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, format_.sizeImage), alignment: 16)
        }
        return given
    }

    func mapBuffer(_ index: Int) throws(SystemError) {
        try enter(.mapBuffer)
        if !mapped.insert(index).inserted { system.violations.append("buffer \(index) is mapped twice") }
    }

    func bytes(ofBuffer index: Int) -> UnsafeRawBufferPointer {
        if !isOpen { system.violations.append("buffer \(index) is read after close") }
        if !lent.contains(index) { system.violations.append("buffer \(index) is read while the driver has it") }
        return mapped.contains(index)
            ? UnsafeRawBufferPointer(buffers[index]) : UnsafeRawBufferPointer(start: nil, count: 0)
    }

    func queueBuffer(_ index: Int) throws(SystemError) {
        try enter(.queueBuffer)
        if queued.contains(index) { system.violations.append("buffer \(index) is queued twice") }
        lent.remove(index)
        queued.append(index)
    }

    func dequeueBuffer() throws(SystemError) -> DequeuedBuffer? {
        try enter(.dequeueBuffer)
        makeFrames()
        guard !filled.isEmpty else { return nil }
        let buffer = filled.removeFirst()
        if buffer.index < buffers.count { lent.insert(buffer.index) }
        return buffer
    }

    func startStreaming() throws(SystemError) {
        try enter(.startStreaming)
        if camera.exceedsBandwidth(format_, interval_) { throw SystemError("VIDIOC_STREAMON", code: ENOSPC) }
        isStreaming = true
        nextFrame = system.now + camera.firstFrameAfter
    }

    func stopStreaming() throws(SystemError) {
        try enter(.stopStreaming)
        isStreaming = false
    }

    func close() {
        if isOpen, !lent.isEmpty, camera.isPlugged, !isDead, camera.faults[.queueBuffer] == nil {
            system.violations.append("closed with buffers \(lent.sorted()) out")
        }
        isOpen = false
    }

    // MARK: - Frames

    func wait(until deadline: MonotonicTime, cancellation: EventDescriptor) throws(SystemError) -> VideoReadiness {
        try enter(.wait)
        while true {
            if system.isCancelled { return .cancelled }
            if !camera.isPlugged { isDead = true }
            if isDead { return [.failure, .hangUp] }
            makeFrames()
            var readiness: VideoReadiness = []
            if !filled.isEmpty || camera.liesAboutReadiness { readiness.insert(.frame) }
            if camera.reportsPollError { readiness.insert(.failure) }
            if camera.sourceChanges > 0 { readiness.insert(.event) }
            if !readiness.isEmpty || system.now >= deadline { return readiness }
            let next = isStreaming && !camera.isHung ? nextFrame : nil
            system.advance(towards: min(deadline, next ?? deadline))
        }
    }

    private func makeFrames() {
        guard isStreaming, !isDead else { return }
        while let due = nextFrame, due <= system.now {
            nextFrame = due + camera.interval
            guard !camera.isHung else { continue }
            let picture = camera.picture(camera.framesMade)
            camera.framesMade += 1
            defer { sequence &+= 1 }
            guard !queued.isEmpty else { continue }
            let index = queued.removeFirst()
            let used = fill(buffers[index], with: picture)
            filled.append(
                DequeuedBuffer(
                    index: picture.index ?? index, bytesUsed: picture.bytesUsed ?? used, isDamaged: picture.isDamaged,
                    timestamp: picture.stamp ?? picture.stampOffset.map { due + $0 },
                    sequence: picture.sequence ?? sequence))
        }
    }

    private func fill(_ buffer: UnsafeMutableRawBufferPointer, with picture: PlayedPicture) -> Int {
        if let jpeg = picture.jpeg {
            let count = min(jpeg.count, buffer.count)
            jpeg.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            return count
        }
        buffer.initializeMemory(as: UInt8.self, repeating: picture.fill)
        return buffer.count
    }
}
