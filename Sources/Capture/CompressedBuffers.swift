// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem

/// Memory for compressed pictures that wait to be developed, used again and again.
///
/// There are never more buffers than `limit`, and one is only as large as the largest picture that was in it, so that
/// months of frames take no more memory than the first minutes.
final class CompressedBuffers: Sendable {
    /// Pictures at a time: one that is made, one that waits for the pipeline, one that it looks at, and one to spare.
    static let limit = 4
    /// Bytes of the largest picture: two for each pixel of a frame of 16 megapixels, more than any JPEG of a camera has.
    static let maximumBytes = 32 << 20
    /// Bytes of the smallest buffer, so that it rarely has to grow.
    private static let minimumBytes = 256 << 10

    fileprivate struct State {
        var buffers: [UnsafeMutableRawBufferPointer] = []
        var free: [Int] = []
    }

    private let state = Monitor(State())

    deinit {
        state.withLock { state in
            for buffer in state.buffers { buffer.deallocate() }
        }
    }

    /// Bytes of all buffers.
    var byteCount: Int { state.withLock { $0.buffers.reduce(0) { $0 + $1.count } } }

    /// How many buffers are in use.
    var usedCount: Int { state.withLock { $0.buffers.count - $0.free.count } }

    /// Takes a buffer for so many bytes; `nil` when all are in use, or for more than `maximumBytes`.
    func lease(_ byteCount: Int) -> CompressedBytes? {
        guard byteCount <= Self.maximumBytes else { return nil }
        let index = state.withLock { state -> Int? in
            guard let index = state.takeBuffer() else { return nil }
            let size = state.buffers[index].count
            if size < byteCount {
                // A quarter more than there was: a scene that gets busier bit by bit is not to move it each time.
                state.buffers[index].deallocate()
                state.buffers[index] = .allocate(
                    byteCount: min(max(byteCount, size * 5 / 4, Self.minimumBytes), Self.maximumBytes), alignment: 64)
            }
            return index
        }
        return index.map { CompressedBytes(owner: self, index: $0, count: byteCount) }
    }

    fileprivate func memory(of index: Int) -> UnsafeMutableRawBufferPointer { state.withLock { $0.buffers[index] } }

    fileprivate func giveBack(_ index: Int) { state.withLock { $0.free.append(index) } }
}

extension CompressedBuffers.State {
    fileprivate mutating func takeBuffer() -> Int? {
        if let index = free.popLast() { return index }
        guard buffers.count < CompressedBuffers.limit else { return nil }
        buffers.append(UnsafeMutableRawBufferPointer(start: nil, count: 0))
        return buffers.count - 1
    }
}

/// A compressed picture in a buffer, which is given back when the last reference goes.
///
/// - Important: Written once, by the one who leased the buffer, before anyone else sees it.
final class CompressedBytes: Sendable {
    private let owner: CompressedBuffers
    private let index: Int
    private let count: Int

    fileprivate init(owner: CompressedBuffers, index: Int, count: Int) {
        self.owner = owner
        self.index = index
        self.count = count
    }

    deinit { owner.giveBack(index) }

    /// For the one who fills it, before it is handed on.
    var writableBytes: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: owner.memory(of: index)[..<count])
    }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(writableBytes) }
}
