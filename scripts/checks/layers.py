# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""The table of layers against what `swift package dump-package` says."""

from . import rules


def dependencies_of(package):
    """{target: [names of the targets that it declares]}"""
    result = {}
    for target in package["targets"]:
        names = []
        for dependency in target["dependencies"]:
            (kind, value), = dependency.items()
            names.append(value[0] if kind in ("byName", "target", "product") else str(value))
        result[target["name"]] = names
    return result


def check_layers(package):
    kinds = {target["name"]: target["type"] for target in package["targets"]}
    programs = {name for name, kind in kinds.items() if kind == "executable"}
    outside = {t["name"] for t in package["targets"] if (t.get("path") or "").startswith(rules.OUTSIDE)}
    for name, dependencies in dependencies_of(package).items():
        at = f"Package.swift:1: {name}"
        if kinds[name] == "test":
            for other in dependencies:
                if other in rules.OWNERS:
                    yield f"{at} depends on {other}; only {rules.OWNERS[other]} does"
            continue
        if name in rules.OWNERS:
            if dependencies:
                yield f"{at} is a C module of layer 0 and depends on {', '.join(dependencies)}; it stands alone"
            continue
        if name not in rules.LAYERS and name not in rules.SUPPORT and name not in outside:
            yield f"{at} is not in the table of layers; give it a layer in scripts/checks/rules.py and in docs/"
            continue
        for other in dependencies:
            if other in rules.OWNERS:
                if rules.OWNERS[other] != name:
                    yield f"{at} depends on {other}; only {rules.OWNERS[other]} does"
            elif other in programs:
                yield f"{at} depends on the program {other}; move what it needs into a library"
            elif name in rules.LAYERS and other in rules.SUPPORT:
                yield f"{at} depends on {other}, which is for tests"
            elif name in rules.LAYERS and other not in rules.LAYERS:
                yield f"{at} depends on {other}, which is not in the table of layers"
            elif name in rules.LAYERS and rules.LAYERS[other] >= rules.LAYERS[name]:
                yield (f"{at} (layer {rules.LAYERS[name]}) depends on {other} (layer {rules.LAYERS[other]}); "
                       "arrows go down only")
