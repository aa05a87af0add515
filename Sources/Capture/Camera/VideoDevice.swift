// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem
internal import ScanModel

/// What `VIDIOC_QUERYCAP` tells of a node.
struct VideoCapability: Sendable, Hashable {
    var driver: String
    var name: String
    var bus: String
    /// `V4L2_CAP_VIDEO_CAPTURE` and `V4L2_CAP_STREAMING` of the node itself (`device_caps`): the device's own union
    /// would make a camera of a metadata node.
    var isCapture: Bool
    var isStreaming: Bool
    /// Several planes only (`V4L2_CAP_VIDEO_CAPTURE_MPLANE`), as the camera interfaces of phones have.
    var isMultiPlanar: Bool
}

/// A format that a camera offers.
struct VideoFormat: Sendable, Hashable {
    var code: FourCC
    var name: String
    /// Made by libv4l2 from another one.
    var isEmulated: Bool
}

/// The sizes, or the rates, of a format.
enum VideoRange<Value: Sendable & Hashable>: Sendable, Hashable {
    case discrete([Value])
    case stepwise(minimum: Value, maximum: Value, step: Value)
}

struct VideoSize: Sendable, Hashable {
    var width: Int
    var height: Int
}

/// What the driver made of a format that was asked for.
struct NegotiatedFormat: Sendable, Hashable {
    var width: Int
    var height: Int
    var code: FourCC
    /// Bytes from one row to the next of the first plane; 0 for compressed formats.
    var bytesPerLine: Int
    /// Bytes of the largest frame.
    var sizeImage: Int
}

/// A frame that the driver gave; its buffer is the caller's until it is queued again.
struct DequeuedBuffer: Sendable, Hashable {
    var index: Int
    var bytesUsed: Int
    /// `V4L2_BUF_FLAG_ERROR`: the data is bad, the stream goes on.
    var isDamaged: Bool
    /// By CLOCK_MONOTONIC; `nil` where the driver uses another clock or none.
    var timestamp: MonotonicTime?
    var sequence: UInt32
}

/// What a wait for a camera ended with.
struct VideoReadiness: OptionSet, Sendable, Hashable {
    let rawValue: UInt8
    /// A frame may be dequeued.
    static let frame = VideoReadiness(rawValue: 1)
    /// An event (`VIDIOC_DQEVENT`) waits.
    static let event = VideoReadiness(rawValue: 2)
    /// POLLERR: the device is gone, or nothing is queued.
    static let failure = VideoReadiness(rawValue: 4)
    /// POLLHUP: the device is gone.
    static let hangUp = VideoReadiness(rawValue: 8)
    static let cancelled = VideoReadiness(rawValue: 16)
    // Empty: the deadline came.
}

/// One open video node: the V4L2 calls that capture needs, one method a call, so that a test can play each errno.
///
/// Errors carry the call's own name (`VIDIOC_DQBUF`) and errno; EINTR is never seen. Confined to one thread. `close`
/// unmaps and closes, takes no error and may be called twice; nothing else is called after it.
protocol VideoDevice: AnyObject {
    func capability() throws(SystemError) -> VideoCapability
    func formats() throws(SystemError) -> [VideoFormat]
    func sizes(of format: FourCC) throws(SystemError) -> VideoRange<VideoSize>
    func intervals(of format: FourCC, _ size: VideoSize) throws(SystemError) -> VideoRange<FrameInterval>

    func format() throws(SystemError) -> NegotiatedFormat
    func setFormat(_ code: FourCC, _ size: VideoSize) throws(SystemError) -> NegotiatedFormat
    /// Answers what the driver took; `nil` where it tells nothing (ENOTTY, no `V4L2_CAP_TIMEPERFRAME`).
    func setInterval(_ interval: FrameInterval) throws(SystemError) -> FrameInterval?
    func interval() throws(SystemError) -> FrameInterval?
    /// Asks for `V4L2_EVENT_SOURCE_CHANGE`; drivers without it answer with an error that matters to nobody.
    func subscribeToSourceChanges() throws(SystemError)
    /// Takes one event off the queue; true where it says that the format changed.
    func takeSourceChange() throws(SystemError) -> Bool

    /// Asks for mmap buffers; answers how many there are, 0 after `requestBuffers(0)`.
    func requestBuffers(_ count: Int) throws(SystemError) -> Int
    /// Maps a buffer for reading; once for each index.
    func mapBuffer(_ index: Int) throws(SystemError)
    /// A mapped buffer's memory; valid until `close`, empty for an index that is not mapped.
    func bytes(ofBuffer index: Int) -> UnsafeRawBufferPointer
    func queueBuffer(_ index: Int) throws(SystemError)
    /// `nil` where none is there yet (EAGAIN).
    func dequeueBuffer() throws(SystemError) -> DequeuedBuffer?
    func startStreaming() throws(SystemError)
    func stopStreaming() throws(SystemError)
    /// Waits for a frame, an event, a fault, the cancellation or the deadline, which may be past. A cancellation is told
    /// whatever else came.
    func wait(until deadline: MonotonicTime, cancellation: EventDescriptor) throws(SystemError) -> VideoReadiness

    func controls() throws(SystemError) -> [VideoControl]
    func value(ofControl id: UInt32) throws(SystemError) -> Int64
    func setControl(_ id: UInt32, to value: Int64) throws(SystemError)

    func close()
}
