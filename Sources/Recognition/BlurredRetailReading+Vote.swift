// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

extension BlurredRetailReading.Reading {
    static let witness = DecodedSymbol.Witness(engine: .own, preparation: .templates)

    /// As a vote beside the engines' votes.
    var read: LinearRead {
        LinearRead(
            symbology: symbology, payload: payload, witness: Self.witness, isGS1: false,
            identifier: SymbologyIdentifier.told(nil, symbology: symbology, isGS1: false), isInverted: isInverted,
            lines: lines, linesScanned: lines, ends: [], isForward: true, shape: .lines)
    }

    /// As a symbol at its own place, with all who say so.
    func symbol(of ballot: LinearVotes.Ballot, confidence: Double) -> DecodedSymbol {
        DecodedSymbol(
            symbology: symbology, payload: payload, quad: quad, witnesses: ballot.witnesses, quality: ballot.lines,
            isGS1: false, identifier: ballot.best.identifier, isInverted: isInverted,
            supplement: ballot.reads.compactMap(\.supplement).first, confidence: confidence)
    }
}
