// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ImageKernels
internal import ScanModel

/// Finds and reads the codes of a picture: known places first, then the whole at a glance, then what looks like a code, the
/// cheap looks before the dear.
struct CodeScan {
    /// The share of a candidate that lies within what is read from which on it is the same code.
    private static let coveredShare = 0.5

    let finder: RegionFinder
    let reader: CropReader
    let quarantine: CropQuarantine
    let symbologies: Set<Symbology>
    let plan: CodeScanPlan

    /// - Parameters:
    ///   - buffer: the same picture, for engines that take tight rows.
    ///   - known: what was there in the last frames, in pixels of the picture.
    ///   - isPart: whether the picture is a part of one that was looked at as a whole.
    /// - Returns: what was read, and what looks like a code and was not.
    func symbols(
        in picture: LumaView, of buffer: LumaBuffer, known: [KnownBarcode], isPart: Bool
    ) -> (symbols: [DecodedSymbol], unread: [CodeCandidate]) {
        var found = self.known(known, in: picture)
        // Where labels are followed, the whole is full of them already, and zxing-cpp would read one of those.
        let pixels = picture.width * picture.height
        let looksAtWhole = known.isEmpty && !isPart
        if looksAtWhole { found += whole(buffer) }
        if plan.level == .fast, found.contains(where: { fills(buffer, $0) }) { return (found, []) }
        finder.kinds = plan.kinds(pixels: pixels, hasSeenWhole: looksAtWhole)
        var open = finder.candidates(
            in: picture, level: plan.level, limit: plan.maximumCandidates,
            besides: found.filter(Self.isDone).map(\.quad))
        for round in plan.rounds {
            var purse = round.purse(pixels: pixels)
            var unread: [CodeCandidate] = []
            for candidate in open where !isCovered(candidate, by: found) {
                let least = round.leastPromise(
                    of: candidate.kind, isSmallPicture: pixels <= CodeScanPlan.smallPicture)
                guard candidate.promise >= least, purse > 0 || candidate.promise >= round.certain else {
                    unread.append(candidate)
                    continue
                }
                purse -= round.price(of: candidate)
                let symbols = reader.read(candidate, in: picture, symbologies: symbologies, effort: round.effort)
                // A reading that nothing confirms may be a misread: the next round looks again.
                if !symbols.contains(where: Self.isDone) { unread.append(candidate) }
                found += symbols
            }
            open = unread
        }
        if found.isEmpty, looksAtWhole { found += wholeAgain(buffer) }
        let unread = open.filter { $0.promise >= CodeScanPlan.tellingPromise && !isCovered($0, by: found) }
        return (found, Array(unread.prefix(CodeScanPlan.maximumUnread)))
    }

    /// Reads what was there in the last frames, each in its own crop.
    func known(_ known: [KnownBarcode], in picture: LumaView) -> [DecodedSymbol] {
        known.map(CodeCandidate.init).flatMap {
            reader.read($0, in: picture, symbologies: symbologies, effort: .look)
        }
    }

    /// Whether a symbol is what a small picture is of, so that there is hardly room for another one.
    private func fills(_ picture: LumaBuffer, _ symbol: DecodedSymbol) -> Bool {
        let pixels = picture.width * picture.height
        return symbol.isConfirmed && pixels <= CodeScanPlan.smallPicture
            && symbol.quad.signedArea.magnitude > CodeScanPlan.subjectShare * Double(pixels)
    }

    /// What is no region that was found may be read all the same, with more of everything.
    private func wholeAgain(_ picture: LumaBuffer) -> [DecodedSymbol] {
        for form in plan.wholeForms {
            guard let changed = form.applied(to: picture) else { continue }
            var reading = WholePictureReading(
                picture: changed, asked: symbologies, quarantine: quarantine, triesHarder: true)
            reading.isInverted = form.isInverted
            let linear = reading.linear()
            let found = linear.isEmpty ? reading.matrix() : linear
            if !found.isEmpty { return found.map { $0.scaled(by: 1 / form.scale) } }
        }
        return []
    }

    private func whole(_ picture: LumaBuffer) -> [DecodedSymbol] {
        let reading = WholePictureReading(
            picture: picture, asked: symbologies, quarantine: quarantine, triesHarder: plan.triesHarderOnWhole)
        let linear = reading.linear()
        guard linear.isEmpty, picture.width * picture.height <= CodeScanPlan.smallPicture || plan.searchesAnyWhole
        else { return linear }
        return reading.matrix()
    }

    /// Whether nothing more is to be learnt of its place: a linear symbol that is cut by the picture's edge may be placed
    /// badly, and is no item as it is.
    private static func isDone(_ symbol: DecodedSymbol) -> Bool { symbol.isConfirmed && !symbol.touchesEdge }

    private func isCovered(_ candidate: CodeCandidate, by found: [DecodedSymbol]) -> Bool {
        let area = candidate.quad.signedArea.magnitude
        // Several labels may lie in one candidate.
        let shared = found.reduce(0) { $0 + (Self.isDone($1) ? $1.quad.sharedArea(with: candidate.quad) : 0) }
        return shared > Self.coveredShare * area
    }
}

extension CodeCandidate {
    /// A barcode that was there, as a candidate.
    fileprivate init(_ known: KnownBarcode) {
        let kind: Kind =
            switch known.symbology {
            case .qr: .qr
            case .dataMatrix, .microQR: .matrix
            case .aztec, .maxiCode: .bullseye
            case .pdf417: .stacked
            default: .linear
            }
        self.init(kind: kind, quad: known.bounds, moduleSize: nil, isInverted: nil, score: 1, promise: 1)
    }
}
