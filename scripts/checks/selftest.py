# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""Feeds every check small bad trees and expects its messages; a good tree gets none."""

import os
import tempfile

from . import layers, rules, tree as trees
from .swift_source import code_only

HEAD = "// SPDX-License-Identifier: Apache-2.0\n// SPDX-FileCopyrightText: 2026 The datascand authors\n"
DEPENDENCIES = {"Tracking": ["ScanModel"], "LinuxSystem": ["ScanModel", "CLinux"], "ScanModel": [], "CLinux": [],
                "Capture": ["LinuxSystem"], "ScanProtocol": ["ScanModel"]}
HATCHED = "// @unchecked: only reached with the lock held.\nfinal class A: @unchecked Sendable {}\n"
LIST = "Sources/Tracking/A.swift\t@unchecked Sendable\t%d\n"


def manifest(*targets):
    """A package as `swift package dump-package` tells it, of (name, type, dependencies) or with a path as the fourth."""
    return {"targets": [{"name": name, "type": kind, "path": (path or ["Sources/" + name])[0],
                         "dependencies": [{"byName": [other, None]} for other in others]}
                        for name, kind, others, *path in targets]}


def at(name, body, head=HEAD):
    return {f"Sources/{name}/A.swift": head + body}


# what is fed, the check, and a part of the message that must come (None: no message may come)
CASES = [
    (at("Tracking", "import ScanModel\nstruct A {}\n"), "spdx", None),
    (at("Tracking", "struct A {}\n", head=""), "spdx", "Sources/Tracking/A.swift:1: no line `SPDX-License"),
    ({"Makefile": "all:\n"}, "spdx", "Makefile:1: no line"),
    ({"scripts/run": "#!/bin/sh\n"}, "spdx", "scripts/run:1: no line"),

    (at("Tracking", "let a = 1\n" * 448), "lengths", None),
    (at("Tracking", "let a = 1\n" * 449), "lengths", "A.swift:451: 451 lines"),
    (at("datascand", "@main\nstruct A {}\n" + "// x\n" * 195), "lengths", None),
    (at("datascand", "@main\nstruct A {}\n" + "// x\n" * 196), "lengths", "a main of 200 lines"),

    (at("Tracking", "// %s: later\n" % rules.UNFINISHED[0]), "unfinished", "A.swift:3: `%s`" % rules.UNFINISHED[0]),
    (at("Tracking", "let file = \"aXXXXXX\"\n"), "unfinished", None),
    ({"docs/a.md": "one\n%s\n" % rules.UNFINISHED[1]}, "unfinished", "docs/a.md:2:"),

    (at("Tracking", "import ScanModel\n// import Glibc\nlet a = \"import Glibc\"\n"), "imports", None),
    (at("Tracking", "import Glibc\n"), "imports", "A.swift:3: Tracking is pure and must not import Glibc"),
    (at("Tracking", "import FoundationEssentials\n"), "imports", "must not import FoundationEssentials"),
    (at("ScanProtocol", "internal import FoundationEssentials\n"), "imports", None),
    (at("ScanProtocol", "@preconcurrency import Dispatch\n"), "imports", "must not import Dispatch"),
    (at("Capture", "import struct Foundation.Date\n"), "imports", "Capture must not import Foundation;"),
    (at("LinuxSystem", "internal import CLinux\n"), "imports", None),
    (at("LinuxSystem", "import CLinux\n"), "imports", "write `internal import CLinux`"),
    (at("LinuxSystem", "public import CLinux\n"), "imports", "write `internal import CLinux`"),
    (at("Capture", "internal import CLinux\n"), "imports", "only LinuxSystem imports CLinux"),
    ({"Tests/CaptureTests/A.swift": HEAD + "import CLinux\n"}, "imports", "only LinuxSystem imports CLinux"),
    (at("Capture", "import ScanModel\n"), "imports", "Capture does not declare ScanModel"),

    (at("Tracking", HATCHED) | {rules.HATCH_LIST: "# why\n" + LIST % 1}, "hatches", None),
    (at("Tracking", HATCHED), "hatches", "is used 1 times and scripts/checks/escape-hatches.txt allows 0"),
    (at("Tracking", HATCHED) | {rules.HATCH_LIST: LIST % 2}, "hatches", "allows 2"),
    (at("Tracking", "struct A {}\n") | {rules.HATCH_LIST: LIST % 1}, "hatches", "used no more"),
    (at("Tracking", HATCHED) | {rules.HATCH_LIST: "all of them\n"}, "hatches", "escape-hatches.txt:1: expected"),
    (at("Tracking", "\nlet a = try! b()\n"), "hatches", "A.swift:4: `try!` without its reason"),
    (at("Tracking", "/// Doc.\nlet a = unsafeBitCast(b, to: C.self)\n"), "hatches", "`unsafeBitCast` without"),
    (at("Tracking", "//\nfatalError()\n"), "hatches", "`fatalError` without its reason"),
    (at("Tracking", "let a = \"try! fatalError\" // nonisolated(unsafe)\n"), "hatches", None),

    (at("Tracking", "import ScanModel\n/* nothing */\n"), "empty", "target Tracking is empty"),
    (at("Tracking", "struct A {}\n"), "empty", None),

    (manifest(("Tracking", "regular", ["ScanModel"]), ("ScanModel", "regular", [])), "layers", None),
    (manifest(("Tracking", "regular", ["Capture"])), "layers", "(layer 1) depends on Capture (layer 2)"),
    (manifest(("Tracking", "regular", ["Scheduling"])), "layers", "arrows go down only"),
    (manifest(("Attic", "regular", [])), "layers", "Attic is not in the table of layers"),
    (manifest(("Capture", "regular", ["CZBar"])), "layers", "depends on CZBar; only Recognition does"),
    (manifest(("CaptureTests", "test", ["CZBar"])), "layers", "depends on CZBar; only Recognition does"),
    (manifest(("CLinux", "regular", ["ScanModel"])), "layers", "it stands alone"),
    (manifest(("datascan", "executable", ["datascand"]), ("datascand", "executable", [])), "layers", "the program"),
    (manifest(("DataScanner", "regular", ["ScanTestSupport"])), "layers", "which is for tests"),
    (manifest(("List", "executable", ["DataScanner"], "Samples/List")), "layers", None),
    (manifest(("List", "executable", ["datascan"], "Samples/List"), ("datascan", "executable", [])), "layers",
     "depends on the program datascan"),
    (manifest(("List", "executable", ["CZBar"], "Samples/List")), "layers", "only Recognition does"),
    (manifest(("BlackBoxTests", "test", ["datascand"]), ("datascand", "executable", [])), "layers", None),
]

