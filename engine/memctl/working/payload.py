"""Payload of a prompt: the context, gathered from journal, facts and recall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.errors import UsageError
from memctl.text.own_words import own_words
from memctl.working.context import Context, ContextLine, Section, context_of, journal_sections

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from memctl.search.recall_results import Recalled
    from memctl.semantic.fact_finder import FactFinder
    from memctl.semantic.records import Fact, Hit
    from memctl.working.journal import Journal

__all__ = ["payload"]

_STANDING = ("identity", "configuration", "rule")
_FACTS = 8
_OPEN = 10
_MAX_TOKENS = 100_000


def payload(
    journal: Journal,
    finders: Sequence[FactFinder],
    recall: Callable[[str], Recalled],
    query: str | None,
    *,
    max_tokens: int,
    min_confidence: float,
    skills: Callable[[str], Sequence[str]] = lambda _: (),
) -> Context:
    """Return what a prompt should be answered with.

    Parameters
    ----------
    journal
        The journal of the session.
    finders
        The facts of this store, and of those that are read along.
    recall
        Finds the turns and episodes of a question.
    query
        The user's message; without one nothing is recalled.
    max_tokens
        A hard cap on the block, fence included.
    min_confidence
        An answer of recall that is less sure stays out, and that is said.
    skills
        Returns a line for each active skill that a question asks for.

    Raises
    ------
    UsageError
        When the cap is below 0 or above 100,000.
    """
    if not 0 <= max_tokens <= _MAX_TOKENS:
        raise UsageError(f"{max_tokens} tokens are out of range", hint=f"0 to {_MAX_TOKENS}")
    asked = own_words(query or "").text.strip()
    remarks: list[str] = []
    standing = _lines(hit for finder in finders for hit in _standing(finder))
    known = {line.row for line in standing}
    found = _lines(hit for finder in finders for hit in _found(finder, asked))
    recalled = _recalled(recall, asked, min_confidence, remarks)
    *going_on, seen = journal_sections(
        journal.get(), journal.open_items(limit=_OPEN), asked=bool(asked)
    )
    sections = [
        Section("Known", standing, 2),
        *going_on,
        Section("Skills", [ContextLine("", line) for line in skills(asked)] if asked else [], 4),
        Section("Facts", [line for line in found if line.row not in known], 3),
        Section("Recalled", recalled, 2),
        seen,
    ]
    return context_of(sections, max_tokens=max_tokens, remarks=remarks)


def _standing(finder: FactFinder) -> Iterable[Hit]:
    # By their ids: the order of their importance changes with every recall.
    return sorted(finder.standing(_STANDING, limit=_FACTS), key=lambda hit: hit.fact.id)


def _found(finder: FactFinder, asked: str) -> Iterable[Hit]:
    return finder.search(asked, limit=_FACTS) if asked else ()


def _lines(hits: Iterable[Hit]) -> list[ContextLine]:
    return [
        ContextLine(hit.fact.id, f"[{hit.fact.id}] {hit.fact.text} ({_facets(hit.fact)})")
        for hit in hits
    ]


def _facets(fact: Fact) -> str:
    """Return a fact's tag, and why it is to be checked where it is."""
    tag = fact.tag or "-"
    return f"{tag}, to be checked: {fact.doubt}" if fact.doubt else tag


def _recalled(
    recall: Callable[[str], Recalled], asked: str, least: float, remarks: list[str]
) -> list[ContextLine]:
    if not asked:
        return []
    found = recall(asked)
    if found and found.confidence < least:
        remarks.append(f"Recalled: the confidence is {found.confidence:.2f}, below {least:g}")
        return []
    return [
        ContextLine(
            row.name,
            f"[{row.kind} {row.id}] {row.day} {', '.join(row.who)}: {row.text}",
        )
        for row in found
        if row.text.strip() != asked  # asked before: it tells nothing
    ]
