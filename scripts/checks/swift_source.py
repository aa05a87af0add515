# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""Just enough of Swift's grammar: code without comments and strings, and its imports."""

import re

_TOKEN = re.compile(r'(?P<line>//[^\n]*)|(?P<block>/\*)|(?P<text>#*"""|#*")', re.S)
_IMPORT = re.compile(
    r"^[ \t]*(?P<before>(?:@[\w()]+[ \t]+|(?:public|package|internal|fileprivate|private)[ \t]+)*)"
    r"import[ \t]+(?:(?:struct|class|enum|protocol|func|var|let|typealias)[ \t]+)?(?P<module>\w+)", re.M)


def code_only(source):
    """The source with comments and the contents of strings blanked out; lines keep their numbers."""
    out, at = [], 0

    def blank(until):
        out.append(re.sub(r"[^\n]", " ", source[at:until]))
        return until

    while token := _TOKEN.search(source, at):
        out.append(source[at:token.start()])
        at = token.start()
        if token["line"]:
            at = blank(token.end())
        elif token["block"]:
            at = blank(_end_of_block(source, token.end()))
        else:
            at = blank(_end_of_string(source, token.end(), token["text"]))
    out.append(source[at:])
    return "".join(out)


def _end_of_block(source, at):
    depth = 1  # Swift's comments nest
    while depth and (mark := re.compile(r"/\*|\*/").search(source, at)):
        depth += 1 if mark[0] == "/*" else -1
        at = mark.end()
    return len(source) if depth else at


def _end_of_string(source, at, opening):
    hashes = opening.count("#")
    closing = opening[hashes:] + "#" * hashes
    escape = "\\" + "#" * hashes
    many_lines = opening.endswith('"""')
    while at < len(source):
        if source.startswith(closing, at):
            return at + len(closing)
        if source.startswith(escape, at):
            at += len(escape) + 1
        elif source[at] == "\n" and not many_lines:
            return at  # not a string after all; a compiler will say so
        else:
            at += 1
    return at


def imports(code):
    """(line, module, words before `import`) for each import of code without comments."""
    found = _IMPORT.finditer(code)
    return [(code.count("\n", 0, m.start("module")) + 1, m["module"], m["before"].split()) for m in found]


def has_code(code):
    """Whether anything is left beside imports."""
    return bool(_IMPORT.sub("", code).strip())
