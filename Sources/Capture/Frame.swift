// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ImageKernels
internal import LinuxSystem
public import ScanModel

/// Why there is no picture of a frame.
public enum FrameFault: Error, Sendable, Hashable {
    /// The bytes are no picture of the size that the driver promised; why.
    case damaged(String)
    /// All slots are in use: the frame is passed over, nothing is wrong with it.
    case noSlot
}

/// A frame: its moment, its size, and its luma in one slot of the shared memory, at once or when it is developed.
///
/// A camera's compressed frame takes no slot and no decoder's time before `develop` is called, which most frames never
/// see. Slots and buffers are free again when the last reference goes.
public final class Frame: Sendable {
    public let stamp: FrameStamp
    /// Pixels of the luma, turned as the options say; known before it is developed.
    public let width: Int
    public let height: Int
    private let picture: SharedPicture

    init(stamp: FrameStamp, width: Int, height: Int, lease: consuming SlotLease) {
        self.stamp = stamp
        self.width = width
        self.height = height
        picture = SharedPicture(.luma(SharedSlot(lease)))
    }

    init(stamp: FrameStamp, width: Int, height: Int, recipe: FrameRecipe) {
        self.stamp = stamp
        self.width = width
        self.height = height
        picture = SharedPicture(.undeveloped(recipe))
    }

    /// Another moment of a picture that stands still: the same slot, which nobody writes any more.
    init(stamp: FrameStamp, showing other: Frame) {
        self.stamp = stamp
        width = other.width
        height = other.height
        picture = other.picture
    }

    /// Whether the luma is in its slot.
    public var isDeveloped: Bool { picture.slot != nil }

    /// Sees to it that the luma is in a slot: decodes it now if that was not done, which can take 10 ms and more.
    ///
    /// It is decoded once, whichever threads ask, and the answer is the same ever after; only after `noSlot` another call
    /// tries again. The compressed bytes are let go.
    public func develop() throws(FrameFault) { try picture.develop() }

    /// Bytes from the start of the pool's shared memory; rows are tight. For a developed frame only.
    public var offset: Int { developedSlot.lease.offset }

    /// Lends the picture of a developed frame.
    public func withLuma<Result>(_ body: (LumaView) throws -> Result) rethrows -> Result {
        let slot = developedSlot
        guard let view = LumaView(bytes: slot.lease.readableBytes, width: width, height: height) else {
            preconditionFailure("a frame fits its slot")
        }
        return try body(view)
    }

    private var developedSlot: SharedSlot {
        guard let slot = picture.slot else { preconditionFailure("only a frame that was developed has luma") }
        return slot
    }
}

/// How a frame is developed: where its slot comes from, and what writes tight rows of luma into it.
struct FrameRecipe: Sendable {
    let pool: FramePool
    let write: @Sendable (UnsafeMutableRawBufferPointer) throws(PictureError) -> Void

    fileprivate func make() -> Result<SharedSlot, FrameFault> {
        guard let lease = pool.lease() else { return .failure(.noSlot) }
        do throws(PictureError) {
            try write(lease.writableBytes)
        } catch {
            return .failure(.damaged(error.description))
        }
        return .success(SharedSlot(lease))
    }
}

/// One picture for all frames that show it.
private final class SharedPicture: Sendable {
    enum State {
        case undeveloped(FrameRecipe)
        /// A thread is at it.
        case developing
        case luma(SharedSlot)
        case damaged(String)
    }

    private enum Answer {
        case mine(FrameRecipe)
        case known(FrameFault?)
    }

    private let state: Monitor<State>

    init(_ state: State) { self.state = Monitor(state) }

    var slot: SharedSlot? {
        state.withLock { if case .luma(let slot) = $0 { slot } else { nil } }
    }

    func develop() throws(FrameFault) {
        let answer = state.wait { state -> Answer? in
            switch state {
            case .developing: return nil
            case .luma: return .known(nil)
            case .damaged(let reason): return .known(.damaged(reason))
            case .undeveloped(let recipe):
                state = .developing
                return .mine(recipe)
            }
        }
        switch answer {
        case .known(nil), nil: return
        case .known(let fault?): throw fault
        case .mine(let recipe):
            let result = recipe.make()
            state.signal { state in
                switch result {
                case .success(let slot): state = .luma(slot)
                case .failure(.damaged(let reason)): state = .damaged(reason)
                case .failure(.noSlot): state = .undeveloped(recipe)
                }
            }
            if case .failure(let fault) = result { throw fault }
        }
    }
}

/// One lease for all who need the slot.
private final class SharedSlot: Sendable {
    let lease: SlotLease

    init(_ lease: consuming SlotLease) { self.lease = lease }
}
