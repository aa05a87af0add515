// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import Configuration
import ServiceSupport

/// Opens a camera as the options say, for the verbs that need one for themselves.
enum CameraOpening {
    /// A camera is waited for, not opened here; throws where the source is none.
    static func open(_ options: ClientOptions) throws(ProgramFailure) -> any RawPictureSource {
        let name = options.source ?? "auto"
        guard let selection = CameraSelection(named: name) else {
            throw ProgramFailure(.noInput, "\(name) is no camera; 'datascan cameras' lists those there are")
        }
        return V4L2Camera(options: CameraOptions(options.cameraSettings, selection: selection))
    }
}

extension CameraOptions {
    fileprivate init(_ settings: CameraSettings, selection: CameraSelection) {
        self.init(
            selection: selection, width: settings.width, height: settings.height, rate: settings.rate,
            format: settings.format, controls: settings.controls.map { ($0.name, $0.value) })
    }
}
