// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ScanModel

/// How much must be read before a barcode is announced.
///
/// A wrong payload is worse than a late one. Measured with ZBar 0.23.92: of 78 photographs, 6 payloads of 191 were
/// wrong with a valid check digit (5 EAN-13, 1 ITF), 5 of them on 4 scan lines or more; blurred Code 128 went wrong on
/// 1 to 3 lines; a tilted ITF gave shorter values on 1 line beside the true one on 252; stripes gave an ITF on 1 line.
/// A camera that stands gives the same wrong value in each frame, so a repeat alone proves nothing: of 700 photographs
/// that were each shown for 12 frames, 10 gave a wrong EAN or UPC, on 5 to 22 lines (56 with doubling). What a second engine
/// reads as well in the label's own crop counts fully; EAN, UPC and Code 128 that it does not confirm count only where so
/// many lines agree that no wrong value ever came with as many. Passes over one frame are not independent, and the short
/// and self-checking-only symbologies need three frames.
struct EvidenceRule {
    /// What the weights of the readings, less what contradicts them, must come to. A frame gives one reading of 1 at
    /// most, so this is also the number of frames that must agree.
    var frames: Double
    /// Agreeing scan lines that give a reading the weight 1; fewer give their share, but `leastWeight` at least.
    var fullLines: Int
    /// Agreeing scan lines under which a reading counts nothing for a new item; it still keeps a known one alive.
    var leastLines: Int
    /// Bytes under which a payload is taken for a phantom.
    var leastLength: Int
    /// Agreeing lines under which a reading that no second engine confirms counts nothing for a new item.
    var leastUnconfirmedLines = 0
    /// Whether a symbol that touches the edge may be cut off and still pass its own checks.
    var isCutSilently: Bool

    /// Agreeing scan lines from which a reading that no second engine confirms is believed in a picture that there is only
    /// one of. Of the public pictures' readings that no engine confirmed, the 11 wrong ones had 1 line, or 10 to 22 where
    /// 60 are asked for; of 270 right ones that have the lines asked for here, 268 have those of full weight as well.
    var stillLines: Int { leastUnconfirmedLines > 0 ? leastUnconfirmedLines : max(leastLines, fullLines / 2) }

    /// What a reading of few lines counts: ten of them make up for two good ones.
    static let leastWeight = 0.2
    /// How many times `frames` an item must lead by to displace another one at its place that it resembles, or that
    /// is still being read.
    static let displacementFactor = 3.0
    /// Evidence is kept up to this many times `frames`, so that an item that was right for hours can be displaced.
    static let ceilingFactor = 4.0
    /// What is left of the evidence for an item not yet announced after a look that did not see it. A phantom once a
    /// second never adds up; a hard code that is read in three looks of ten does.
    static let decay = 0.93
    /// How long a candidate is remembered without being read again.
    static let candidateLifetime = Duration.seconds(2)

    static func rule(for symbology: Symbology) -> EvidenceRule {
        switch symbology {
        case .qr, .microQR, .dataMatrix, .pdf417, .aztec, .maxiCode:
            EvidenceRule(frames: 1, fullLines: 1, leastLines: 0, leastLength: 1, isCutSilently: false)
        case .ean13, .upcA:
            // Wrong values came on 1 to 22 lines, with doubling on 57; right ones on 127 (median), 68 (quarter).
            EvidenceRule(
                frames: 2, fullLines: 15, leastLines: 2, leastLength: 12, leastUnconfirmedLines: 60,
                isCutSilently: false)
        case .code128, .code93:
            // Wrong values of blurred Code 128 came on 1 to 3 lines.
            EvidenceRule(
                frames: 2, fullLines: 12, leastLines: 2, leastLength: 1, leastUnconfirmedLines: 12, isCutSilently: false
            )
        case .ean8, .upcE:
            // The usual phantoms: half the bars of an EAN-13, and found inside longer codes.
            EvidenceRule(
                frames: 3, fullLines: 20, leastLines: 3, leastLength: 6, leastUnconfirmedLines: 60, isCutSilently: false
            )
        case .gs1DataBar, .gs1DataBarExpanded, .gs1DataBarLimited:
            EvidenceRule(frames: 3, fullLines: 10, leastLines: 2, leastLength: 1, isCutSilently: false)
        case .ean2, .ean5:
            EvidenceRule(frames: 3, fullLines: 15, leastLines: 3, leastLength: 2, isCutSilently: false)
        case .i2of5, .itf14:
            EvidenceRule(frames: 3, fullLines: 15, leastLines: 3, leastLength: 6, isCutSilently: true)
        case .code39:
            EvidenceRule(frames: 3, fullLines: 12, leastLines: 3, leastLength: 3, isCutSilently: true)
        case .codabar:
            EvidenceRule(frames: 3, fullLines: 12, leastLines: 3, leastLength: 4, isCutSilently: true)
        }
    }

    /// What one reading in one frame is worth, 0...1; 0 for one that can start no item.
    func weight(of reading: BarcodeReading) -> Double {
        guard reading.payload.count >= leastLength, !(isCutSilently && reading.touchesEdge) else { return 0 }
        // The lines are those of one engine, and none where it read the mean of many.
        if reading.isConfirmed { return 1 }
        guard reading.quality >= max(leastLines, leastUnconfirmedLines),
            leastUnconfirmedLines == 0 || !reading.touchesEdge
        else { return 0 }
        return Swift.min(1, Swift.max(EvidenceRule.leastWeight, Double(reading.quality) / Double(fullLines)))
    }
}
