// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import LinuxSystem
internal import ScanModel

/// What a drain of the driver's queue gave: the newest good buffer, and what became of the others.
struct Harvest: ~Copyable {
    /// The newest good buffer.
    var newest: BufferLease?
    var newestEntry: FrameLedger.Entry?
    /// The last damaged one, where no good one came.
    var damaged: FrameLedger.Entry?
    var damage: String?
    var taken: UInt64 = 0
    var dropped: UInt64 = 0
    var stale: UInt64 = 0
    var damagedCount: UInt64 = 0
    var replaced: UInt64 = 0

    /// Takes what is filled, but no more than the driver has buffers: one that fills them as fast as they are queued must
    /// not keep us. All but the newest good one are queued again at once.
    init(
        from stream: CameraStream, into ledger: inout FrameLedger, stall: inout StallWatch, now: MonotonicTime
    ) throws(CameraFault) {
        for _ in 0..<stream.bufferCount {
            guard let lease = try stream.take() else { break }
            let entry = ledger.enter(lease.buffer, now: now)
            taken += 1
            dropped += entry.dropped
            if entry.isReplaced { replaced += 1 }
            stall.sawBuffer(at: entry.moment)
            if let reason = lease.buffer.damage(as: stream.format, room: lease.room) {
                damagedCount += 1
                (damaged, damage) = (entry, reason)
                stall.sawDamaged(reason, now: now)
            } else {
                if newest != nil { stale += 1 }
                newest = consume lease
                newestEntry = entry
            }
        }
    }
}
