// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ImageKernels
internal import LinuxSystem
public import ScanModel

/// A frame's luma in one slot of the shared memory; the slot is free again when the last reference goes.
///
/// - Important: Written once, by the source that leased the slot, before anyone else sees it.
public final class Frame: Sendable {
    public let stamp: FrameStamp
    public let width: Int
    public let height: Int
    private let slot: SharedSlot

    init(stamp: FrameStamp, width: Int, height: Int, lease: consuming SlotLease) {
        self.stamp = stamp
        self.width = width
        self.height = height
        slot = SharedSlot(lease)
    }

    /// Another moment of a picture that stands still: the same slot, which nobody writes any more.
    init(stamp: FrameStamp, showing other: Frame) {
        self.stamp = stamp
        width = other.width
        height = other.height
        slot = other.slot
    }

    /// Bytes from the start of the pool's shared memory; rows are tight.
    public var offset: Int { slot.lease.offset }

    /// Lends the picture.
    public func withLuma<Result>(_ body: (LumaView) throws -> Result) rethrows -> Result {
        guard let view = LumaView(bytes: slot.lease.readableBytes, width: width, height: height) else {
            preconditionFailure("a frame fits its slot")
        }
        return try body(view)
    }
}

/// One lease for all frames that show the same picture.
private final class SharedSlot: Sendable {
    let lease: SlotLease

    init(_ lease: consuming SlotLease) { self.lease = lease }
}
