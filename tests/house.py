"""The house, measured: rooms, files, lines, imports and English of the project.

``python -m tests.house`` prints the table of ``docs/architecture.md``; ``python -m tests.house WORD``
lists the first lines of docstrings below folders with that word that a colleague would not say.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
FLOORS: tuple[tuple[str, ...], ...] = (
    ("base",),
    ("store",),
    ("guard",),
    ("config",),
    ("text",),
    ("endpoint",),
    ("search", "scenes"),
    ("visual", "episodic", "semantic", "drivers"),
    ("recall", "reports", "upkeep", "extraction"),
    ("working",),
    ("procedural",),
    ("consolidation",),
    ("porting",),
    ("memory.py",),
    ("async_memory.py",),
    ("entry.py",),
    ("fleet",),
    ("__init__.py",),
    ("cli",),
)
"""Rooms from the ground up; a room imports rooms on lower floors only."""


@cache
def modules() -> dict[str, Path]:
    """Return every module of the engine and the command line, by its dotted name."""
    found = {}
    for top in ("engine", "cli"):
        for path in sorted((ROOT / top).rglob("*.py")):
            parts = path.relative_to(ROOT / top).with_suffix("").parts
            found[".".join(parts).removesuffix(".__init__")] = path
    return found


def room_of(module: str) -> str:
    """Return the room of a module: a folder of the engine, its face, or ``cli``."""
    if not module.startswith("memctl."):
        return "__init__.py" if module == "memctl" else "cli"
    name = module.split(".")[1]
    return name if (ROOT / "engine" / "memctl" / name).is_dir() else f"{name}.py"


@cache
def imports() -> dict[str, frozenset[str]]:
    """Return the modules that each module imports, for type checking alone too."""
    return {name: frozenset(_imported(path)) for name, path in modules().items()}


def _imported(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            named |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
        elif isinstance(node, ast.Import):
            named |= {alias.name for alias in node.names}
    # A package is imported with each of its modules: that is no import of what it holds.
    return {name for name in named & modules().keys() if modules()[name].stem != "__init__"}


def arrows() -> set[tuple[str, str]]:
    """Return the pairs of rooms of which the first imports the second."""
    pairs = ((room_of(a), room_of(b)) for a, found in imports().items() for b in found)
    return {pair for pair in pairs if pair[0] != pair[1]}


def lines_of(*folders: str) -> int:
    """Return the lines of Python and SQL below some folders of the project, blanks included."""
    files = (path for top in folders for path in (ROOT / top).rglob("*.*"))
    return sum(
        path.read_text(encoding="utf-8").count("\n")
        for path in files
        if path.suffix in {".py", ".sql"}
    )


def odd_first_lines() -> list[str]:
    """Return docstrings' first lines in which data speaks, or that begin with "Return what"."""
    odd = re.compile(r"\b(?:tells?|told|stands?|stood|holds?|held|says?|said)\b|^Return what\b")
    return [
        f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}: {line}"
        for path in modules().values()
        for node in ast.walk(_tree(path))
        if isinstance(node, _DESCRIBED)
        for line in (ast.get_docstring(node) or "").split("\n")[:1]
        if odd.search(line)
    ]


def vague_names() -> list[str]:
    """Return the places of variables that are named `one`, `found` or `told`."""
    return [
        f"{path.relative_to(ROOT)}:{node.lineno}: {node.id}"
        for path in modules().values()
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.Name)
        and isinstance(node.ctx, ast.Store)
        and node.id in {"one", "found", "told"}
    ]


_DESCRIBED = (ast.FunctionDef, ast.ClassDef, ast.Module)


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def main() -> None:
    """Print rooms with their floors, files and lines; or what is odd in the folders of a word."""
    if len(sys.argv) > 1:
        print(*(line for line in odd_first_lines() if sys.argv[1] in line), sep="\n")
        return
    files: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    for name, path in modules().items():
        files[room_of(name)] += 1
        lines[room_of(name)] += path.read_text(encoding="utf-8").count("\n")
    for number, floor in reversed(list(enumerate(FLOORS, 1))):
        for room in floor:
            print(f"{number:>2}  {room:<12} {files[room]:>4} files {lines[room]:>6} lines")
    engine = sum(lines.values()) - lines["cli"]
    print(f"engine: {engine} lines in {sum(files.values()) - files['cli']} files")
    print(f"{len(files)} rooms on {len(FLOORS)} floors, {len(arrows())} arrows between them")


if __name__ == "__main__":
    main()
