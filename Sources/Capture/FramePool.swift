// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ImageKernels
internal import LinuxSystem
public import ScanModel

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

    /// Bytes of the memfd.
    public var memorySize: Int { memory.bytes.count }

    /// How many slots nobody uses.
    public var freeCount: Int { free.withLock { $0.count } }

    /// Makes a frame from what `fill` writes into its slot, as tight rows of luma; for sources of one's own.
    ///
    /// `nil` when all slots are in use, when the size is not positive or larger than a slot, or when `fill` says false.
    public func makeFrame(
        _ stamp: FrameStamp, width: Int, height: Int, fill: (UnsafeMutableRawBufferPointer) -> Bool
    ) -> Frame? {
        guard holds(width: width, height: height), let lease = lease() else { return nil }
        let isFilled = fill(UnsafeMutableRawBufferPointer(rebasing: lease.writableBytes[..<(width * height)]))
        return isFilled ? Frame(stamp: stamp, width: width, height: height, lease: lease) : nil
    }

    /// Makes a frame whose luma is only written when it is developed, if ever; it takes no slot before.
    ///
    /// `write` gets tight rows to fill, `width * height` bytes, at most once and on whichever thread develops the frame; it
    /// is let go with all that it holds as soon as the frame is developed or turns out damaged. `nil` when the size is not
    /// positive or larger than a slot.
    public func makeFrame(
        _ stamp: FrameStamp, width: Int, height: Int,
        developing write: @escaping @Sendable (UnsafeMutableRawBufferPointer) throws(PictureError) -> Void
    ) -> Frame? {
        guard holds(width: width, height: height) else { return nil }
        let recipe = FrameRecipe(pool: self) { (slot) throws(PictureError) in
            try write(UnsafeMutableRawBufferPointer(rebasing: slot[..<(width * height)]))
        }
        return Frame(stamp: stamp, width: width, height: height, recipe: recipe)
    }

    private func holds(width: Int, height: Int) -> Bool {
        width > 0 && height > 0 && max(width, height) <= FramePool.maximumSide && width * height <= slotSize
    }

    /// Lends a frame's luma by its place in the memory; not called where the place is none of a frame.
    ///
    /// Whoever calls it holds the frame.
    public func withLuma(offset: Int, width: Int, height: Int, _ body: (LumaView) -> Void) {
        guard offset >= 0, offset % slotSize == 0, offset / slotSize < slotCount,
            let view = LumaView(
                bytes: UnsafeRawBufferPointer(bytes(of: offset / slotSize)), width: width, height: height)
        else { return }
        body(view)
    }

    /// Takes a slot; `nil` when all are in use.
    func lease() -> SlotLease? {
        guard let slot = free.withLock({ $0.popLast() }) else { return nil }
        return SlotLease(pool: self, slot: slot)
    }

    /// Takes a slot, waiting for one to come free until `deadline`; `nil` when none did.
    func lease(until deadline: MonotonicTime) -> SlotLease? {
        guard let slot = free.wait(until: deadline, { $0.popLast() }) else { return nil }
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
