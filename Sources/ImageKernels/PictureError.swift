// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// Why a picture can not be used, in words for people.
public enum PictureError: Error, Sendable, Hashable, CustomStringConvertible {
    /// There is not a single byte.
    case empty
    /// No kind of picture that is read here begins like this.
    case unknownKind
    /// The bytes are cut, flipped or contradict themselves; the library's or our own words.
    case damaged(String)
    /// A picture that is whole, of a sort that is not read; which, as a sentence.
    case unsupported(String)
    /// More pixels, or a longer side, than the limits allow.
    case tooLarge(width: Int, height: Int, limits: PictureLimits)
    /// A library had no memory, or the caller's buffer is shorter than the picture.
    case noRoom(String)

    public var description: String {
        switch self {
        case .empty: "the file is empty"
        case .unknownKind: "this is no PNG, JPEG, PNM, TIFF or WebP picture"
        case .damaged(let what): "the picture is damaged: \(what)"
        case .unsupported(let what): what
        case .tooLarge(let width, let height, let limits):
            "the picture is \(width)x\(height) pixels; the limit is \(limits.maximumPixels) pixels and "
                + "\(limits.maximumSide) on the longer side"
        case .noRoom(let what): "no memory for the picture: \(what)"
        }
    }
}

/// How large a picture may be; looked at before its pixels cost memory.
public struct PictureLimits: Sendable, Hashable {
    /// 7680x4320 unless told otherwise.
    public var maximumPixels: Int
    /// Pixels of the longer side; 16384 unless told otherwise.
    public var maximumSide: Int

    public init(maximumPixels: Int = 7680 * 4320, maximumSide: Int = 16384) {
        self.maximumPixels = maximumPixels
        self.maximumSide = maximumSide
    }

    /// Throws `tooLarge` beyond a limit, `damaged` for a size that is none.
    public func check(width: Int, height: Int) throws(PictureError) {
        guard width > 0, height > 0 else { throw .damaged("its header says \(width)x\(height) pixels") }
        // The sides first: their product can not overflow then.
        guard max(width, height) <= maximumSide, width * height <= maximumPixels else {
            throw .tooLarge(width: width, height: height, limits: self)
        }
    }
}
