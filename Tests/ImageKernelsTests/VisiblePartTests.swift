// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import ScanModel
import Testing

/// What lies outside of a region is painted over.
@Suite struct VisiblePartTests {
    private func picture(_ width: Int = 40, _ height: Int = 30) -> LumaBuffer {
        var picture = LumaBuffer(width: width, height: height)
        for index in picture.pixels.indices { picture.pixels[index] = UInt8(index % 199) }
        return picture
    }

    @Test func onlyPixelsWhoseMiddleIsInsideAreKept() {
        let source = picture()
        let triangle = [Point(x: 5, y: 4), Point(x: 35, y: 4), Point(x: 20, y: 24)]
        let shown = source.withView { $0.showing(only: [triangle]) }
        let region = RegionOfInterest(polygons: [triangle.map { Point(x: $0.x / 40, y: $0.y / 30) }])!
        let grey = shown.pixels[0]
        var (sum, count) = (0, 0)
        for row in 0..<30 {
            for column in 0..<40 {
                let middle = Point(x: (Double(column) + 0.5) / 40, y: (Double(row) + 0.5) / 30)
                if region.contains(middle) {
                    #expect(shown.pixels[row * 40 + column] == source.pixels[row * 40 + column])
                    sum += Int(source.pixels[row * 40 + column])
                    count += 1
                } else {
                    #expect(shown.pixels[row * 40 + column] == grey)
                }
            }
        }
        #expect(abs(sum / count - Int(grey)) <= 1)
    }

    @Test func partsOverlapAndReachOut() {
        let source = picture()
        let left = [Point(x: -50, y: -50), Point(x: 20, y: -50), Point(x: 20, y: 90), Point(x: -50, y: 90)]
        let right = [Point(x: 10, y: -1), Point(x: 90, y: -1), Point(x: 90, y: 90), Point(x: 10, y: 90)]
        #expect(source.withView { $0.showing(only: [right, left]) }.pixels == source.pixels)
        let none = source.withView { $0.showing(only: []) }
        #expect(Set(none.pixels) == [128])
    }
}
