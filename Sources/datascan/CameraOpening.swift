// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import Configuration
import ImageKernels
import ServiceSupport

/// Opens a camera as the options say, for the verbs that need one for themselves.
enum CameraOpening {
    static func open(_ options: ClientOptions) throws -> any RawPictureSource {
        throw ProgramFailure(.software, "a camera can not be opened yet")
    }
}

extension CameraOptions {
    /// The daemon's own choice of a mode, where nothing is asked for.
    init(_ settings: CameraSettings, selection: CameraSelection) throws(ProgramFailure) {
        self.init(selection: selection)
        if let width = settings.width, let height = settings.height { size = PictureSize(width: width, height: height) }
        rate = settings.rate
        if let code = settings.format {
            guard let format = FourCC(code) else { throw ProgramFailure(.usage, "'\(code)' is no format's code") }
            self.format = format
        }
        controls = settings.controls.map { CameraControlSetting(name: $0.name, value: $0.value) }
    }
}
