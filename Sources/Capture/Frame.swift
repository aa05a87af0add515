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
    private let lease: SlotLease

    init(stamp: FrameStamp, width: Int, height: Int, lease: consuming SlotLease) {
        self.stamp = stamp
        self.width = width
        self.height = height
        self.lease = lease
    }

    /// Bytes from the start of the pool's shared memory; rows are tight.
    public var offset: Int { lease.offset }

    /// Lends the picture.
    public func withLuma<Result>(_ body: (LumaView) throws -> Result) rethrows -> Result {
        guard let view = LumaView(bytes: lease.readableBytes, width: width, height: height) else {
            preconditionFailure("a frame fits its slot")
        }
        return try body(view)
    }
}
