// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Capture
internal import LinuxSystem
internal import ScanModel

/// Loads pictures on a thread of its own, one ahead of whoever takes them.
final class PictureLoading: Sendable {
    typealias Loaded = Result<Frame, StillPictureError>

    private struct State {
        var waiting: Loaded?
        var isStopped = false
    }

    private let state: Monitor<State>
    private let thread: NamedThread

    init(of pictures: [StillPicture], into pool: FramePool) {
        let state = Monitor(State())
        self.state = state
        // libtiff and libwebp want more of a stack than our own code does.
        thread = NamedThread("load", stackSize: 8 << 20) {
            let loader = Result { () throws(StillPictureError) in try StillPictureLoader(pool: pool) }
            for (number, picture) in pictures.enumerated() {
                let stamp = FrameStamp(sequence: UInt64(number), monotonic: .now, time: .now)
                // Room first, and only then a slot: so the thread never waits for one that nobody gives back.
                let goesOn = state.wait { $0.isStopped ? false : $0.waiting == nil ? true : nil }
                guard goesOn == true else { return }
                let loaded = loader.flatMap { loader in
                    Result { () throws(StillPictureError) in try loader.load(picture, as: stamp) }
                }
                state.signal { $0.waiting = loaded }
            }
        }
    }

    /// The next picture, waiting for it; to be called once for each.
    func next() -> Loaded {
        let taken = state.wait { state -> Loaded? in
            defer { state.waiting = nil }
            return state.waiting
        }
        // Wakes the loader.
        state.signal { _ in }
        guard let taken else { preconditionFailure("a wait without a deadline ends with a value") }
        return taken
    }

    /// Ends the thread, after the picture that it is at.
    func stop() {
        state.signal { $0.isStopped = true }
        thread.join()
    }
}
