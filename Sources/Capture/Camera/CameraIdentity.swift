// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// Which camera is meant, once it was found: the same one, whatever its number is.
struct CameraIdentity {
    /// `automatic` takes another camera when its own has been away for so long. Not sooner, because a camera that is plugged
    /// into another port, or resets itself, must not lose its place to another one in the same machine; and at all, because
    /// a broken camera is replaced by one with another name, and nobody logs in to say so. A camera that was named is
    /// waited for without end: the other one may be another daemon's.
    static let replacementAfter = Duration.seconds(60)

    private let selection: CameraSelection
    private var remembered: CameraSelection?
    private var missingSince: MonotonicTime?

    init(_ selection: CameraSelection) { self.selection = selection }

    /// Finds the camera with `find`; `nil` where it is not there.
    mutating func locate(at now: MonotonicTime, _ find: (CameraSelection) -> LocatedCamera?) -> LocatedCamera? {
        guard let remembered else { return find(selection) }
        if let found = find(remembered) {
            missingSince = nil
            return found
        }
        let since = missingSince ?? now
        missingSince = since
        guard selection == .automatic, now - since >= CameraIdentity.replacementAfter else { return nil }
        return find(selection)
    }

    /// A stream was started: from now on it is this one.
    mutating func opened(_ camera: LocatedCamera) {
        missingSince = nil
        if let stable = camera.stablePath {
            remembered = .path(stable)
        } else if selection == .automatic {
            remembered = .path(camera.node)
        }
    }

    /// The path that was asked for; `nil` where any camera will do.
    var path: String? {
        if case .path(let path) = selection { path } else { nil }
    }
}
