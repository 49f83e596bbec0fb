"""Compares two answers after masking the parts that may differ from run to run."""

from __future__ import annotations

import json
import re
from difflib import unified_diff
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

_HIDDEN = frozenset({"duration_ms", "ms", "bytes", "version", "schema_version"})
_MEASURED = frozenset({"ms", "bytes"})
# Of text for people: durations of this run, sizes of files and rows, versions, random names.
_MASKS = (
    (re.compile(r"(?m)^(time +)[\d.]+ ms$"), r"\1<ms>"),
    (re.compile(r"\bms=\{[^}]*\}"), "ms=<ms>"),
    (re.compile(r"schema \d+, \d+ bytes"), "schema <version>, <bytes>"),
    (re.compile(r" *\d+( +apps/\S+\.db)"), r" <bytes>\1"),
    (re.compile(r" *\b[\d.,]+ (?:B|kB|MB)\b(?: +[\d.]+%)?"), " <bytes>"),
    (re.compile(r"\A\d+\.\d+\.\d+\S*\Z"), "<version>"),
    (re.compile(r"\bmemctl-demo-\w{8}"), "memctl-demo-<random>"),
)
# The columns of durations in the head of a table, and those behind them.
_DURATIONS = re.compile(r"(?: median +p9.*|(?<=learned) +ms)$")


def masked(answer: Sequence[Any], folder: str) -> str:
    """Return an answer as text: its exit code and its streams, with JSON spelt out."""
    out, error, code = answer
    streams = [f"--- {name}\n{_stream(text)}" for name, text in (("out", out), ("error", error))]
    return "\n".join([f"exit {code}", *streams]).replace(folder, "<folder>")


def difference(old: str, new: str) -> str:
    """Return the unified difference of two answers, empty where they are equal."""
    lines = unified_diff(old.splitlines(), new.splitlines(), "old", "new", lineterm="", n=2)
    return "\n".join(lines)


def changed_lines(diff: str) -> list[str]:
    """Return the lines that a difference takes away or adds, without their signs."""
    return [line[1:] for line in diff.splitlines()[2:] if line[:1] in {"-", "+"}]


def _stream(text: str) -> str:
    plain = _without_durations("\n".join(map(_spelt_out, text.splitlines())))
    for pattern, instead in _MASKS:
        plain = pattern.sub(instead, plain)
    return plain


def _spelt_out(line: str) -> str:
    """Return a line of JSON with its members in order, one below the other; others as they are."""
    try:
        value = json.loads(line) if line[:1] in {"{", "["} else None
    except ValueError:
        return line
    if value is None:
        return line
    return json.dumps(_without(value), indent=1, sort_keys=True, ensure_ascii=False)


def _without(value: Any, key: str = "") -> Any:
    """Return a value of JSON without its times, sizes and versions, however deep."""
    if isinstance(value, dict):
        if "columns" in value and "rows" in value:
            value = _without_measured(value)
        return {name: _without(one, key if key == "ms" else name) for name, one in value.items()}
    if isinstance(value, list):
        return [_without(one, key) for one in value]
    return f"<{key}>" if key in _HIDDEN and value is not None else value


def _without_measured(table: dict[str, Any]) -> dict[str, Any]:
    """Return an answer of a report without durations and sizes, nor the order they make."""
    kinds = [column.get("kind") for column in table["columns"]]
    if not _MEASURED.intersection(kinds):
        return table
    gone = _MEASURED | {"share"}
    cut = [
        [f"<{kind}>" if kind in gone else cell for kind, cell in zip(kinds, row, strict=True)]
        for row in table["rows"]
    ]
    return {**table, "rows": sorted(cut, key=str)}


def _without_durations(text: str) -> str:
    """Return a text, its tables with durations without those, and the order that they make.

    How wide the other columns are depends on them, too: spaces and rules are made one.
    """
    blocks = []
    for block in text.split("\n\n"):
        lines = block.split("\n")
        for at, line in enumerate(lines):
            if head := _DURATIONS.search(line):
                last = len(head[0].split())
                lines = [re.sub("─+", "─", " ".join(one.split())) for one in lines]
                cells = re.compile(rf"( [\d.,%-]+){{{last}}}$")
                rows = [cells.sub(" <ms>", row) for row in lines[at + 1 :]]
                lines[at + 1 :] = sorted(rows) if "median" in line else rows
                break
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)
