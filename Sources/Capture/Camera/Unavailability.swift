// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem
internal import ScanModel

/// Why no frames come, as it is told.
struct Unavailability: Hashable {
    var code: UnavailabilityCode
    /// What happened and what to do about it.
    var message: String
    /// What tells this cause from others of the same code.
    var cause: Cause

    enum Cause: Hashable {
        case absence
        /// A call that failed, by its errno: which call notices it may differ from one opening to the next.
        case call(Int32)
        case unsupported
        case noFrames
        case driver
        case picture
    }
}

/// What a message can name.
struct CameraWords {
    /// The camera's name with its node; before it was found, the path that was asked for, `nil` where any camera will do.
    var found: String?
    /// `/dev/video0`; `nil` before it was found.
    var node: String?
    var holders: [DeviceHolder] = []

    var subject: String { found ?? "the camera" }
}

extension Unavailability {
    /// Puts a fault into words and under a code.
    init(_ fault: CameraFault, _ words: CameraWords) {
        switch fault {
        case .absent: self.init(absence: nil, words)
        case .call(let error) where fault.isAbsence: self.init(absence: error.inCameraWords, words)
        case .call(let error): self.init(error.code, error.inCameraWords, words)
        case .mode(let mode, let error):
            self.init(error.code, "\(error.inCameraWords), even in its mode \(mode)", words)
        case .unsupported(let why): self.init(.unsupported, .unsupported, "\(words.subject) can not be used: \(why)")
        case .noFrames(let what):
            self.init(
                .noFrames, .noFrames,
                "\(words.subject) \(what); it is opened anew. Unplug it and plug it in again if that does not help")
        case .driver(let what):
            self.init(
                .cameraLost, .driver,
                "\(words.subject): \(what); it is opened anew. Unplug it and plug it in again if that does not help")
        case .formatChanged:
            self.init(
                .noFrames, .noFrames,
                "\(words.subject) keeps changing its format; set its source to one fixed size and rate")
        case .resumed, .secondChance:
            self.init(.noFrames, .noFrames, "\(words.subject) gave no frames after it was opened anew")
        case .frozen:
            self.init(
                .frozen, .picture,
                "\(words.subject) gives the very same picture again and again; it is opened anew. "
                    + "Unplug it and plug it in again if that does not help")
        }
    }

    static func dark(_ words: CameraWords) -> Unavailability {
        Unavailability(
            .dark, .picture,
            "\(words.subject) sees nothing but black; take off the lens cap, open its shutter, or put on the light")
    }

    private init(_ code: UnavailabilityCode, _ cause: Cause, _ message: String) {
        self.init(code: code, message: message, cause: cause)
    }

    private init(absence call: String?, _ words: CameraWords) {
        let missing = words.found.map { "\($0) is not there" } ?? "no camera was found"
        let happened = call.map { "\(words.subject) is gone (\($0))" } ?? missing
        self.init(.cameraLost, .absence, "\(happened); plug it in, and it is used at once")
    }

    private init(_ code: Int32, _ call: String, _ words: CameraWords) {
        let node = words.node ?? words.subject
        switch code {
        case EBUSY:
            let others = words.holders.map { $0.name.isEmpty ? "pid \($0.pid)" : "\($0.name) (pid \($0.pid))" }
            let who = others.isEmpty ? "another program (who it is can not be seen)" : others.joined(separator: ", ")
            self.init(
                .cameraBusy, .call(code), "\(words.subject) is in use by \(who); end that, and it is used at once")
        case EACCES:
            self.init(
                .permissionDenied, .call(code),
                "\(node) may not be opened (\(call)); add the user to the group video, "
                    + "as SupplementaryGroups=video of the unit or by 'usermod -aG video USER'")
        case EPERM:
            self.init(
                .permissionDenied, .call(code),
                "\(node) may not be opened (\(call)); a device policy forbids it: "
                    + "the unit needs DeviceAllow=char-video4linux rw, a container the device itself")
        case ENOSPC:
            self.init(
                .cameraLost, .call(code),
                "\(words.subject) could not be started (\(call)); plug it into a port of another USB controller, "
                    + "or unplug other cameras")
        default:
            self.init(
                .cameraLost, .call(code),
                "\(words.subject) failed (\(call)); it is opened anew. "
                    + "Unplug it and plug it in again if that does not help")
        }
    }
}
