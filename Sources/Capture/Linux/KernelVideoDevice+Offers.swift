// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import CV4L2
internal import Glibc
internal import LinuxSystem

/// What of a driver's lists is believed; the longest that was seen has 83 formats (vivid).
enum VideoListLimit {
    static let formats = 256
    static let sizes = 1024
    static let intervals = 256
    static let controls = 1024
    static let menuEntries = 1024
}

extension KernelVideoDevice {
    func capability() throws(SystemError) -> VideoCapability {
        var answer = v4l2_capability()
        try call(cv4l2_QUERYCAP, "VIDIOC_QUERYCAP", &answer)
        let hasOwn = answer.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
        let bits = hasOwn ? answer.device_caps : answer.capabilities
        func has(_ bit: some BinaryInteger) -> Bool { bits & UInt32(bit) != 0 }
        return VideoCapability(
            driver: driverText(answer.driver), name: cameraName(driverText(answer.card)),
            bus: driverText(answer.bus_info),
            // A touch screen's raw picture comes by the same way.
            isCapture: has(V4L2_CAP_VIDEO_CAPTURE) && !has(V4L2_CAP_TOUCH),
            isStreaming: has(V4L2_CAP_STREAMING), isMultiPlanar: has(V4L2_CAP_VIDEO_CAPTURE_MPLANE))
    }

    func formats() throws(SystemError) -> [VideoFormat] {
        var formats: [VideoFormat] = []
        try list(upTo: VideoListLimit.formats) { (index) throws(SystemError) in
            var answer = v4l2_fmtdesc()
            answer.index = index
            answer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
            try call(cv4l2_ENUM_FMT, "VIDIOC_ENUM_FMT", &answer)
            let code = FourCC(rawValue: answer.pixelformat)
            // Some cameras list one format for each of its frame descriptors.
            if !formats.contains(where: { $0.code == code }) {
                let isEmulated = answer.flags & UInt32(V4L2_FMT_FLAG_EMULATED) != 0
                formats.append(VideoFormat(code: code, name: driverText(answer.description), isEmulated: isEmulated))
            }
            return true
        }
        return formats
    }

    func sizes(of format: FourCC) throws(SystemError) -> VideoRange<VideoSize> {
        var sizes: [VideoSize] = []
        var range: VideoRange<VideoSize>?
        try list(upTo: VideoListLimit.sizes) { (index) throws(SystemError) in
            var answer = v4l2_frmsizeenum()
            answer.index = index
            answer.pixel_format = format.rawValue
            try call(cv4l2_ENUM_FRAMESIZES, "VIDIOC_ENUM_FRAMESIZES", &answer)
            guard answer.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue else {
                range = VideoRange(answer.stepwise)
                return false
            }
            let size = VideoSize(width: Int(answer.discrete.width), height: Int(answer.discrete.height))
            if size.width > 0, size.height > 0, !sizes.contains(size) { sizes.append(size) }
            return true
        }
        return range ?? .discrete(sizes)
    }

    func intervals(of format: FourCC, _ size: VideoSize) throws(SystemError) -> VideoRange<FrameInterval> {
        var intervals: [FrameInterval] = []
        var range: VideoRange<FrameInterval>?
        try list(upTo: VideoListLimit.intervals) { (index) throws(SystemError) in
            var answer = v4l2_frmivalenum()
            answer.index = index
            answer.pixel_format = format.rawValue
            answer.width = UInt32(clamping: size.width)
            answer.height = UInt32(clamping: size.height)
            try call(cv4l2_ENUM_FRAMEINTERVALS, "VIDIOC_ENUM_FRAMEINTERVALS", &answer)
            guard answer.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue else {
                range = VideoRange(answer.stepwise)
                return false
            }
            if let interval = FrameInterval(answer.discrete), !intervals.contains(interval) {
                intervals.append(interval)
            }
            return true
        }
        return range ?? .discrete(intervals)
    }

    /// Takes entry after entry until the driver has no more (EINVAL), does not list them at all (ENOTTY), or `take` has
    /// enough.
    private func list(
        upTo limit: Int, _ take: (UInt32) throws(SystemError) -> Bool
    ) throws(SystemError) {
        for index in 0..<UInt32(limit) {
            do throws(SystemError) {
                if try !take(index) { return }
            } catch {
                // ENODATA: an input without a signal, such as a video grabber's, has no sizes now.
                if [EINVAL, ENOTTY, ENODATA].contains(error.code) { return }
                throw error
            }
        }
    }
}

extension VideoRange<VideoSize> {
    fileprivate init?(_ answer: v4l2_frmsize_stepwise) {
        let minimum = VideoSize(width: Int(answer.min_width), height: Int(answer.min_height))
        let maximum = VideoSize(width: Int(answer.max_width), height: Int(answer.max_height))
        guard minimum.width > 0, minimum.height > 0, maximum.width >= minimum.width, maximum.height >= minimum.height
        else { return nil }
        // A continuous range has steps of 1; where a driver says 0, it means that as well.
        let step = VideoSize(width: max(1, Int(answer.step_width)), height: max(1, Int(answer.step_height)))
        self = .stepwise(minimum: minimum, maximum: maximum, step: step)
    }
}

extension VideoRange<FrameInterval> {
    fileprivate init?(_ answer: v4l2_frmival_stepwise) {
        guard let minimum = FrameInterval(answer.min), let maximum = FrameInterval(answer.max) else { return nil }
        self = .stepwise(minimum: minimum, maximum: maximum, step: FrameInterval(answer.step) ?? minimum)
    }
}

/// A camera's name without what uvcvideo puts behind it: the name of the camera's function, which most makers give the same
/// name, cut off after 31 characters in all ("HD Webcam C525: HD Webcam C525").
func cameraName(_ card: String) -> String {
    guard let colon = card.firstIndex(of: ":") else { return card }
    let name = card[..<colon]
    let function = card[card.index(after: colon)...].drop { $0 == " " }
    return function.isEmpty || !name.hasPrefix(function) ? card : String(name)
}
