# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""The house rules as data. The table of layers is that of docs/architecture.md."""

# A target may depend on targets of lower layers only.
LAYERS = {
    "datascand": 4, "datascan": 4,
    "DataScanner": 3,
    "Capture": 2, "Motion": 2, "Recognition": 2, "ScanServer": 2, "ScanClient": 2, "Configuration": 2,
    "ServiceSupport": 2,
    "LinuxSystem": 1, "ImageKernels": 1, "Scheduling": 1, "Tracking": 1, "DataDetection": 1, "ScanProtocol": 1,
    "ScanModel": 0,
}

# Each C module at layer 0, and the one target that imports it.
OWNERS = {
    "CLinux": "LinuxSystem", "CSeccomp": "LinuxSystem",
    "CTurboJPEG": "ImageKernels", "CLeptonica": "ImageKernels",
    "CV4L2": "Capture", "CUdev": "Capture",
    "CZBar": "Recognition", "CZXing": "Recognition", "CTesseract": "Recognition",
    "CPopt": "Configuration", "CTOML": "Configuration",
    "CSystemd": "ServiceSupport",
}

# For tests and benchmarks: may use every library target, and only they may use it.
SUPPORT = {"ScanTestSupport"}

# Programs under these folders show or measure the libraries: like tests they may use any of them, but no other program.
OUTSIDE = ("Samples/", "Benchmarks", "Tests/VM/")

# Targets that take `now` as an argument and return values, with the modules from outside that they may import.
PURE = {
    "ScanModel": set(), "Scheduling": set(), "Tracking": set(), "DataDetection": set(),
    "ScanProtocol": {"FoundationEssentials"},
}

# Foundation adds 8 MB and is slow on Linux: no target on the way of the data imports it. Support for tests ships nowhere.
FOUNDATION = {"Foundation", "FoundationNetworking", "FoundationXML", "FoundationInternationalization"}
MAY_IMPORT_FOUNDATION = {"Configuration"} | SUPPORT

HATCHES = {
    "@unchecked Sendable": r"@unchecked\s+Sendable\b",
    "nonisolated(unsafe)": r"\bnonisolated\(unsafe\)",
    "try!": r"\btry!",
    "unsafeBitCast": r"\bunsafeBitCast\b",
    "fatalError": r"\bfatalError\b",
}
HATCH_LIST = "scripts/checks/escape-hatches.txt"

# Spelt in two parts, so that this file does not find itself.
UNFINISHED = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]

MAX_LINES = 450
MAX_MAIN_LINES = 200  # a main only wires
SPDX = ["SPDX-License-Identifier: Apache-2.0", "SPDX-FileCopyrightText: "]
SPDX_WITHIN = 4  # lines from the top

SWIFT_ROOTS = ["Sources", "Tests", "Samples", "Benchmarks"]
SOURCE_SUFFIXES = {".swift", ".c", ".h", ".cpp", ".hpp", ".py", ".sh"}
SOURCE_FOLDERS = {"scripts", ".ci"}  # their files are source whatever they are called
SOURCE_NAMES = {"Makefile"}
TEXT_SUFFIXES = {".md", ".toml", ".service", ".socket", ".modulemap", ".yml"}
SKIPPED_FOLDERS = {".build", ".git", "__pycache__", ".work"}
