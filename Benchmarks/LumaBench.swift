// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import LinuxSystem
import ScanModel
import ServiceSupport

/// What it costs to make luma of a camera's frame of 1920x1080, beside a copy of the same bytes.
///
/// Four buffers take turns, as those of a driver do, and each measurement has its copy right before it: a frame that is
/// in a cache from the last time makes the copy look better than it ever is.
struct LumaBench {
    private static let width = 1920
    private static let height = 1080
    private static let buffers = 4
    private static let times = 100

    private var text = LumaBench.line("luma of 1080p, CPU microseconds", "median", "copy", "x copy", "")
    private let target = UnsafeMutableRawBufferPointer.allocate(byteCount: 8 * width * height, alignment: 64)
    private let work = UnsafeMutableRawBufferPointer.allocate(
        byteCount: RawFrame.workBytes(width: width), alignment: 64)

    static func run(over frames: [[UInt8]]) throws {
        var bench = LumaBench()
        defer {
            bench.target.deallocate()
            bench.work.deallocate()
        }
        try bench.measureRaw()
        try bench.measureJPEG(frames)
        StandardOutput(logger: Logger(program: "benchmarks", threshold: .error)).print(bench.text + "\n")
    }

    private mutating func measureRaw() throws {
        let formats: [(String, RawLayout, bytes: Int, line: Int)] = [
            ("GREY", .grey, 2, 1), ("YUYV, YVYU", .lumaFirst, 4, 2), ("UYVY", .chromaFirst, 4, 2),
            ("NV12, NV21", .semiPlanar, 3, 1), ("YU12, YV12", .planar, 3, 1), ("Y16", .grey16, 4, 2),
            ("RGB3", .rgb, 6, 3),
        ]
        let pixels = Self.width * Self.height
        for (name, layout, halves, line) in formats {
            let inputs = (0..<Self.buffers).map { Self.noise(pixels * halves / 2, seed: UInt32($0)) }
            let orientations: [(String, Orientation)] =
                layout == .lumaFirst
                ? [("", .upright), (", turned by 90", Orientation(turn: .quarter))] : [("", .upright)]
            for (suffix, orientation) in orientations {
                let ratio = try measure(name + suffix, over: inputs) { [target, work] bytes in
                    try RawFrame(
                        bytes, layout: layout, width: Self.width, height: Self.height, bytesPerLine: Self.width * line
                    ).writeLuma(into: target, orientation: orientation, work: work)
                }
                if orientation == .upright, ratio > 2 { note("more than 2: not as it should be") }
            }
        }
    }

    private mutating func measureJPEG(_ frames: [[UInt8]]) throws {
        let decoder = try JPEGDecoder()
        let jpegs = try frames.prefix(Self.buffers).map { try Self.enlarged($0, decoder) }
        let raw = (0..<Self.buffers).map { Self.noise(Self.width * Self.height * 2, seed: UInt32($0)) }
        try measure("MJPG to luma", over: jpegs) { [target] bytes in
            try decoder.decodeLuma(bytes, into: target, width: Self.width, height: Self.height)
        }
        note("\(jpegs.map(\.count).reduce(0, +) / jpegs.count / 1000) kB each")
        try measure("MJPG, an eighth", over: jpegs) { bytes in
            _ = try decoder.decodeEighth(bytes, width: Self.width, height: Self.height)
        }
        try measure("MJPG, a quarter", over: jpegs) { [target] bytes in
            try decoder.decodeSmall(
                bytes, width: Self.width, height: Self.height, smallWidth: Self.width / 4,
                smallHeight: Self.height / 4, into: target)
        }
        measure("GREY to a quarter", over: raw.map { Array($0[..<(Self.width * Self.height)]) }) { [target] bytes in
            let view = LumaView(bytes: bytes, width: Self.width, height: Self.height)
            view?.small(width: Self.width / 4, height: Self.height / 4, into: target)
        }
        try measure("MJPG, checked and kept", over: jpegs) { [target] bytes in
            let jpeg = try CameraJPEG(checking: bytes, width: Self.width, height: Self.height)
            jpeg.copy(into: UnsafeMutableRawBufferPointer(rebasing: target[..<jpeg.byteCount]))
        }
        var hashes: Set<UInt64> = []
        measure("MJPG, hash", over: jpegs) { hashes.insert(fingerprint(of: $0)) }
        measure("YUYV, hash", over: raw) { hashes.insert(fingerprint(of: $0)) }
        note("\(hashes.count) of \(jpegs.count + raw.count) differ")
    }

    /// Runs `body` and a copy of its input in turn; answers the ratio of their medians.
    @discardableResult
    private mutating func measure(
        _ name: String, over inputs: [[UInt8]], _ body: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows -> Double {
        var (own, copies): ([Double], [Double]) = ([], [])
        for time in 0..<2 * Self.times {
            try inputs[time % inputs.count].withUnsafeBytes { bytes in
                let start = processCPUTime()
                // One and the other, each with all of the buffers.
                if (time / inputs.count) % 2 == 0 { target.copyMemory(from: bytes) } else { try body(bytes) }
                let took = (processCPUTime() - start).inSeconds * 1e6
                if (time / inputs.count) % 2 == 0 { copies.append(took) } else { own.append(took) }
            }
        }
        own.sort()
        copies.sort()
        let ratio = own[own.count / 2] / copies[copies.count / 2]
        text += Self.line(
            name, Self.number(own[own.count / 2], 0), Self.number(copies[copies.count / 2], 0), Self.number(ratio, 2),
            "")
        return ratio
    }

    private mutating func note(_ words: String) {
        text.removeLast()
        text += "   \(words)\n"
    }

    // MARK: - Inputs

    private static func noise(_ count: Int, seed: UInt32) -> [UInt8] {
        var state = seed &* 2_654_435_761 &+ 1
        return (0..<count).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(state >> 24)
        }
    }

    /// A picture of the clip at 1080p, in colour and with a sensor's noise, as large as a webcam would make it.
    private static func enlarged(_ frame: [UInt8], _ decoder: JPEGDecoder) throws -> [UInt8] {
        let small = try frame.withUnsafeBytes { try PictureFile($0, jpeg: decoder).luma(jpeg: decoder) }
        let luma = small.resized(width: width, height: height).pixels
        let grain = noise(luma.count, seed: 9)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(3 * luma.count)
        for (value, noise) in zip(luma, grain) {
            let light = min(255, Int(value) * 15 / 16 + Int(noise & 7))
            pixels += [UInt8(light), UInt8(light * 7 / 8), UInt8(light * 3 / 4)]
        }
        return try pixels.withUnsafeBytes {
            try JPEGEncoder.encode($0, layout: .rgb, width: width, height: height, stride: 3 * width, quality: 88)
        }
    }

    // MARK: - Text

    private static func line(_ name: String, _ own: String, _ copy: String, _ ratio: String, _ note: String) -> String {
        func right(_ text: String) -> String { String(repeating: " ", count: max(1, 9 - text.count)) + text }
        let name = name + String(repeating: " ", count: max(1, 34 - name.count))
        return name + right(own) + right(copy) + right(ratio) + note + "\n"
    }

    private static func number(_ value: Double, _ digits: Int) -> String {
        guard digits > 0 else { return String(Int(value.rounded())) }
        let hundredths = Int((value * 100).rounded())
        let fraction = String(hundredths % 100)
        return "\(hundredths / 100)." + (fraction.count < 2 ? "0" : "") + fraction
    }
}
