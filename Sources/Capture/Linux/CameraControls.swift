// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
public import LinuxSystem

/// Why a camera can not be asked.
public enum CameraAccessError: Error, Sendable, Hashable, CustomStringConvertible {
    /// There is no camera, or none of that name.
    case notFound(String?)
    /// What is there is none.
    case notACamera(String)
    case permissionDenied(SystemError)
    case failed(SystemError)

    init(_ error: SystemError) {
        switch error.code {
        case EACCES, EPERM: self = .permissionDenied(error)
        case ENOTTY: self = .notACamera(error.subject)
        case ENOENT, ENODEV, ENXIO: self = .notFound(error.subject)
        default: self = .failed(error)
        }
    }

    public var description: String {
        switch self {
        case .notFound(nil): "there is no camera; 'datascan cameras' says what to look at"
        case .notFound(let name?): "there is no camera \(name); 'datascan cameras' lists those that are there"
        case .notACamera(let name): "\(name) is no camera; 'datascan cameras' lists those that are there"
        case .permissionDenied(let error):
            error.code == EPERM
                ? "\(error.description); let the service or container have it: DeviceAllow=char-video4linux rw"
                : "\(error.description); add the user to the group video: usermod -aG video USER, then log in anew"
        case .failed(let error): error.description
        }
    }
}

/// A camera's controls, to be read and set by hand, while another program streams from it or not.
///
/// - Important: Confined to one thread. The camera is open for as long as this lives.
public final class CameraControls {
    /// `/dev/video0`.
    public let device: String
    /// The driver's words for the camera.
    public let name: String
    private let video: any VideoDevice

    /// Opens the camera.
    public init(of selection: CameraSelection) throws(CameraAccessError) {
        guard let found = LinuxCameraSystem().locate(selection) else {
            if case .path(let path) = selection { throw .notFound(path) }
            throw .notFound(nil)
        }
        device = found.node
        if let kind = CameraDirectory.otherKind(at: device) { throw .notACamera("\(device) (\(kind))") }
        do throws(SystemError) {
            video = try KernelVideoDevice.open(device, converting: false)
            name = try video.capability().name
        } catch {
            throw CameraAccessError(error)
        }
    }

    deinit { video.close() }

    /// All that the camera has, with the values that are in force now.
    public func book() throws(CameraAccessError) -> ControlBook {
        do throws(SystemError) {
            return ControlBook(try video.controls())
        } catch {
            throw CameraAccessError(error)
        }
    }

    /// Sets what is asked for, automatics first, and tells of each what became of it.
    public func apply(_ settings: [CameraControlSetting]) -> [CameraReport.Control] {
        applyControls(settings, to: video)
    }
}
