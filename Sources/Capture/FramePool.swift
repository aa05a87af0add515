// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem

/// Slots for frames in memory that the recognition workers can read.
///
/// Enough slots: one being written, one that waits, one a recogniser, and one to spare. A slot costs memory only as far
/// as it was ever written.
public final class FramePool: Sendable {
    /// Pixels of the largest frame: 7680x4320. A picture beyond it is refused before anything is allocated.
    public static let maximumPixels = 7680 * 4320
    /// Pixels of the longer side at the most.
    public static let maximumSide = 16384

    public let slotCount: Int
    let slotSize: Int
    private let memory: SharedMemory
    private let free: Monitor<[Int]>

    /// Makes `slotCount` slots for frames of at most `maximumPixels`.
    ///
    /// Throws `SystemError` where the kernel has no memfd or no address space.
    public init(slotCount: Int = 5, maximumPixels: Int = FramePool.maximumPixels) throws {
        self.slotCount = slotCount
        slotSize = (maximumPixels + 4095) / 4096 * 4096
        memory = try SharedMemory(name: "datascand-frames", size: slotSize * slotCount)
        free = Monitor(Array((0..<slotCount).reversed()))
    }

    /// The sealed memfd, for the workers. Borrowed.
    public var descriptor: Int32 { memory.raw }

    /// How many slots nobody uses.
    public var freeCount: Int { free.withLock { $0.count } }

    /// Takes a slot; `nil` when all are in use.
    func lease() -> SlotLease? {
        guard let slot = free.withLock({ $0.popLast() }) else { return nil }
        return SlotLease(pool: self, slot: slot)
    }

    fileprivate func giveBack(_ slot: Int) { free.signal { $0.append(slot) } }

    fileprivate func bytes(of slot: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: memory.bytes[slot * slotSize..<(slot + 1) * slotSize])
    }
}

/// The right to use one slot of a pool, given back when it goes away.
struct SlotLease: ~Copyable, Sendable {
    private let pool: FramePool
    private let slot: Int

    fileprivate init(pool: FramePool, slot: Int) {
        self.pool = pool
        self.slot = slot
    }

    deinit { pool.giveBack(slot) }

    var offset: Int { slot * pool.slotSize }

    /// For the one who fills the slot, before the frame is handed on.
    var writableBytes: UnsafeMutableRawBufferPointer { pool.bytes(of: slot) }

    var readableBytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(pool.bytes(of: slot)) }
}
