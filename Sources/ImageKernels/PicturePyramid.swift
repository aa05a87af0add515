// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// A picture in three sizes, each half of the one before, smoothed and in floating point, so that points can be followed in it.
///
/// The whole size is smoothed by 1 2 1 in both directions: noise falls to 0.38 of what it was, and differences of neighbours
/// measure slopes. Buffers are kept from picture to picture.
///
/// - Important: Owns its buffers; one thread at a time.
public final class PicturePyramid {
    /// Sizes of the levels that are kept.
    static let levelCount = 3
    /// What points and corners need to be away from an edge, in pixels of a level.
    static let margin: Float = 8

    public let width: Int
    public let height: Int
    let levels: [Level]
    private let line: UnsafeMutablePointer<UInt16>

    struct Level {
        let pixels: UnsafeMutablePointer<Float>
        let width: Int
        let height: Int
    }

    /// Makes room for pictures of one size, which is positive.
    public init(width: Int, height: Int) {
        precondition(width > 0 && height > 0, "a picture has at least one pixel")
        self.width = width
        self.height = height
        levels = (0..<Self.levelCount).map { level in
            let (width, height) = (max(1, width >> level), max(1, height >> level))
            // Vectors are loaded whole, up to 16 pixels behind the last.
            let pixels = UnsafeMutablePointer<Float>.allocate(capacity: width * height + 32)
            pixels.initialize(repeating: 0, count: width * height + 32)
            return Level(pixels: pixels, width: width, height: height)
        }
        line = .allocate(capacity: width + 2)
        line.initialize(repeating: 0, count: width + 2)
    }

    deinit {
        for level in levels { level.pixels.deallocate() }
        line.deallocate()
    }

    /// Takes another picture, of the size that there is room for.
    public func fill(from picture: LumaView) {
        guard picture.width == width, picture.height == height, let source = picture.bytes.baseAddress else { return }
        let bytes = source.assumingMemoryBound(to: UInt8.self)
        for row in 0..<height {
            smooth(
                bytes + max(0, row - 1) * picture.stride, bytes + row * picture.stride,
                bytes + min(height - 1, row + 1) * picture.stride, into: levels[0].pixels + row * width)
        }
        for level in 1..<Self.levelCount { halve(levels[level - 1], into: levels[level]) }
    }

    private func smooth(
        _ above: UnsafePointer<UInt8>, _ here: UnsafePointer<UInt8>, _ below: UnsafePointer<UInt8>,
        into target: UnsafeMutablePointer<Float>
    ) {
        let (line, width) = (line, width)
        for column in 0..<width {
            line[column &+ 1] = UInt16(above[column]) &+ 2 &* UInt16(here[column]) &+ UInt16(below[column])
        }
        (line[0], line[width + 1]) = (line[1], line[width])
        for column in 0..<width {
            let sum = line[column] &+ 2 &* line[column &+ 1] &+ line[column &+ 2]
            target[column] = Float(Int32(sum)) * 0.0625
        }
    }

    private func halve(_ from: Level, into to: Level) {
        guard from.width >= 2, from.height >= 2 else { return }
        for row in 0..<to.height {
            let upper = from.pixels + 2 * row * from.width
            let lower = upper + from.width
            let target = to.pixels + row * to.width
            for column in 0..<to.width {
                let (left, right) = (2 &* column, 2 &* column &+ 1)
                target[column] = (upper[left] + upper[right] + (lower[left] + lower[right])) * 0.25
            }
        }
    }
}
