// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

public import ScanModel

/// Reads the values of options, with errors that say what was expected.
public enum OptionValue {
    /// A whole number in a range.
    public static func integer(_ text: String, in range: ClosedRange<Int>) throws(UsageError) -> Int {
        guard let value = Int(text), range.contains(value) else {
            throw UsageError("expected a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// One of a fixed set of words.
    public static func choice<Choice: RawRepresentable & CaseIterable>(
        _ text: String
    ) throws(UsageError) -> Choice where Choice.RawValue == String {
        guard let value = Choice(rawValue: text) else {
            throw UsageError("expected one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return value
    }

    /// The shortest side of a region: a thousandth of the picture is less than a module of any symbol in it.
    static let shortestSide = 0.001

    /// One part of a region: `X,Y,W,H` or the corners of a polygon; several separated by `;`.
    public static func region(_ text: String) throws(UsageError) -> RegionOfInterest {
        var region: RegionOfInterest?
        for part in text.split(separator: ";", omittingEmptySubsequences: false) {
            let part = part.trimmingSpaces
            let one = part.contains(" ") ? try polygon(part) : try rectangle(part)
            region = try adding(one, to: region)
        }
        guard let region else { throw UsageError("expected X,Y,WIDTH,HEIGHT or X,Y X,Y X,Y") }
        return region
    }

    /// A region and another one that was given after it.
    static func adding(_ one: RegionOfInterest, to region: RegionOfInterest?) throws(UsageError) -> RegionOfInterest {
        guard let region else { return one }
        guard let all = region.union(one) else {
            throw UsageError("expected \(RegionOfInterest.mostPolygons) parts of a region at the most")
        }
        return all
    }

    /// `X,Y X,Y X,Y ...` in 0...1.
    private static func polygon(_ text: Substring) throws(UsageError) -> RegionOfInterest {
        var corners: [Point] = []
        for pair in text.split(separator: " ") {
            let numbers = pair.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
            guard numbers.count == 2, let x = numbers[0], let y = numbers[1], (0...1).contains(x), (0...1).contains(y)
            else {
                throw UsageError(
                    "expected corners X,Y in 0...1 of the picture, such as 0.1,0.1 0.9,0.1 0.5,0.9, not \(pair)")
            }
            corners.append(Point(x: x, y: y))
        }
        guard RegionOfInterest.corners.contains(corners.count) else {
            let (least, most) = (RegionOfInterest.corners.lowerBound, RegionOfInterest.corners.upperBound)
            throw UsageError("expected a polygon of \(least) to \(most) corners, not \(corners.count)")
        }
        guard let region = RegionOfInterest(polygons: [corners]) else {
            throw UsageError(
                "expected a polygon that encloses a part of the picture and whose edges do not cross or touch")
        }
        let box = region.boundingRect
        guard box.width >= shortestSide, box.height >= shortestSide else {
            throw UsageError("expected a width and a height of at least \(shortestSide) of the picture")
        }
        return region
    }

    /// `X,Y,W,H` in 0...1, each side at least `shortestSide`.
    private static func rectangle(_ text: Substring) throws(UsageError) -> RegionOfInterest {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
            let height = numbers[3], let region = RegionOfInterest(Rect(x: x, y: y, width: width, height: height))
        else {
            throw UsageError(
                "expected X,Y,WIDTH,HEIGHT in 0...1 of the picture, inside it and not empty, such as 0.1,0.2,0.8,0.5")
        }
        guard width >= shortestSide, height >= shortestSide else {
            throw UsageError("expected a width and a height of at least \(shortestSide) of the picture")
        }
        return region
    }

    /// `barcode`, `barcode:EAN13,QR` or `text`.
    public static func dataType(_ text: String) throws(UsageError) -> RecognizedDataType {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        switch parts[0] {
        case "text":
            if parts.count > 1 { throw UsageError("text takes no list; name its languages with --languages") }
            return .text()
        case "barcode":
            guard parts.count > 1 else { return .barcode() }
            return .barcode(symbologies: try symbologies(String(parts[1])))
        default: throw UsageError("expected barcode, barcode:SYMBOLOGY,... or text")
        }
    }

    /// Tesseract's language names, separated by commas or `+`.
    public static func languages(_ text: String) throws(UsageError) -> [String] {
        let names = text.split(omittingEmptySubsequences: false) { $0 == "," || $0 == "+" }.map(String.init)
        for name in names {
            // The name becomes part of a file's path.
            let isSafe = name.utf8.allSatisfy {
                ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x41 && $0 <= 0x5A) || ($0 >= 0x61 && $0 <= 0x7A) || $0 == 0x5F
            }
            guard !name.isEmpty, isSafe, name.utf8.count <= 32 else {
                throw UsageError("expected Tesseract's names of languages separated by commas, such as eng,kor")
            }
        }
        guard names.count <= 8 else { throw UsageError("at most 8 languages") }
        return names
    }

    /// A directory's path, taken from the root or from the working directory.
    public static func directory(_ text: String) throws(UsageError) -> String {
        guard !text.isEmpty else { throw UsageError("the name is empty") }
        return text
    }

    /// A name that may be a part of a path.
    public static func cameraName(_ text: String) throws(UsageError) -> String {
        let isSafe = text.utf8.allSatisfy {
            ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x41 && $0 <= 0x5A) || ($0 >= 0x61 && $0 <= 0x7A)
                || $0 == 0x5F || $0 == 0x2D || $0 == 0x2E
        }
        guard !text.isEmpty, isSafe, !text.hasPrefix("."), text.utf8.count <= 64 else {
            throw UsageError("expected letters, digits, '-', '_' and '.', at most 64, not starting with '.'")
        }
        return text
    }
}

extension Substring {
    /// Without spaces at both ends.
    fileprivate var trimmingSpaces: Substring {
        var rest = self.drop { $0 == " " }
        while rest.last == " " { rest.removeLast() }
        return rest
    }
}
