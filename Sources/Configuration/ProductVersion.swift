// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// The product's version, for `--version`, `hello` and `getStatus`.
public enum ProductVersion {
    public static let current = "0.1.0"
}
