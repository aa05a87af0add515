// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

/// What makes two readings the same payload: the family of symbologies and the bytes, never a string.
///
/// One label may be read under two names: a UPC-A symbol is an EAN-13 with a leading zero, a UPC-E symbol is a
/// UPC-A with its zeros left out, and an ITF-14 is an interleaved 2 of 5. Those count as one.
struct BarcodeIdentity: Hashable {
    enum Family: Hashable {
        case retail
        case interleaved
        case other(Symbology)
    }

    let family: Family
    let bytes: [UInt8]
    let isLinear: Bool

    init(_ reading: BarcodeReading) {
        isLinear = reading.symbology.isLinear
        switch reading.symbology {
        case .ean13:
            family = .retail
            bytes = reading.payload
        case .upcA:
            family = .retail
            bytes = [UInt8(ascii: "0")] + reading.payload
        case .upcE:
            let long = UPCE.expanded(reading.payload)
            family = long == nil ? .other(.upcE) : .retail
            bytes = long.map { [UInt8(ascii: "0")] + $0 } ?? reading.payload
        case .i2of5, .itf14:
            family = .interleaved
            bytes = reading.payload
        default:
            family = .other(reading.symbology)
            bytes = reading.payload
        }
    }

    /// Whether this could be a misread of the other one: linear, and one or two characters differ, or a part of it.
    func isLikelyMisread(of other: BarcodeIdentity) -> Bool {
        guard isLinear, other.isLinear, self != other else { return false }
        if isPart(of: other) { return true }
        guard bytes.count == other.bytes.count else { return false }
        return zip(bytes, other.bytes).reduce(0) { $0 + ($1.0 == $1.1 ? 0 : 1) } <= 2
    }

    /// Whether the payload is a shorter piece of the other one, as from a scan line that left the bars too early.
    func isPart(of other: BarcodeIdentity) -> Bool {
        guard isLinear, other.isLinear, !bytes.isEmpty, bytes.count < other.bytes.count else { return false }
        return (0...(other.bytes.count - bytes.count)).contains { start in
            other.bytes[start..<(start + bytes.count)].elementsEqual(bytes)
        }
    }
}
