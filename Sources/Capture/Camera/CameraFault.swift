// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem
internal import ScanModel

/// What went wrong with a camera; each one ends the stream.
enum CameraFault: Error, Hashable, Sendable {
    /// The camera's node is not there.
    case absent
    /// A call failed.
    case call(SystemError)
    /// The stream could not be started in this mode; another one may go.
    case mode(CameraMode, SystemError)
    /// What is there can not be used; why.
    case unsupported(String)
    /// Nothing good came for so long; the words say what did.
    case noFrames(String)
    /// The driver broke its own rules; how.
    case driver(String)
    /// The driver says that the format changed.
    case formatChanged
    /// The machine was suspended.
    case resumed
    /// The picture hangs: a new opening may cure it.
    case frozen
    /// A mode that was given up on a guess is tried again.
    case secondChance
}

extension CameraFault {
    /// The camera itself is gone, whatever the call that noticed.
    var isAbsence: Bool {
        switch self {
        case .absent: true
        case .call(let error): CameraFault.absenceCodes.contains(error.code)
        case .mode, .unsupported, .noFrames, .driver, .formatChanged, .resumed, .frozen, .secondChance: false
        }
    }

    /// Nothing is wrong with the camera: it is opened anew without a word, unless that takes long.
    var isQuiet: Bool {
        switch self {
        case .formatChanged, .resumed, .secondChance: true
        case .absent, .call, .mode, .unsupported, .noFrames, .driver, .frozen: false
        }
    }

    /// Whether it says something about the mode: a stream could have been had in another one.
    var blamesMode: Bool {
        switch self {
        case .mode, .noFrames, .driver: true
        case .call(let error):
            !CameraFault.absenceCodes.contains(error.code) && !CameraFault.accessCodes.contains(error.code)
        case .absent, .unsupported, .formatChanged, .resumed, .frozen, .secondChance: false
        }
    }

    /// errno; `nil` where no call failed.
    var code: Int32? {
        switch self {
        case .call(let error), .mode(_, let error): error.code
        case .absent, .unsupported, .noFrames, .driver, .formatChanged, .resumed, .frozen, .secondChance: nil
        }
    }

    /// Whether the link to the camera carries too little.
    var isBandwidth: Bool { code == ENOSPC }

    private static let absenceCodes: Set<Int32> = [ENODEV, ENXIO, ENOENT]
    private static let accessCodes: Set<Int32> = [EBUSY, EACCES, EPERM]
}

extension SystemError {
    /// Whether the device is of no use any more, so that even a call that may fail tells it.
    var isLossOfDevice: Bool { [ENODEV, ENXIO, ENOENT, EBADF, ESHUTDOWN].contains(code) }

    /// The call and the reason; V4L2's meanings where they are not those of files.
    var inCameraWords: String {
        switch code {
        case ENOSPC: "\(operation): not enough USB bandwidth"
        case ENOMEM: "\(operation): not enough memory for the stream"
        case EPROTO, EPIPE, EILSEQ: "\(operation): USB transfer error (\(reason))"
        case ESHUTDOWN: "\(operation): the USB device was shut down"
        default: "\(operation): \(reason)"
        }
    }
}
