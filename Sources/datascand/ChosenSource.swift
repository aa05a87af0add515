// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import Configuration
import ImageKernels
import ServiceSupport

/// The source that the options name: a camera or a replay.
enum ChosenSource {
    /// Throws where it can never give a frame, or where an option does not fit it. A camera that is not there, or is in
    /// use, is waited for; what is there and is none will not become one.
    static func open(_ options: DaemonOptions) throws -> any FrameSource {
        let name = options.source ?? "-"
        guard let selection = CameraSelection(named: name) else {
            if let option = ChosenSource.cameraOption(options) {
                throw ProgramFailure(.usage, "\(option) is for a camera, and \(name) is replayed")
            }
            return try ReplaySource(options)
        }
        if let option = ChosenSource.replayOption(options) {
            throw ProgramFailure(.usage, "\(option) is for a replay, and \(name) is a camera")
        }
        if case .path(let path) = selection, let kind = CameraDirectory.otherKind(at: path) {
            throw ProgramFailure(
                .noInput, "\(name) is no camera but \(kind); 'datascan cameras' lists the cameras there are")
        }
        return V4L2Camera(options: CameraOptions(selection, options))
    }

    private static func replayOption(_ options: DaemonOptions) -> String? {
        if options.pace == .unpaced { return "--rate max" }
        if options.loops { return "--loop" }
        return options.hold == 1 ? nil : "--hold"
    }

    private static func cameraOption(_ options: DaemonOptions) -> String? {
        if options.cameraSettings.width != nil { return "--size" }
        if options.cameraSettings.format != nil { return "--format" }
        if !options.cameraSettings.controls.isEmpty { return "--control" }
        if options.endsWithoutCamera { return "--exit-on-camera-loss" }
        return options.frozenAfter == nil ? nil : "--frozen-after"
    }
}

extension CameraOptions {
    fileprivate init(_ selection: CameraSelection, _ options: DaemonOptions) {
        let settings = options.cameraSettings
        var rate: Double?
        if case .framesPerSecond(let wanted) = options.pace { rate = wanted }
        self.init(
            selection: selection, width: settings.width, height: settings.height, rate: rate, format: settings.format,
            controls: settings.controls.map { ($0.name, $0.value) })
        qualityLevel = options.qualityLevel
        frozenAfter = options.frozenAfter.map { .seconds($0) }
        orientation = options.orientation
    }
}

extension ReplaySource {
    fileprivate convenience init(_ options: DaemonOptions) throws {
        var replay = ReplayOptions()
        switch options.pace {
        case .own: replay.rate = .source
        case .framesPerSecond(let rate): replay.rate = .fixed(rate)
        case .unpaced: replay.rate = .unpaced()
        }
        replay.loop = options.loops
        replay.hold = options.hold
        replay.orientation = options.orientation
        try self.init(path: options.source ?? "-", options: replay)
    }
}

extension DaemonOptions {
    fileprivate var orientation: Orientation {
        Orientation(turn: .init(rawValue: rotation) ?? .none, isMirrored: isMirrored)
    }
}
