# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""The checks that read the files of the tree. Each gives lines of `path:line: what is wrong; what to do`."""

import os
import re

from . import rules
from .swift_source import code_only, has_code, imports


class Tree:
    """The project's files, read once."""

    def __init__(self, root):
        self.root = root
        self.paths = []
        for folder, folders, names in os.walk(root):
            folders[:] = sorted(f for f in folders if f not in rules.SKIPPED_FOLDERS)
            self.paths += [os.path.relpath(os.path.join(folder, name), root) for name in sorted(names)]
        self._texts, self._codes = {}, {}

    def text(self, path):
        if path not in self._texts:
            with open(os.path.join(self.root, path), encoding="utf-8", errors="replace") as file:
                self._texts[path] = file.read()
        return self._texts[path]

    def code(self, path):
        if path not in self._codes:
            self._codes[path] = code_only(self.text(path))
        return self._codes[path]

    def swift(self):
        return [p for p in self.paths if p.endswith(".swift") and p.split(os.sep)[0] in rules.SWIFT_ROOTS]

    def sources(self):
        return [p for p in self.paths if is_source(p)]


def is_source(path):
    name, suffix = os.path.basename(path), os.path.splitext(path)[1]
    in_folder = path.split(os.sep)[0] in rules.SOURCE_FOLDERS and suffix in ("", ".py", ".sh")
    return suffix in rules.SOURCE_SUFFIXES or name in rules.SOURCE_NAMES or in_folder


def target_of(path):
    """The target of a Swift file: the folder under Sources/, or None elsewhere."""
    parts = path.split(os.sep)
    return parts[1] if parts[0] == "Sources" and len(parts) > 2 else None


def check_spdx(tree):
    for path in tree.sources():
        head = "\n".join(tree.text(path).splitlines()[:rules.SPDX_WITHIN])
        for line in rules.SPDX:
            if line not in head:
                yield f"{path}:1: no line `{line.strip()}` in the first {rules.SPDX_WITHIN}; copy both from a neighbour"


def check_lengths(tree):
    for path in tree.sources():
        lines = len(tree.text(path).splitlines())
        if lines > rules.MAX_LINES:
            yield f"{path}:{lines}: {lines} lines, more than {rules.MAX_LINES}; split it by idea"
        elif path.endswith(".swift") and lines >= rules.MAX_MAIN_LINES and re.search(r"(?m)^@main\b", tree.code(path)):
            yield f"{path}:{lines}: a main of {lines} lines; it only wires, in under {rules.MAX_MAIN_LINES}"


def check_unfinished(tree):
    marker = re.compile(r"\b(%s)\b" % "|".join(rules.UNFINISHED))
    for path in tree.paths:
        if is_source(path) or os.path.splitext(path)[1] in rules.TEXT_SUFFIXES:
            for number, line in enumerate(tree.text(path).splitlines(), 1):
                if found := marker.search(line):
                    yield f"{path}:{number}: `{found[0]}` marks unfinished work; finish it or file an issue"


def check_imports(tree, dependencies):
    """`dependencies` says for each target of the package which targets it declares."""
    for path in tree.swift():
        target = target_of(path)
        for line, module, before in imports(tree.code(path)):
            at = f"{path}:{line}"
            owner = rules.OWNERS.get(module)
            if owner and target != owner:
                yield f"{at}: only {owner} imports {module}; use what {owner} offers"
            elif owner and "internal" not in before:
                yield f"{at}: write `internal import {module}`, so that no C type shows in the interface"
            if target is None:
                continue
            if module in rules.FOUNDATION and target not in rules.MAY_IMPORT_FOUNDATION:
                yield f"{at}: {target} must not import {module}; use LinuxSystem, or FoundationEssentials for JSON"
            elif target in rules.PURE and module not in dependencies and module not in rules.PURE[target]:
                yield f"{at}: {target} is pure and must not import {module}; take the value as an argument"
            if module in dependencies and module not in dependencies.get(target, ()):
                yield f"{at}: {target} does not declare {module} in Package.swift; declare it there"


def hatches(tree):
    """The escape hatches in use: {(path, hatch): [line, ...]}."""
    found = {}
    for path in tree.swift():
        for hatch, pattern in rules.HATCHES.items():
            for match in re.finditer(pattern, tree.code(path)):
                line = tree.code(path).count("\n", 0, match.start()) + 1
                found.setdefault((path, hatch), []).append(line)
    return found


def hatch_list(tree):
    return "".join(f"{path}\t{hatch}\t{len(lines)}\n" for (path, hatch), lines in sorted(hatches(tree).items()))


def check_hatches(tree):
    allowed = {}
    listed = tree.text(rules.HATCH_LIST) if rules.HATCH_LIST in tree.paths else ""
    for number, line in enumerate(listed.splitlines(), 1):
        fields = line.split("\t")
        if line.startswith("#") or not line:
            continue
        if len(fields) != 3 or fields[1] not in rules.HATCHES or not fields[2].isdigit():
            yield (f"{rules.HATCH_LIST}:{number}: expected path, hatch and count with tabs between; write it as "
                   "`scripts/check --list-hatches` does")
            continue
        allowed[fields[0], fields[1]] = int(fields[2])
    found = hatches(tree)
    for (path, hatch), lines in sorted(found.items()):
        above = tree.text(path).splitlines()
        for line in lines:
            comment = above[line - 2].strip() if line > 1 else ""
            if not comment.startswith("//") or comment.startswith("///") or not comment.strip("/ "):
                yield f"{path}:{line}: `{hatch}` without its reason; give it in a `//` comment on the line above"
        count = allowed.get((path, hatch), 0)
        if len(lines) != count:
            yield (f"{path}:{lines[-1]}: `{hatch}` is used {len(lines)} times and {rules.HATCH_LIST} allows {count}; "
                   "avoid it, or change the list")
    for path, hatch in sorted(set(allowed) - set(found)):
        yield f"{rules.HATCH_LIST}:1: `{hatch}` in {path} is listed and used no more; remove the line"


def check_empty_targets(tree, targets):
    """`targets` holds name and folder of each target that has Swift or C code."""
    for name, folder in targets:
        files = [p for p in tree.paths if p.startswith(folder + os.sep)]
        swift = [p for p in files if p.endswith(".swift")]
        if not any(p.endswith((".c", ".cpp")) for p in files) and not any(has_code(tree.code(p)) for p in swift):
            yield f"{folder}:1: target {name} is empty; give it code or take it out of Package.swift"
