"""Layouts kept for the report: four, and one whose rows cannot be told apart."""

from __future__ import annotations

from benchmarks.identity.layout import Layout

__all__ = ["KEPT"]

KEPT = (
    Layout(
        "ledger",
        "report",
        "orders",
        "table",
        "time name actions status place",
        ("Pay", "[dots]"),
        "td{border-bottom:1px dashed #b7ab8c}body{background:#fdf8ea}"
        ".b{border:1px solid #8a6d3b;color:#6b4f1d}",
        count=11,
        height=400,
        font="STIXGeneral",
    ),
    Layout(
        "roster",
        "report",
        "people",
        "table",
        "actions role name time",
        ("[eye]", "[user plus]"),
        "tr:nth-child(odd) td{background:#f0f4ee}td{padding:12px}",
        count=9,
        font="DejaVu Sans Condensed",
        namesakes=True,
    ),
    Layout(
        "library",
        "report",
        "files",
        "cards",
        "sheet name time actions",
        ("Borrow", "[heart]"),
        ".grid{grid-template-columns:repeat(2,1fr)}.item{display:flex;gap:12px;"
        "align-items:center;border:2px solid #333}.b{background:#ffd34d}",
        count=10,
        font="cmss10",
        high=720,
    ),
    Layout(
        "terminal table",
        "report",
        "files",
        "table",
        "name status place actions",
        ("run", "log"),
        "body{background:#0b0e0b;color:#a6dba0}th{background:#0b0e0b}"
        ".b{background:#1c261c;color:#a6dba0}td{padding:2px 12px}",
        count=12,
        height=330,
        font="DejaVu Sans Mono",
    ),
    Layout(
        "tiles",
        "report",
        "people",
        "cards",
        "actions",
        ("[star]",),
        ".grid{grid-template-columns:repeat(4,1fr)}.item{border:1px solid #ccc}",
        kind="degenerate",
    ),
)
