"""Measures which earlier statements of BEAM's users are named as replaced or contradicted.

An update is found where, when the user says the new value, an evidence turn of the old one is among
the first three that are named; a contradiction where the later of both sides is said. False are other
turns of the user for which anything is named: an upper bound, since BEAM asks about few of the changes
that its users tell. Of standing wishes the figure is the share of the evidence turns that yield a
fact to propose.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from itertools import product
from math import sqrt
from typing import TYPE_CHECKING, Any

import memctl
from benchmarks.retrieval.beam import UPDATE, read_beam
from benchmarks.retrieval.conversations import halves
from memctl.consolidation.changes.earlier import Earlier, EarlierStatement, StatementChange
from memctl.consolidation.changes.slots import slots_of, words_of
from memctl.extraction.cutting import sentences_of
from memctl.text.sentence_kinds import judge

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from benchmarks.retrieval.conversations import Conversation, Question

__all__ = ["changed_statements"]

_CONTRADICTION = "contradiction resolution"
_WISHES = ("instruction following", "preference following")
_CHANGES = (
    ("update", UPDATE, ("update", "replaced")),
    ("contradiction", _CONTRADICTION, ("contradiction",)),
)
_Z = 1.959964


def changed_statements(folder: Path) -> dict[str, dict[str, Any]]:
    """Return share, count and 95 % interval of each figure, by half; the folder holds BEAM."""
    found = {}
    for half, some in halves(read_beam(folder)).items():
        counts: Counter[tuple[str, bool]] = Counter()
        for one in some:
            counts.update(_named(one))
            counts.update(_proposed(one))
        for name in dict.fromkeys(name for name, _ in counts):
            hits = counts[name, True]
            found[f"{half}, {name}"] = _share(hits, hits + counts[name, False])
    return found


def _share(hits: int, of: int) -> dict[str, Any]:
    """Return hits of trials with Wilson's 95 % interval (1927)."""
    share, square = hits / of, _Z * _Z
    middle = (share + square / (2 * of)) / (1 + square / of)
    spread = _Z * sqrt(share * (1 - share) / of + (square / (4 * of * of))) / (1 + square / of)
    interval = [round(max(0.0, middle - spread), 4), round(min(1.0, middle + spread), 4)]
    return {"hits": hits, "of": of, "share": round(share, 4), "95 %": interval}


def _named(conversation: Conversation) -> Iterator[tuple[str, bool]]:
    earlier = Earlier()
    named: dict[str, list[StatementChange]] = {}
    texts = {turn.name: turn.text for turn in conversation.turns if turn.role == "user"}
    for name, text in texts.items():
        named[name] = earlier.changes(text)
        earlier.add(EarlierStatement(int(name), text))
    for what, label, kinds in _CHANGES:
        evidence: set[str] = set()
        for question in conversation.questions:
            if question.label == label:
                evidence |= question.newer or question.evidence
                if pairs := _pairs(question, texts):
                    hit = any(_names(named[new], old) for old, new in pairs)
                    yield f"{what} found", hit
                    if what == "update" and any(_both_said(texts[a], texts[b]) for a, b in pairs):
                        yield "update found, both values said", hit
        for name in texts.keys() - evidence:
            yield f"{what} false", any(change.kind in kinds for change in named[name])


def _pairs(question: Question, texts: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the turns of both sides, the earlier first; none where one turn is both sides."""
    sides = product(question.older, question.newer)
    ordered = (sorted(pair, key=int) for pair in sides)
    return [(a, b) for a, b in ordered if a != b and {a, b} <= texts.keys()]


def _names(changes: list[StatementChange], old: str) -> bool:
    return any(change.old == int(old) for change in changes)


def _both_said(one: str, other: str) -> bool:
    """Return whether both texts hold values of one kind, different ones."""
    mine, theirs = (
        {(slot.kind, slot.value) for slot in slots_of(text, words_of(text))}
        for text in ("\n".join(each.text for each in sentences_of(t)[0]) for t in (one, other))
    )
    return any(a[0] == b[0] and a[1] != b[1] for a in mine for b in theirs)


def _proposed(conversation: Conversation) -> Iterator[tuple[str, bool]]:
    texts = {turn.name: turn.text for turn in conversation.turns if turn.role == "user"}
    with tempfile.TemporaryDirectory() as home, memctl.open("agent", home) as memory:
        for label in _WISHES:
            questions = [one for one in conversation.questions if one.label == label]
            for name in sorted({name for one in questions for name in one.evidence} & texts.keys()):
                kept = bool(memory.extract(texts[name]).facts)
                yield f"{label.split()[0]} proposed", kept
                if any(
                    judge(each.text).kind == "standing" for each in sentences_of(texts[name])[0]
                ):
                    yield "standing order proposed", kept
