// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// What whoever holds or mounts the camera can do so that more is read; the raw value is the name on the wire.
public enum Guidance: String, Sendable, Hashable, CaseIterable {
    /// The picture is blurred because it moves.
    case slowDown
    /// Codes are found whose bars or squares are too small to be read.
    case moveCloser
    /// Hardly any light.
    case tooDark
    /// Much of the picture is brighter than the sensor can tell.
    case glare
    /// The picture is blurred though it stands.
    case outOfFocus
}
