// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// Why an item left the list; the raw value is the name on the wire.
public enum RemovalReason: String, Sendable, Hashable, CaseIterable {
    /// Its place left the picture.
    case outOfView
    /// Its place was seen uncovered, without it.
    case gone
    /// The source of frames was lost.
    case sourceLost
    /// Scanning was stopped.
    case stopped
    /// The region of interest no longer includes it.
    case regionChanged
}

/// Why no frames are to be had; the raw value is the code on the wire.
public enum UnavailabilityCode: String, Sendable, Hashable, CaseIterable {
    case cameraLost
    case cameraBusy
    case permissionDenied
    case noFrames
    case frozen
    case dark
    case unsupported
}

/// What the scanner tells those who follow it.
public enum ScanEvent: Sendable, Hashable {
    /// New items, and the IDs of all items in reading order.
    case didAdd([RecognizedItem], allItems: [ItemID], frame: FrameStamp)
    /// Items that moved or changed; `allItems` only where the reading order changed.
    case didUpdate([RecognizedItem], allItems: [ItemID]?, frame: FrameStamp)
    /// Items that left, each with its reason, and the IDs of all that remain in reading order.
    case didRemove([RemovedItem], allItems: [ItemID], frame: FrameStamp)
    /// No frames come, and why; items were removed before.
    case becameUnavailable(UnavailabilityCode, message: String)
    /// Frames come again.
    case becameAvailable
    /// Something keeps codes or text from being read, or no longer does.
    case guidance(Guidance, isActive: Bool, frame: FrameStamp)
}

/// An item at the moment it left the list.
public struct RemovedItem: Sendable, Hashable {
    public var item: RecognizedItem
    public var reason: RemovalReason

    public init(item: RecognizedItem, reason: RemovalReason) {
        self.item = item
        self.reason = reason
    }
}
