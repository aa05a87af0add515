// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import CV4L2
internal import Glibc
internal import LinuxSystem
internal import ScanModel

/// What of a driver's buffers is believed.
private enum BufferLimit {
    /// VIDEO_MAX_FRAME.
    static let count = 32
    /// 16384 x 8192 pixels of two bytes.
    static let bytes = 1 << 28
}

// MARK: - The mode

extension KernelVideoDevice {
    func format() throws(SystemError) -> NegotiatedFormat {
        var answer = v4l2_format()
        answer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        try call(cv4l2_G_FMT, "VIDIOC_G_FMT", &answer)
        return NegotiatedFormat(answer.fmt.pix)
    }

    func setFormat(_ code: FourCC, _ size: VideoSize) throws(SystemError) -> NegotiatedFormat {
        var request = v4l2_format()
        request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        request.fmt.pix.width = UInt32(clamping: size.width)
        request.fmt.pix.height = UInt32(clamping: size.height)
        request.fmt.pix.pixelformat = code.rawValue
        request.fmt.pix.field = V4L2_FIELD_ANY.rawValue
        try call(cv4l2_S_FMT, "VIDIOC_S_FMT", &request)
        return NegotiatedFormat(request.fmt.pix)
    }

    func setInterval(_ interval: FrameInterval) throws(SystemError) -> FrameInterval? {
        guard var request = try parameters() else { return nil }
        request.parm.capture.timeperframe = v4l2_fract(
            numerator: interval.numerator, denominator: interval.denominator)
        try call(cv4l2_S_PARM, "VIDIOC_S_PARM", &request)
        return FrameInterval(request.parm.capture.timeperframe)
    }

    func interval() throws(SystemError) -> FrameInterval? {
        try parameters().flatMap { FrameInterval($0.parm.capture.timeperframe) }
    }

    /// `nil` where the driver has none, or none that could be set.
    private func parameters() throws(SystemError) -> v4l2_streamparm? {
        var answer = v4l2_streamparm()
        answer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        do throws(SystemError) {
            try call(cv4l2_G_PARM, "VIDIOC_G_PARM", &answer)
        } catch {
            // EINVAL was the answer to an unknown request before there was ENOTTY, and is libv4l2's.
            if error.code == ENOTTY || error.code == EINVAL { return nil }
            throw error
        }
        return answer.parm.capture.capability & UInt32(V4L2_CAP_TIMEPERFRAME) != 0 ? answer : nil
    }

    func subscribeToSourceChanges() throws(SystemError) {
        var request = v4l2_event_subscription()
        request.type = UInt32(V4L2_EVENT_SOURCE_CHANGE)
        try call(cv4l2_SUBSCRIBE_EVENT, "VIDIOC_SUBSCRIBE_EVENT", &request)
    }

    func takeSourceChange() throws(SystemError) -> Bool {
        var event = v4l2_event()
        do throws(SystemError) {
            try call(cv4l2_DQEVENT, "VIDIOC_DQEVENT", &event)
        } catch {
            // None is there (ENOENT), although poll said so: another thread can not have taken it, the driver withdrew it.
            if error.code == ENOENT || error.code == EAGAIN { return false }
            throw error
        }
        return event.type == UInt32(V4L2_EVENT_SOURCE_CHANGE)
            && event.u.src_change.changes & UInt32(V4L2_EVENT_SRC_CH_RESOLUTION) != 0
    }
}

extension NegotiatedFormat {
    fileprivate init(_ answer: v4l2_pix_format) {
        let code = FourCC(rawValue: answer.pixelformat)
        self.init(
            width: Int(answer.width), height: Int(answer.height), code: code,
            // Some drivers write a row's bytes for MJPEG, too.
            bytesPerLine: code.isJPEG ? 0 : Int(answer.bytesperline), sizeImage: Int(answer.sizeimage))
    }
}

extension FrameInterval {
    init?(_ fraction: v4l2_fract) { self.init(fraction.numerator, fraction.denominator) }
}

// MARK: - Buffers

extension KernelVideoDevice {
    func requestBuffers(_ count: Int) throws(SystemError) -> Int {
        // Kernels before 5.0 do not let go of buffers that are mapped.
        unmapBuffers()
        var request = v4l2_requestbuffers()
        request.count = UInt32(max(0, min(count, BufferLimit.count)))
        request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        request.memory = V4L2_MEMORY_MMAP.rawValue
        try call(cv4l2_REQBUFS, "VIDIOC_REQBUFS", &request)
        buffers = [Buffer](repeating: Buffer(), count: min(Int(request.count), BufferLimit.count))
        return buffers.count
    }

