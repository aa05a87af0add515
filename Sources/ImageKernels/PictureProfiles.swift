// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// The means of a picture's rows and columns, by which a shift of the whole picture is found.
///
/// Differences of neighbours are compared, so that light that changes does not count. A quarter of 1080p within 32 pixels to
/// all sides takes 40 us and is right to half a pixel where the picture does not turn: a start for what is finer.
///
/// - Important: Owns its buffers; one thread at a time.
public final class PictureProfiles {
    /// The largest shift that is looked for, in pixels.
    public static let reach = 32

    private let width: Int
    private let height: Int
    /// Sums of columns, then of rows.
    private let sums: UnsafeMutablePointer<Float>
    private let line: UnsafeMutablePointer<UInt32>

    public init(width: Int, height: Int) {
        precondition(width > 0 && height > 0, "a picture has at least one pixel")
        self.width = width
        self.height = height
        sums = .allocate(capacity: width + height)
        sums.initialize(repeating: 0, count: width + height)
        line = .allocate(capacity: width)
        line.initialize(repeating: 0, count: width)
    }

    deinit {
        sums.deallocate()
        line.deallocate()
    }

    /// Takes a picture, of the size that there is room for.
    public func fill(from picture: LumaView) {
        guard picture.width == width, picture.height == height, let source = picture.bytes.baseAddress else { return }
        line.update(repeating: 0, count: width)
        var previous: Float = 0
        for row in 0..<height {
            let bytes = (source + row * picture.stride).assumingMemoryBound(to: UInt8.self)
            var sum: UInt32 = 0
            for column in 0..<width {
                line[column] &+= UInt32(bytes[column])
                sum &+= UInt32(bytes[column])
            }
            let mean = Float(sum) / Float(width)
            sums[width + row] = row == 0 ? 0 : mean - previous
            previous = mean
        }
        sums[0] = 0
        for column in 1..<max(1, width) {
            sums[column] = (Float(line[column]) - Float(line[column - 1])) / Float(height)
        }
    }

    /// How far the picture moved since an older one, in pixels.
    public func shift(since older: PictureProfiles) -> SIMD2<Float> {
        guard older.width == width, older.height == height else { return .zero }
        return SIMD2(
            best(sums, older.sums, count: width), best(sums + width, older.sums + width, count: height))
    }

    private func best(_ new: UnsafePointer<Float>, _ old: UnsafePointer<Float>, count: Int) -> Float {
        let reach = min(Self.reach, count / 3)
        guard reach > 0 else { return 0 }
        return withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * reach + 1) { errors in
            var best = reach
            for index in 0...(2 * reach) {
                let shift = index - reach
                errors[index] = error(
                    new + max(0, shift), old + max(0, -shift), count: count - (shift < 0 ? -shift : shift))
                if errors[index] < errors[best] { best = index }
            }
            guard best > 0, best < 2 * reach else { return Float(best - reach) }
            let (left, here, right) = (errors[best - 1], errors[best], errors[best + 1])
            let bend = left - 2 * here + right
            return Float(best - reach) + (bend > 0 ? (left - right) / (2 * bend) : 0)
        }
    }

    /// The mean square difference, eight at a time.
    private func error(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, count: Int) -> Float {
        var sum = SIMD8<Float>.zero
        var index = 0
        while index + 8 <= count {
            let difference =
                UnsafeRawPointer(a + index).loadUnaligned(as: SIMD8<Float>.self)
                - UnsafeRawPointer(b + index).loadUnaligned(as: SIMD8<Float>.self)
            sum += difference * difference
            index += 8
        }
        return index > 0 ? sum.sum() / Float(index) : .infinity
    }
}

extension PicturePyramid {
    /// How alike two pictures are when one is moved by whole pixels of the smallest size, as a correlation of -1...1.
    ///
    /// - Parameter shift: from the older one to this one, in pixels of the whole size.
    public func likeness(to older: PicturePyramid, movedBy shift: SIMD2<Float>) -> Float {
        guard older.width == width, older.height == height, let level = levels.last, let old = older.levels.last,
            shift.x.magnitude < Float(width), shift.y.magnitude < Float(height)
        else { return 0 }
        let scale = Float(1 << (Self.levelCount - 1))
        let (dx, dy) = (Int((shift.x / scale).rounded()), Int((shift.y / scale).rounded()))
        let columns = max(0, dx)..<max(0, dx, min(level.width, level.width + dx))
        let rows = max(0, dy)..<max(0, dy, min(level.height, level.height + dy))
        guard columns.count * 3 > level.width, rows.count * 3 > level.height else { return 0 }
        var (sumA, sumB, sumAA, sumBB, sumAB): (Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0)
        for row in rows {
            let a = level.pixels + row * level.width
            let b = old.pixels + (row - dy) * level.width - dx
            for column in columns {
                let (x, y) = (a[column] - 128, b[column] - 128)
                sumA += x
                sumB += y
                sumAA += x * x
                sumBB += y * y
                sumAB += x * y
            }
        }
        let count = Float(columns.count * rows.count)
        let (varianceA, varianceB) = (sumAA - sumA * sumA / count, sumBB - sumB * sumB / count)
        guard varianceA > count, varianceB > count else { return 0 }
        return (sumAB - sumA * sumB / count) / (varianceA * varianceB).squareRoot()
    }
}