STRIPPED = [
    ("a // b", "a     "),
    ("a /* b /* c */ d */ e", "a                   e"),
    ('x = "a \\" // b" + c', "x = " + " " * 11 + " + c"),
    ('x = #"a " b"# + c', "x = " + " " * 9 + " + c"),
    ('x = """\na " b\n""" + c', "x =    \n     \n    + c"),
]


def run(check, files):
    if check == "layers":
        return list(layers.check_layers(files))
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            os.makedirs(os.path.dirname(os.path.join(root, path)) or root, exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        tree = trees.Tree(root)
        return list({
            "spdx": trees.check_spdx, "lengths": trees.check_lengths, "unfinished": trees.check_unfinished,
            "hatches": trees.check_hatches,
            "imports": lambda tree: trees.check_imports(tree, DEPENDENCIES),
            "empty": lambda tree: trees.check_empty_targets(tree, [("Tracking", "Sources/Tracking")]),
        }[check](tree))


def main():
    failed = 0
    for files, check, expected in CASES:
        messages = run(check, files)
        right = not messages if expected is None else any(expected in message for message in messages)
        if not right:
            failed += 1
            print(f"check: self-test: {check} on {files}\n  expected {expected!r}\n  got {messages}")
    for source, expected in STRIPPED:
        if code_only(source) != expected:
            failed += 1
            print(f"check: self-test: {source!r}\n  expected {expected!r}\n  got {code_only(source)!r}")
    total = len(CASES) + len(STRIPPED)
    print(f"check: self-test: {total - failed} of {total} right")
    return 1 if failed else 0
