// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// A line of text, cut out: upright, of one height, dark on light, with ground around it.
struct LineCrop {
    let picture: LumaBuffer
    private let quad: Quad
    private let innerWidth: Double
    private let innerHeight: Double
    private let padding: Double

    init(
        of luma: LumaView, quad line: Quad, lineHeight: Double, maximumWidth: Int, padding: Int, isLightOnDark: Bool
    ) {
        // The finder's box ends at the strokes' middle at coarse scales, so some more on each side; less along the
        // line, where a label's frame is often near and reads as a quotation mark.
        quad = line.grown(along: max(1, 0.05 * line.height), across: max(1.5, 0.12 * line.height))
        let scale = min(lineHeight / max(1, line.height), Double(maximumWidth) / max(1, quad.width))
        let width = max(1, min(maximumWidth, Int((quad.width * scale).rounded())))
        let height = max(1, min(4 * Int(lineHeight), Int((quad.height * scale).rounded())))
        var inner = luma.rectified(quad, width: width, height: height)
        if isLightOnDark { inner = inner.inverted() }
        var padded = LumaBuffer(
            width: width + 2 * padding, height: height + 2 * padding, filledWith: inner.ground)
        for row in 0..<height {
            let target = (row + padding) * padded.width + padding
            padded.pixels.replaceSubrange(
                target..<(target + width), with: inner.pixels[(row * width)..<((row + 1) * width)])
        }
        picture = padded
        innerWidth = Double(width)
        innerHeight = Double(height)
        self.padding = Double(padding)
    }

    /// A box in the cut-out line as a quad in the picture that it was cut from.
    func inPicture(_ box: Rect) -> Quad {
        Quad(box).mapped { point in
            let u = min(max((point.x - padding) / innerWidth, 0), 1)
            let v = min(max((point.y - padding) / innerHeight, 0), 1)
            let left = quad.topLeft + (quad.bottomLeft - quad.topLeft) * v
            let right = quad.topRight + (quad.bottomRight - quad.topRight) * v
            return left + (right - left) * u
        }
    }
}

extension LumaBuffer {
    /// The brightness of the ground of dark text: the upper quartile, as letters cover less than half.
    fileprivate var ground: UInt8 {
        let counts = histogram()
        var seen = 0
        for value in stride(from: 255, through: 0, by: -1) {
            seen += counts[value]
            if seen * 4 >= pixels.count { return UInt8(value) }
        }
        return 255
    }
}
