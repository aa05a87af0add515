// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem
import ScanModel

@testable import Capture

/// The calls of a camera that can be made to fail.
enum VideoCall: String, CaseIterable, Sendable {
    case open, capability, formats, sizes, intervals, format, setFormat, setInterval, interval, subscribe
    case takeSourceChange, requestBuffers, mapBuffer, queueBuffer, dequeueBuffer, startStreaming, stopStreaming, wait
    case controls, controlValue, setControl

    /// Those that only an opening makes.
    static let ofOpening: Set<VideoCall> = [
        .open, .capability, .formats, .sizes, .intervals, .format, .setFormat, .setInterval, .interval, .subscribe,
        .requestBuffers, .mapBuffer, .startStreaming, .controls, .controlValue, .setControl,
    ]
}

/// An errno that a call answers with.
struct PlayedFault {
    var code: Int32
    /// How often; `nil`: for ever.
    var times: Int?
    /// How long the call takes before it fails.
    var takes: Duration = .zero
}

/// A format that a scripted camera offers.
struct PlayedFormat {
    var code: FourCC
    var sizes: VideoRange<VideoSize>
    /// Rates of each size.
    var rates: [UInt32]
    var isEmulated = false

    init(_ code: FourCC, _ sizes: [(Int, Int)], _ rates: [UInt32], isEmulated: Bool = false) {
        self.code = code
        self.sizes = .discrete(sizes.map { VideoSize(width: $0.0, height: $0.1) })
        self.rates = rates
        self.isEmulated = isEmulated
    }
}

/// What a scripted camera puts into a buffer.
struct PlayedPicture {
    /// One brightness, in each byte.
    var fill: UInt8
    /// Instead of it: a JPEG.
    var jpeg: [UInt8]?
    /// What the driver claims; `nil`: as many bytes as there are.
    var bytesUsed: Int?
    var isDamaged = false
    /// The index that the driver names, in place of the buffer's own.
    var index: Int?
    var sequence: UInt32?
    /// What the driver's stamp is off by; `nil`: no stamp.
    var stampOffset: Duration? = .milliseconds(-5)
    var stamp: MonotonicTime?

    init(_ fill: UInt8) { self.fill = fill }
}

/// A camera as a test plays it: what it offers, what it shows, and what goes wrong with it.
final class ScriptedCamera {
    var node: String
    var stablePath: String?
    var name: String
    var capability: VideoCapability
    var formats: [PlayedFormat]
    /// With libv4l2.
    var convertedFormats: [PlayedFormat] = []
    /// What opening it through libv4l2 fails with.
    var convertingFault: Int32?
    var isPlugged = true
    /// Gives no frames, and says nothing about it.
    var isHung = false
    var interval = Duration.milliseconds(200)
    var firstFrameAfter = Duration.milliseconds(100)
    var faults: [VideoCall: PlayedFault] = [:]
    var holders: [DeviceHolder] = []
    /// What frame n of all shows; by default each one something else, and bright.
    var picture: (Int) -> PlayedPicture = { PlayedPicture(UInt8(100 + $0 % 100)) }
    /// POLLERR at each wait, without an errno from any call.
    var reportsPollError = false
    /// Readable at each wait, and no buffer to take.
    var liesAboutReadiness = false
    var sourceChanges = 0
    /// What the driver makes of a format; `nil`: what was asked for.
    var adjust: ((FourCC, VideoSize) -> NegotiatedFormat)?
    var readBack: FrameInterval??
    /// STREAMON answers ENOSPC to what this says true of.
    var exceedsBandwidth: (NegotiatedFormat, FrameInterval?) -> Bool = { _, _ in false }
    var mostBuffers = 32
    var fewestBytesPerLine = 0
    var controls: [VideoControl] = []

    // What the device did.
    var framesMade = 0
    var calls: [VideoCall: Int] = [:]
    var modesSet: [(code: FourCC, size: VideoSize)] = []
    var controlsSet: [String] = []

    init(
        _ node: String = "/dev/video0", stablePath: String? = "/dev/v4l/by-id/usb-Maker_Cam-video-index0",
        name: String = "Maker Cam", formats: [PlayedFormat] = [PlayedFormat(.grey, [(16, 12)], [5])]
    ) {
        self.node = node
        self.stablePath = stablePath
        self.name = name
        self.formats = formats
        capability = VideoCapability(
            driver: "uvcvideo", name: name, bus: "usb-0000:00:14.0-1", isCapture: true, isStreaming: true,
            isMultiPlanar: false)
    }

    var located: LocatedCamera { LocatedCamera(node: node, stablePath: stablePath) }

    func fail(_ call: VideoCall, _ code: Int32, times: Int? = nil, takes: Duration = .zero) {
        faults[call] = PlayedFault(code: code, times: times, takes: takes)
    }

    /// Counts a call, and answers the fault that is played for it.
    func enter(_ call: VideoCall) -> PlayedFault? {
        calls[call, default: 0] += 1
        guard let fault = faults[call] else { return nil }
        if let times = fault.times {
            guard times > 0 else { return nil }
            faults[call]?.times = times - 1
        }
        return fault
    }
}
