"""Figures about the source tree: modules, lines, who imports whom, names used twice.

    python tools/house.py            the tree that this file is part of
    python tools/house.py TREE ...   other trees (an older checkout), a column each

`tests/test_layers.py` draws on the import graph made here.
"""

from __future__ import annotations

import ast
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("gec_core", "dashboard", "pages")


@dataclass(frozen=True)
class House:
    """The Python modules under the packages of a source tree."""

    root: Path

    @cached_property
    def paths(self) -> Mapping[str, Path]:
        """The modules by their dotted names; a package has the name of its folder."""
        found = {}
        for package in PACKAGES:
            for path in sorted((self.root / package).rglob("*.py")):
                parts = path.relative_to(self.root).with_suffix("").parts
                found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
        return found

    @cached_property
    def trees(self) -> Mapping[str, ast.Module]:
        return {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in self.paths.items()}

    @cached_property
    def imports(self) -> Mapping[str, frozenset[str]]:
        """The modules of this tree that each module imports, at the top, inside functions or for type checks only.

        The version of a package is not counted as an import of it.
        """
        return {name: frozenset(self._imported(tree)) - {name} for name, tree in self.trees.items()}

    def _imported(self, tree: ast.Module) -> Iterator[str]:
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names if alias.name in self.paths)
            elif isinstance(node, ast.ImportFrom) and node.module and node.module in self.paths:
                for alias in node.names:
                    if alias.name == "__version__":
                        continue
                    submodule = f"{node.module}.{alias.name}"
                    yield submodule if submodule in self.paths else node.module

    @cached_property
    def importers(self) -> Mapping[str, frozenset[str]]:
        """The modules that import each module."""
        found: dict[str, set[str]] = {name: set() for name in self.paths}
        for name, imported in self.imports.items():
            for other in imported:
                found[other].add(name)
        return {name: frozenset(others) for name, others in found.items()}

    @cached_property
    def lines(self) -> Mapping[str, int]:
        return {name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in self.paths.items()}

    @cached_property
    def single_importer(self) -> tuple[str, ...]:
        """Modules that exactly one other module imports."""
        return tuple(name for name, others in self.importers.items() if len(others) == 1)

    @cached_property
    def shared_class_names(self) -> Mapping[str, tuple[str, ...]]:
        """Names of classes at the top of several modules. An option's class is part of its metric, not at the top."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for module, tree in self.trees.items():
            for node in tree.body:
                if isinstance(node, ast.ClassDef):
                    found[node.name].append(module)
        return {name: tuple(modules) for name, modules in sorted(found.items()) if len(modules) > 1}

    def figures(self) -> dict[str, str]:
        sizes = self.lines.values()
        return {
            "modules": str(len(self.paths)),
            **{f"  in {package}": str(sum(_under(package, name) for name in self.paths)) for package in PACKAGES},
            "lines": f"{sum(sizes):,}",
            "median lines": f"{statistics.median(sizes):g}",
            "modules under 100 lines": str(sum(size < 100 for size in sizes)),
            "modules over 350 lines": str(sum(size > 350 for size in sizes)),
            "modules with a single importer": str(len(self.single_importer)),
            "class names in several modules": str(len(self.shared_class_names)),
            "modules in import cycles": str(sum(len(cycle) for cycle in cycles(self.imports))),
        }


def cycles(graph: Mapping[str, frozenset[str]]) -> list[list[str]]:
    """The sets of modules that import one another in a circle (strongly connected components, by Tarjan)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in sorted(graph[name]):
            if other not in index:
                visit(other)
            if other in stack:
                low[name] = min(low[name], low[other])
        if low[name] == index[name]:
            members = stack[stack.index(name) :]
            del stack[-len(members) :]
            if len(members) > 1:
                found.append(sorted(members))

    for name in graph:
        if name not in index:
            visit(name)
    return found


def _under(package: str, module: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def main(trees: list[str]) -> None:
    houses = [House(Path(tree).resolve()) for tree in trees] or [House(ROOT)]
    columns = [house.figures() for house in houses]
    for label in columns[0]:
        print(f"{label:32}" + "".join(f"{column[label]:>12}" for column in columns))
    last = houses[-1]
    print("\nmost lines:", ", ".join(f"{name} {size}" for name, size in Counter(last.lines).most_common(8)))
    print("\nclass names in several modules:")
    for name, modules in last.shared_class_names.items():
        print(f"  {name}: {', '.join(modules)}")
    print("\nmodules with a single importer:")
    for name in last.single_importer:
        print(f"  {name} <- {', '.join(last.importers[name])}")


if __name__ == "__main__":
    main(sys.argv[1:])
