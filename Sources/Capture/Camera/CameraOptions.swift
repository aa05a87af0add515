// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ImageKernels
public import ScanModel

/// A control's value as somebody wrote it: `exposure_absolute` = `250`, `power_line_frequency` = `50 Hz`.
public struct CameraControlSetting: Sendable, Hashable {
    /// The control's name as `datascan controls` lists it.
    public var name: String
    /// A number, `true` or `false`, or a menu's entry by number or by its words.
    public var value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// How a camera is chosen, set and watched.
public struct CameraOptions: Sendable, Hashable {
    public var selection: CameraSelection
    /// Decides the size and rate where they are not forced.
    public var qualityLevel: QualityLevel = .balanced
    /// Width and height that are asked for whatever the level; a driver may still give others.
    public var size: PictureSize?
    /// Frames a second that are asked for whatever the level.
    public var rate: Double?
    /// The only format that is asked for.
    public var format: FourCC?
    /// Set at each opening, in this order.
    public var controls: [CameraControlSetting] = []
    /// After how long the very same picture means that the camera hangs; `nil`: never. Off unless asked for: a sensor's
    /// noise changes every picture, but a test pattern or a camera behind a video switch may stand still.
    public var frozenAfter: Duration?
    public var orientation: Orientation = .upright

    public init(selection: CameraSelection) { self.selection = selection }

    /// Takes what a command line or a configuration says; a format that is no code is none.
    public init(
        selection: CameraSelection, width: Int?, height: Int?, rate: Double?, format: String?,
        controls: [(name: String, value: String)]
    ) {
        self.selection = selection
        if let width, let height { size = PictureSize(width: width, height: height) }
        self.rate = rate
        self.format = format.flatMap { FourCC($0) }
        self.controls = controls.map { CameraControlSetting(name: $0.name, value: $0.value) }
    }
}
