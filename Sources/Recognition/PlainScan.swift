// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

package import ImageKernels

/// One scan of a whole picture by ZBar, which is what the benchmarks compare with.
package enum PlainScan {
    /// The number of symbols found in every `density`-th row and column, all that ZBar reads looked for.
    package static func symbolCount(in picture: LumaBuffer, density: Int) -> Int {
        let types = ZBarSymbology.decoders(for: BarcodeReader.supportedSymbologies)
        guard let scanner = ZBarScanner(types: types, density: ScanDensity(rows: density, columns: density)) else {
            return 0
        }
        return scanner.scan(picture).count
    }
}
