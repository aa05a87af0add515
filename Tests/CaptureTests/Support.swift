// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import Glibc
import ImageKernels
import LinuxSystem
import ScanModel
import Testing

/// Writes to a file or a pipe, waiting where it is full.
func writeAll(_ bytes: [UInt8], to raw: Int32) throws {
    var sent = 0
    while sent < bytes.count {
        let count = bytes.withUnsafeBytes { write(raw, $0.baseAddress.map { $0 + sent }, bytes.count - sent) }
        guard count > 0 else { throw SystemError.last("write") }
        sent += count
    }
}

/// A pipe's two ends.
struct Pipe: ~Copyable {
    let reader: Int32
    let writer: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemError.last("pipe") }
        (reader, writer) = (ends[0], ends[1])
    }
}

/// A PGM of one brightness, by which a test knows it again.
func pgm(_ brightness: UInt8, width: Int = 4, height: Int = 3) -> [UInt8] {
    Array("P5 \(width) \(height) 255\n".utf8) + [UInt8](repeating: brightness, count: width * height)
}

/// A JPEG of one brightness (within 1 after decoding).
func jpeg(_ brightness: UInt8, width: Int = 32, height: Int = 16) throws -> [UInt8] {
    try LumaBuffer(width: width, height: height, filledWith: brightness).withView {
        try JPEGEncoder.encode(luma: $0, quality: 95)
    }
}

/// A step in short: `3:120` is frame 3 of brightness 120, `4:skipped` a picture that was skipped.
func describe(_ step: SourceStep) -> String {
    switch step {
    case .frame(let frame):
        "\(frame.stamp.sequence):\(frame.withLuma { $0[0, 0] })"
    case .skipped(let stamp, _, _): "\(stamp.sequence):skipped"
    case .remark: "remark"
    case .cancelled: "cancelled"
    case .ended: "ended"
    case .unavailable(let code, _): "unavailable \(code)"
    }
}

/// Everything that a source gives, up to `limit` steps; frames are let go at once.
func run(_ source: ReplaySource, limit: Int = 100) throws -> [String] {
    let pool = try FramePool(slotCount: 3, maximumPixels: 1 << 20)
    let never = try EventDescriptor()
    var steps: [String] = []
    while steps.count < limit {
        let step = describe(source.next(into: pool, cancellation: never))
        steps.append(step)
        if step == "ended" { break }
    }
    return steps
}

/// As fast as it goes, the clock at 30.
var unpaced: ReplayOptions {
    var options = ReplayOptions()
    options.rate = .unpaced(clockRate: 30)
    return options
}

/// Lets time pass on this thread.
func pause(for duration: Duration) {
    usleep(UInt32(duration.inNanoseconds / 1000))
}

/// Whether a blocking call answers within 50 ms of the cancellation, at least once in five tries: the machine may have
/// other things to do. `body` says whether the call answered as it should; each time it must.
func isPrompt(_ cancellation: EventDescriptor, _ body: () -> Bool) -> Bool {
    for _ in 0..<5 {
        let moment = Monitor(MonotonicTime.now)
        let canceller = NamedThread("canceller") {
            pause(for: .milliseconds(30))
            moment.signal { $0 = .now }
            cancellation.signal()
        }
        let isRight = body()
        let took = MonotonicTime.now - moment.withLock { $0 }
        canceller.join()
        cancellation.clear()
        guard isRight else { return false }
        if took < .milliseconds(50) { return true }
    }
    return false
}
