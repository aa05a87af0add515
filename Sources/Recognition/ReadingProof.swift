// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

extension DecodedSymbol {
    /// The reading, weighed by what its own bars say, where the engines leave it in doubt.
    ///
    /// A UPC-E is six digits whose check digit is one of ten patterns of parity: both engines can take the same blurred
    /// bars for the same wrong digits, so its bars always have a say.
    func proved(in picture: LumaView, needsProof: Bool, knowsPerspective: Bool = false) -> DecodedSymbol {
        // What was read from whole symbols has passed a harder test of the same kind.
        guard confidence < ReadingTrust.bothOneSharpened || symbology == .upcE,
            !witnesses.contains(Witness(engine: .own, preparation: .templates))
        else { return self }
        var symbol = self
        switch PatternProof(picture: picture, knowsPerspective: knowsPerspective).isProved(self) {
        case true?:
            symbol.confidence = max(confidence, ReadingTrust.redrawn)
            symbol.witnesses.insert(Witness(engine: .own, preparation: .redrawn))
        case false?: symbol.confidence = min(confidence, ReadingTrust.disproved)
        case nil where confidence >= ReadingTrust.bothOneSharpened: break
        case nil where needsProof:
            // One check digit or none: one engine's word does not make an item where the bars do not speak for it.
            symbol.confidence = min(confidence, ReadingTrust.unproved)
        case nil: break
        }
        return symbol
    }
}
