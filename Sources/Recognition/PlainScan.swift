// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

package import ImageKernels

/// Scans of a whole picture by ZBar, which is what the benchmarks compare with.
package enum PlainScan {
    /// The number of symbols found in every `density`-th row and column, all that ZBar reads looked for.
    package static func symbolCount(in picture: LumaBuffer, density: Int) -> Int {
        let types = ZBarSymbology.decoders(for: ZBarSymbology.supported)
        guard let scanner = ZBarScanner(types: types, density: ScanDensity(rows: density, columns: density)) else {
            return 0
        }
        return scanner.scan(picture).count
    }

    /// The number of symbols that ZBar finds with the settings that it comes with.
    package static func symbolCountByDefault(in picture: LumaBuffer) -> Int {
        guard let scanner = ZBarScanner(asShipped: ()) else { return 0 }
        return scanner.scan(picture).count
    }
}