    func mapBuffer(_ index: Int) throws(SystemError) {
        guard buffers.indices.contains(index) else { throw SystemError("mmap", code: EINVAL, subject: node) }
        if buffers[index].memory != nil { return }
        var answer = buffer(index)
        try call(cv4l2_QUERYBUF, "VIDIOC_QUERYBUF", &answer)
        let length = Int(answer.length)
        guard length > 0, length <= BufferLimit.bytes else {
            throw SystemError("VIDIOC_QUERYBUF", code: EMSGSIZE, subject: "\(node) (a buffer of \(length) bytes)")
        }
        guard let start = calls.map(descriptor, length, Int(answer.m.offset)) else { throw .last("mmap", node) }
        buffers[index].memory = UnsafeRawBufferPointer(start: start, count: length)
    }

    func bytes(ofBuffer index: Int) -> UnsafeRawBufferPointer {
        guard buffers.indices.contains(index), let memory = buffers[index].memory else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return memory
    }

    func unmapBuffers() {
        for buffer in buffers {
            guard let memory = buffer.memory, let start = memory.baseAddress else { continue }
            _ = calls.unmap(UnsafeMutableRawPointer(mutating: start), memory.count)
        }
        buffers = []
    }

    func queueBuffer(_ index: Int) throws(SystemError) {
        guard buffers.indices.contains(index) else { throw SystemError("VIDIOC_QBUF", code: EINVAL, subject: node) }
        var request = buffer(index)
        try call(cv4l2_QBUF, "VIDIOC_QBUF", &request)
        buffers[index].isQueued = true
    }

    func dequeueBuffer() throws(SystemError) -> DequeuedBuffer? {
        var answer = buffer(0)
        do throws(SystemError) {
            try call(cv4l2_DQBUF, "VIDIOC_DQBUF", &answer)
        } catch {
            if error.code == EAGAIN { return nil }
            throw error
        }
        let index = Int(answer.index)
        // A driver that gives what is not its to give may write there at any time: nothing of this stream is believed.
        guard buffers.indices.contains(index), let memory = buffers[index].memory, buffers[index].isQueued else {
            let known = buffers.indices.contains(index) ? "twice" : "which there is not"
            throw SystemError("VIDIOC_DQBUF", code: EPROTO, subject: "\(node) (buffer \(index), \(known))")
        }
        buffers[index].isQueued = false
        let isTooLong = Int(answer.bytesused) > memory.count
        return DequeuedBuffer(
            index: index, bytesUsed: min(Int(answer.bytesused), memory.count),
            isDamaged: isTooLong || answer.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0,
            timestamp: timestamp(answer), sequence: answer.sequence)
    }

    func startStreaming() throws(SystemError) {
        var type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        try call(cv4l2_STREAMON, "VIDIOC_STREAMON", &type)
    }

    func stopStreaming() throws(SystemError) {
        var type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        try call(cv4l2_STREAMOFF, "VIDIOC_STREAMOFF", &type)
        // All buffers are the program's again.
        for index in buffers.indices { buffers[index].isQueued = false }
    }

    func wait(until deadline: MonotonicTime, cancellation: EventDescriptor) throws(SystemError) -> VideoReadiness {
        let wanted = Readiness(rawValue: Int16(POLLIN | POLLPRI))
        let found = try pollDescriptors(
            [(descriptor, wanted), (cancellation.raw, .readable)], until: deadline)
        var readiness: VideoReadiness = []
        let device = Int32(found[0].rawValue)
        if device & POLLIN != 0 { readiness.insert(.frame) }
        if device & POLLPRI != 0 { readiness.insert(.event) }
        if device & (POLLERR | POLLNVAL) != 0 { readiness.insert(.failure) }
        if device & POLLHUP != 0 { readiness.insert(.hangUp) }
        if !found[1].isEmpty { readiness.insert(.cancelled) }
        return readiness
    }

    private func buffer(_ index: Int) -> v4l2_buffer {
        var buffer = v4l2_buffer()
        buffer.index = UInt32(index)
        buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        buffer.memory = V4L2_MEMORY_MMAP.rawValue
        return buffer
    }

    /// Only of CLOCK_MONOTONIC, and only where it is a time at all.
    private func timestamp(_ buffer: v4l2_buffer) -> MonotonicTime? {
        guard buffer.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK) == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC),
            (0..<1_000_000).contains(buffer.timestamp.tv_usec)
        else { return nil }
        let (seconds, overflow) = Int64(buffer.timestamp.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowOfSum) = seconds.addingReportingOverflow(Int64(buffer.timestamp.tv_usec) * 1000)
        return overflow || overflowOfSum ? nil : MonotonicTime(nanoseconds: sum)
    }
}

/// A driver's text: up to its first NUL, with what is no UTF-8 replaced.
func driverText<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
