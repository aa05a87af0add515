// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem

/// The buffers of a stream: which ones the driver has, and which one is lent out.
///
/// Confined to the capture thread.
final class BufferQueue {
    /// Enough to fill one, hand one over and let two wait; more would only make the newest frame older.
    static let wanted = 4
    /// With one buffer the driver has none to fill while we read.
    static let fewest = 2
    /// EIO is a passing fault for so many times in a row (V4L2: "temporary problems such as signal loss").
    static let passingErrors = 3

    private let device: any VideoDevice
    private var isQueued: [Bool] = []
    private var errors = 0
    /// Why a buffer could not be queued again; told by the next `take`.
    private var queueingFailure: SystemError?

    /// EIOs that were passed over.
    private(set) var passedErrors: UInt64 = 0

    init(_ device: any VideoDevice) { self.device = device }

    var count: Int { isQueued.count }

    /// Asks the driver for buffers, maps them all and queues them all.
    func prepare() throws(CameraFault) {
        let count: Int
        do throws(SystemError) {
            count = try device.requestBuffers(BufferQueue.wanted)
            if count >= BufferQueue.fewest {
                isQueued = Array(repeating: false, count: count)
                for index in 0..<count { try device.mapBuffer(index) }
                for index in 0..<count {
                    try device.queueBuffer(index)
                    isQueued[index] = true
                }
            }
        } catch {
            throw .call(error)
        }
        guard count >= BufferQueue.fewest else {
            throw .unsupported("its driver gives \(count) buffers for streaming, and \(BufferQueue.fewest) are needed")
        }
    }

    /// Takes a filled buffer; `nil` where none is there, or the driver had a passing error.
    func take() throws(CameraFault) -> BufferLease? {
        try checkQueueing()
        let buffer: DequeuedBuffer
        do throws(SystemError) {
            guard let taken = try device.dequeueBuffer() else { return nil }
            buffer = taken
        } catch {
            guard error.code == EIO, errors < BufferQueue.passingErrors else { throw .call(error) }
            // Whether a buffer came with it is not known, and its index is not valid: it stays where it is.
            errors += 1
            passedErrors += 1
            return nil
        }
        errors = 0
        guard isQueued.indices.contains(buffer.index) else {
            throw .driver("its driver gave buffer \(buffer.index) of \(count)")
        }
        guard isQueued[buffer.index] else { throw .driver("its driver gave buffer \(buffer.index) twice") }
        isQueued[buffer.index] = false
        return BufferLease(queue: self, buffer: buffer)
    }

    /// Throws where a buffer that was given back could not be queued.
    func checkQueueing() throws(CameraFault) {
        if let queueingFailure { throw .call(queueingFailure) }
    }

    fileprivate func bytes(of buffer: DequeuedBuffer) -> UnsafeRawBufferPointer {
        let all = device.bytes(ofBuffer: buffer.index)
        return UnsafeRawBufferPointer(rebasing: all.prefix(max(0, buffer.bytesUsed)))
    }

    fileprivate func room(of buffer: DequeuedBuffer) -> Int { device.bytes(ofBuffer: buffer.index).count }

    fileprivate func giveBack(_ index: Int) {
        do throws(SystemError) {
            try device.queueBuffer(index)
            isQueued[index] = true
        } catch {
            queueingFailure = error
        }
    }
}

/// The right to read a driver's buffer; when it ends, the buffer is queued again.
struct BufferLease: ~Copyable {
    private let queue: BufferQueue
    let buffer: DequeuedBuffer

    fileprivate init(queue: BufferQueue, buffer: DequeuedBuffer) {
        self.queue = queue
        self.buffer = buffer
    }

    deinit { queue.giveBack(buffer.index) }

    /// What the driver wrote; valid as long as the lease.
    var bytes: UnsafeRawBufferPointer { queue.bytes(of: buffer) }

    /// Bytes that the buffer can hold.
    var room: Int { queue.room(of: buffer) }
}
