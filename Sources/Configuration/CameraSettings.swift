// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// A control of the camera and the value that is wanted, as they were written.
public struct ControlSetting: Sendable, Hashable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// How a camera is to be set; the same for `datascand` and for the verbs that open a camera themselves.
public struct CameraSettings: Sendable, Hashable {
    /// Pixels that are asked for; `nil`: by the quality level.
    public var width: Int?
    public var height: Int?
    /// Frames a second that are asked for; `nil`: by the quality level.
    public var rate: Double?
    /// Four characters, as V4L2 names pixel formats; `nil`: the one that costs least.
    public var format: String?
    /// Set at each opening, in this order.
    public var controls: [ControlSetting] = []

    public init() {}
}

extension OptionValue {
    /// Sides of a frame that can be asked for.
    private static let sides = 16...16_384

    /// `WIDTHxHEIGHT` in pixels.
    static func size(_ text: String) throws(UsageError) -> (width: Int, height: Int) {
        let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 | 0x20 == 0x78 }), parts.count == 2,
            let width = parts[0], let height = parts[1], sides.contains(width),
            sides.contains(height)
        else {
            throw UsageError(
                "expected WIDTHxHEIGHT in pixels, each from \(sides.lowerBound) to \(sides.upperBound): 1280x720")
        }
        return (width, height)
    }

    /// Frames a second that a camera or a replay can be asked for.
    static func frameRate(_ text: String) throws(UsageError) -> Double {
        guard let rate = Double(text), rate >= 0.01, rate <= 1000 else {
            throw UsageError("expected frames a second from 0.01 to 1000")
        }
        return rate
    }

    /// A pixel format's code: one to four printable characters without blanks.
    static func pixelFormat(_ text: String) throws(UsageError) -> String {
        guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw UsageError("expected a format's code of up to four characters: MJPG, YUYV, GREY, NV12")
        }
        return text
    }

    /// `NAME=VALUE`.
    static func control(_ text: String) throws(UsageError) -> ControlSetting {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
            throw UsageError("expected NAME=VALUE, such as exposure_time_absolute=50")
        }
        let value = String(text[text.index(after: equals)...])
        guard !value.isEmpty else { throw UsageError("there is no value behind the '='") }
        return ControlSetting(name: String(text[..<equals]), value: value)
    }
}

/// Options that a camera is opened with.
protocol CameraConfigurable: SendableMetatype {
    var cameraSettings: CameraSettings { get set }
}

extension DaemonOptions: CameraConfigurable {}
extension ClientOptions: CameraConfigurable {}

extension CommandLineOption where Options: CameraConfigurable {
    /// `--size`, `--format` and `--control`; `--rate` differs from program to program.
    static var camera: [Self] {
        [
            .init("size", argument: "WxH", help: "pixels to ask a camera for (by the quality level)") {
                (options, text) throws(UsageError) in
                let size = try OptionValue.size(text)
                options.cameraSettings.width = size.width
                options.cameraSettings.height = size.height
            },
            .init("format", argument: "CODE", help: "format to ask a camera for, such as MJPG or YUYV (the cheapest)") {
                (options, text) throws(UsageError) in
                options.cameraSettings.format = try OptionValue.pixelFormat(text)
            },
            .init(
                "control", argument: "NAME=VALUE",
                help: "set a control of the camera at each opening; may be given again ('datascan controls' lists them)"
            ) {
                (options, text) throws(UsageError) in
                options.cameraSettings.controls.append(try OptionValue.control(text))
            },
        ]
    }
}
