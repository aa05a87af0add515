// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem
internal import ScanModel

/// Sets the controls that were asked for, each by itself, and says what became of them; it never fails.
typealias ControlSetter = @Sendable ([CameraControlSetting], any VideoDevice) -> [CameraReport.Control]

/// A camera that streams.
///
/// There is one way to open it and no partial recovery: whatever fails, the stream is closed and another one is opened from
/// nothing. Confined to the capture thread.
final class CameraStream {
    /// How a wait ended.
    enum Wake: Hashable {
        case ready
        case deadline
        case cancelled
    }

    /// POLLERR without a frame or an errno is believed to pass for so many times in a row.
    static let passingPollErrors = 3

    /// What the driver agreed to.
    let format: NegotiatedFormat
    let mode: CameraMode
    let controls: [CameraReport.Control]
    private let device: any VideoDevice
    private let buffers: BufferQueue
    private var pollErrors = 0
    private var isOpen = true

    /// Sets a camera and starts it; on an error nothing stays open.
    init(
        _ probe: CameraProbe, mode wanted: CameraMode, settings: [CameraControlSetting], setControls: ControlSetter
    ) throws(CameraFault) {
        device = probe.device
        buffers = BufferQueue(device)
        do throws(CameraFault) {
            format = try Self.negotiate(wanted, with: device, among: probe.formats)
            let interval = try Self.setRate(wanted.interval, of: device)
            mode = CameraMode(width: format.width, height: format.height, format: format.code, interval: interval)
            controls = settings.isEmpty ? [] : setControls(settings, device)
            // Most drivers have no such event, and need none.
            try Self.attempt { () throws(SystemError) in try device.subscribeToSourceChanges() }
            try Self.start(device, buffers, mode)
        } catch {
            Self.end(device)
            throw error
        }
    }

    /// Stops and closes it, whatever the device says to it; may be called twice.
    func close() {
        if isOpen { Self.end(device) }
        isOpen = false
    }

    private static func end(_ device: any VideoDevice) {
        do throws(SystemError) { try device.stopStreaming() } catch {
            // The device may be gone: there is nobody left to stop.
        }
        device.close()
    }

    // MARK: - Opening

    /// Sets size and format; what the driver makes of them is asked for once more, and then taken.
    private static func negotiate(
        _ mode: CameraMode, with device: any VideoDevice, among readable: [FourCC]
    ) throws(CameraFault) -> NegotiatedFormat {
        let format: NegotiatedFormat
        do throws(SystemError) {
            let wanted = VideoSize(width: mode.width, height: mode.height)
            let answer = try device.setFormat(mode.format, wanted)
            if answer.code != mode.format || answer.size != wanted {
                _ = try device.setFormat(answer.code, answer.size)
            }
            // What is in force, not what was answered: a driver is known to change its mind.
            format = try device.format()
        } catch {
            throw .start(error, in: mode)
        }
        guard readable.contains(format.code) else {
            throw .unsupported("its driver gives \(format.code) where \(mode.format) was asked for")
        }
        guard LevelLimits.fitsPool(format.size) else {
            throw .unsupported("its driver gives pictures of \(format.width)x\(format.height)")
        }
        return format.withPlausibleRows
    }

    /// Sets the rate, and asks which one is in force; `nil` where the driver does not tell.
    private static func setRate(
        _ interval: FrameInterval?, of device: any VideoDevice
    ) throws(CameraFault) -> FrameInterval? {
        var taken: FrameInterval?
        if let interval {
            try attempt { () throws(SystemError) in taken = try device.setInterval(interval) }
        }
        try attempt { () throws(SystemError) in taken = try device.interval() ?? taken }
        return taken
    }

    private static func start(
        _ device: any VideoDevice, _ buffers: BufferQueue, _ mode: CameraMode
    ) throws(CameraFault) {
        do throws(CameraFault) {
            try buffers.prepare()
        } catch {
            guard case .call(let call) = error else { throw error }
            throw .start(call, in: mode)
        }
        do throws(SystemError) {
            try device.startStreaming()
        } catch {
            if error.code == EIO { throw .mode(mode, error) }
            throw .start(error, in: mode)
        }
    }

    /// A call that may fail for as long as the device is there.
    private static func attempt(_ call: () throws(SystemError) -> Void) throws(CameraFault) {
        do throws(SystemError) { try call() } catch { if error.isLossOfDevice { throw .call(error) } }
    }

    // MARK: - Streaming

    /// EIOs that were passed over, since the start.
    var passedErrors: UInt64 { buffers.passedErrors }

    var bufferCount: Int { buffers.count }

    /// Waits for a frame.
    func wait(until deadline: MonotonicTime, cancellation: EventDescriptor) throws(CameraFault) -> Wake {
        try buffers.checkQueueing()
        let readiness: VideoReadiness
        do throws(SystemError) {
            readiness = try device.wait(until: deadline, cancellation: cancellation)
        } catch {
            throw .call(error)
        }
        if readiness.contains(.cancelled) { return .cancelled }
        if readiness.contains(.event) {
            var isChange = false
            try Self.attempt { () throws(SystemError) in isChange = try device.takeSourceChange() }
            if isChange { throw .formatChanged }
        }
        if readiness.contains(.hangUp), !readiness.contains(.frame) {
            // The call that follows tells why; where it does not, the device is gone all the same.
            if let lease = try buffers.take() { _ = consume lease }
            throw .call(SystemError("poll", code: ENODEV))
        }
        pollErrors = readiness.contains(.failure) && !readiness.contains(.frame) ? pollErrors + 1 : 0
        return readiness.isEmpty ? .deadline : .ready
    }

    /// Takes a buffer that is filled; `nil` where there is none.
    func take() throws(CameraFault) -> BufferLease? {
        guard let lease = try buffers.take() else {
            guard pollErrors <= CameraStream.passingPollErrors else {
                throw .driver("its driver reports a failure and does not say which (POLLERR)")
            }
            return nil
        }
        pollErrors = 0
        return lease
    }
}

extension CameraFault {
    /// A call of the start that failed: for want of bandwidth or memory another mode may go.
    fileprivate static func start(_ error: SystemError, in mode: CameraMode) -> CameraFault {
        error.code == ENOSPC || error.code == ENOMEM ? .mode(mode, error) : .call(error)
    }
}
