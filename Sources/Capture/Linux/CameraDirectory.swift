// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem

/// A camera of the machine, what it can do, and who has it.
public struct CameraDescription: Sendable, Hashable {
    /// A format and size, and the rates in frames a second that go with it, highest first.
    public struct Mode: Sendable, Hashable {
        public var format: FourCC
        public var width: Int
        public var height: Int
        /// Empty where the driver tells none.
        public var rates: [Double]
    }

    /// `/dev/video0`.
    public var device: String
    /// The link that names the camera whatever its number is; `nil` where udev makes none.
    public var stablePath: String?
    public var byId: String?
    public var byPath: String?
    /// The driver's words.
    public var name: String
    /// Where it is plugged in, as the driver tells; `nil` where it can not be asked.
    public var bus: String?
    public var driver: String?
    /// In the driver's order. Of a camera that takes any size or rate within a range, the usual ones.
    public var modes: [Mode] = []
    /// Whether another process streams from it: nobody else can.
    public var isBusy = false
    /// Who has it open, streaming or not, as far as that can be seen.
    public var holders: [DeviceHolder] = []
    /// Why it can not be used, and what to do; `nil` where it can.
    public var problem: String?
}

/// The cameras of the machine.
public enum CameraDirectory {
    /// All real cameras by the number of their nodes, those that can not be opened among them.
    ///
    /// Nodes for metadata, radios and outputs are none. Each is opened for a moment, and asked for a buffer to see whether
    /// somebody streams: a program that would start to stream in this moment is told that the camera is busy.
    public static func cameras() -> [CameraDescription] {
        CameraSurvey(list: .current(), target: resolvedPath, holders: DeviceHolder.all) { (node) throws(SystemError) in
            try KernelVideoDevice.open(node, converting: false)
        }.cameras()
    }

    /// What is at a path that is no camera and will never be one, in words; `nil` where there is nothing yet, where it is
    /// one, and where that can not be told.
    ///
    /// Such as `a pipe`; a node of the camera's for other things than pictures is told by its name.
    public static func otherKind(at path: String) -> String? {
        if let kind = VideoNode.otherKind(at: path) { return kind }
        do throws(SystemError) {
            let device = try KernelVideoDevice.open(path, converting: false)
            defer { device.close() }
            let capability = try device.capability()
            if capability.isCapture { return nil }
            return capability.isMultiPlanar
                ? "a camera whose pictures come in several planes, which is not supported"
                : "a node of \(capability.name) that gives no pictures"
        } catch {
            return error.code == ENOTTY ? "a video device of another kind" : nil
        }
    }
}

/// Looks at each node of a list.
struct CameraSurvey {
    let list: VideoNodeList
    /// What a link leads to.
    let target: (String) -> String?
    let holders: (String) -> [DeviceHolder]
    let open: (String) throws(SystemError) -> any VideoDevice

    func cameras() -> [CameraDescription] { list.entries.compactMap { describe($0) } }

    /// `nil` for what is no camera, or is gone.
    private func describe(_ entry: VideoNodeEntry) -> CameraDescription? {
        if entry.capabilities != nil, entry.isCaptureByName == false { return nil }
        let links = list.stableLinks(of: entry.node, target: target)
        var camera = CameraDescription(
            device: entry.node, stablePath: links.stable, byId: links.byId, byPath: links.byPath,
            name: entry.title ?? entry.node)
        do throws(SystemError) {
            let device = try open(entry.node)
            defer { device.close() }
            let capability = try device.capability()
            guard capability.isCapture, capability.isStreaming else { return nil }
            camera.name = capability.name.isEmpty ? camera.name : capability.name
            camera.bus = capability.bus
            camera.driver = capability.driver
            camera.modes = try CameraModes.all(of: device)
            try askForBuffer(device)
        } catch {
            switch error.code {
            case ENOENT, ENODEV, ENXIO, ENOTTY: return nil
            case EBUSY: camera.isBusy = true
            default:
                guard entry.isCaptureByName ?? true else { return nil }
                camera.problem = problem(error)
            }
        }
        camera.holders = holders(entry.node)
        return camera
    }

    /// Only asking tells whether another process streams: a node may be open any number of times.
    private func askForBuffer(_ device: any VideoDevice) throws(SystemError) {
        if try device.requestBuffers(1) > 0 { _ = try device.requestBuffers(0) }
    }

    private func problem(_ error: SystemError) -> String {
        switch error.code {
        case EACCES:
            "it may not be opened (\(error.reason)); add the user to the group video: usermod -aG video USER, then log in anew"
        case EPERM:
            "it may not be opened (\(error.reason)); let the service or container have it: DeviceAllow=char-video4linux rw"
        case EINVAL where error.operation == "VIDIOC_REQBUFS":
            "it does not give its frames by memory mapping (\(error.description))"
        default: error.description
        }
    }
}

/// What a camera can be set to, as a list that ends.
enum CameraModes {
    /// More than any camera has; vivid, a test driver, has 498 formats and sizes.
    private static let maximumCount = 2048

    /// What of a range of sizes is worth naming, beside its largest.
    private static let usualSizes: [(Int, Int)] = [
        (160, 120), (176, 144), (320, 180), (320, 240), (352, 288), (640, 360), (640, 400), (640, 480), (800, 600),
        (960, 540), (1024, 768), (1280, 720), (1280, 800), (1280, 960), (1280, 1024), (1600, 1200), (1920, 1080),
        (1920, 1200), (2048, 1536), (2560, 1440), (2592, 1944), (3264, 2448), (3840, 2160), (4096, 3072), (4656, 3496),
    ]
    /// What of a range of rates is worth naming, beside its highest.
    private static let usualRates: [Double] = [120, 100, 90, 60, 50, 30, 25, 24, 20, 15, 10, 7.5, 5, 2, 1]

    static func all(of device: any VideoDevice) throws(SystemError) -> [CameraDescription.Mode] {
        var modes: [CameraDescription.Mode] = []
        for format in try device.formats() {
            for size in sizes(try device.sizes(of: format.code)) {
                let rates = rates(try device.intervals(of: format.code, size))
                modes.append(.init(format: format.code, width: size.width, height: size.height, rates: rates))
                if modes.count == maximumCount { return modes }
            }
        }
        return modes
    }

    static func sizes(_ range: VideoRange<VideoSize>) -> [VideoSize] {
        switch range {
        case .discrete(let sizes): return sizes
        case .stepwise(let minimum, let maximum, let step):
            func isOn(_ value: Int, _ minimum: Int, _ maximum: Int, _ step: Int) -> Bool {
                value >= minimum && value <= maximum && (value - minimum) % max(1, step) == 0
            }
            let usual = usualSizes.map { VideoSize(width: $0.0, height: $0.1) }.filter {
                isOn($0.width, minimum.width, maximum.width, step.width)
                    && isOn($0.height, minimum.height, maximum.height, step.height)
            }
            return usual.contains(maximum) ? usual : usual + [maximum]
        }
    }

    static func rates(_ range: VideoRange<FrameInterval>) -> [Double] {
        switch range {
        case .discrete(let intervals): return Set(intervals.map(\.framesPerSecond)).sorted(by: >)
        case .stepwise(let minimum, let maximum, _):
            let (highest, lowest) = (minimum.framesPerSecond, maximum.framesPerSecond)
            let usual = usualRates.filter { $0 <= highest && $0 >= lowest }
            return usual.first == highest ? usual : [highest] + usual
        }
    }
}
