"""Answers of the MCP tools: recalled lines, fenced, within a cap of the whole text.

Where a call names no cap, an answer takes what an agent's context has room for: long texts are
cut, and what comes behind is counted. Facts bear the ids that a next call needs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.tokens import estimate_tokens
from memctl.text.fences import block, escaped, fitting
from memctl_cli.output.words import counted, reading_remarks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memctl.semantic.records import (
        Change,
        Fact,
        FactPage,
        ForgottenFacts,
        Hit,
        Hits,
        NearFact,
        Stored,
        Undecided,
        Written,
    )

# Tokens of an answer where the call names no cap.
_BUDGET = 4_000
# Characters of one text: a turn may be a whole log file.
_LONGEST = 4_000


def fenced_within(
    lines: Sequence[str],
    corrected: Mapping[str, str],
    aliases: Mapping[str, str],
    *,
    most: int,
    max_tokens: int | None,
    remarks: Sequence[str] = (),
) -> str:
    """Return the first `most` lines that fit, fenced, and how the question was read.

    Parameters
    ----------
    remarks
        Remarks on the answer, where there is room.
    max_tokens
        A hard cap on the whole text (estimated): its tags, ids and remarks too. Where no line
        fits, the text says so, or is empty where not even that fits. ``None``: as much as an
        answer usually takes, and a remark on what was left out.
    """
    told = [escaped(remark) for remark in (*remarks, *reading_remarks(corrected, aliases))]
    taken = fitting(lines, max_tokens=_BUDGET if max_tokens is None else max_tokens, most=most)
    left_out = min(most, len(lines)) - len(taken)
    if max_tokens is None and left_out > 0:
        told.append(f"{left_out} more rows match; maxTokens makes room for them")
    if not taken:
        least = min(estimate_tokens(block([line])) for line in lines)
        empty = f"Nothing fits within {max_tokens} tokens: the shortest row takes {least}."
        return within(empty, max_tokens)
    every = [*(lines[i] for i in taken), *told]
    kept = fitting(every, max_tokens=max_tokens, most=len(every))
    return block(every[i] for i in kept)


class Page(NamedTuple):
    """The rows of a page that an answer has room for, and a remark on the others.

    Parameters
    ----------
    shown
        How many of the lines, from the first on; one at least, where there is one.
    next_offset
        Where the next page begins; ``None`` where nothing follows.
    remark
        The same for the reader; empty where nothing follows.
    """

    shown: int
    next_offset: int | None
    remark: str


def page_of(
    lines: Sequence[str], *, offset: int, total: int, max_tokens: int | None = None
) -> Page:
    """Return the part of a page that an answer has room for, and the offset of the next."""
    left = min(_BUDGET, _BUDGET if max_tokens is None else max_tokens) - estimate_tokens(block([]))
    shown = 0
    for text in lines:
        left -= estimate_tokens(text + "\n")
        if left < 0 < shown:
            break
        shown += 1
    end = offset + shown
    if not shown or end >= total:
        return Page(shown, None, "")
    return Page(shown, end, f"\n{offset + 1}-{end} of {total}; next offset {end}")


def paged(lines: Sequence[str], max_tokens: int | None = None) -> str:
    """Return lines of data, fenced, as many as an answer has room for, and how many are left out."""
    plain = [escaped(line) for line in lines if line]
    page = page_of(plain, offset=0, total=len(plain), max_tokens=max_tokens)
    left = len(plain) - page.shown
    return block(plain[: page.shown]) + (f"\n{left} more lines are left out" if left else "")


def cut(text: str) -> str:
    """Return a text cut to what an agent's context has room for."""
    more = len(text) - _LONGEST
    return text if more <= 0 else f"{text[:_LONGEST]}… ({more:,} more characters)"


def within(text: str, max_tokens: int | None) -> str:
    """Return a text where a cap has room for it, else nothing."""
    return text if max_tokens is None or estimate_tokens(text) <= max_tokens else ""


# Characters of a fact that an answer about others repeats.
_SHORT = 160


def line(fact: Fact) -> str:
    """Return one fact as a line of a block: id, text, and what to trust it by."""
    kind = f"{fact.tag} {fact.category}" if fact.tag else "- uncategorised"
    facets = [kind, f"{fact.importance:.0%}", _age(fact)]
    if fact.shared:
        facets.append(f"shared in {escaped(fact.shared)}")
    elif fact.source:
        facets.append(f"from {escaped(fact.source)}")
    if fact.status == "superseded" and fact.valid_to:
        facets.append(f"until {fact.valid_to[:10]}")
    if fact.doubt:
        facets.append(f"to be checked: {escaped(fact.doubt)}")
    return f"- [{fact.id}] {escaped(fact.text)} ({', '.join(facets)})"


def _age(fact: Fact) -> str:
    return "today" if not fact.age_days else f"{fact.age_days} d old"


def found(hits: Hits, *, limit: int, max_tokens: int | None) -> str:
    """Return the facts that a query brought, or why it brought none."""
    if not hits:
        return within(f"Nothing found: {hits.note}.", max_tokens)
    lines = [f"{line(_cut(hit.fact))} {min(hit.score, 1):.0%}" for hit in hits]
    return fenced_within(lines, hits.corrected, hits.aliases, most=limit, max_tokens=max_tokens)


def whole(fact: Fact) -> str:
    """Return one fact with its whole text, its times and its status."""
    times = f"created {fact.created_at}, updated {fact.updated_at}, valid from {fact.valid_from}"
    why = f" ({escaped(fact.status_why)})" if fact.status_why else ""
    firm = "".join(f", {name}" for name in ("immutable", "pinned") if getattr(fact, name))
    return f"{block([line(fact)])}\n{times}, {fact.status}{why}{firm}"


def told(facts: Sequence[Fact]) -> str:
    """Return facts without a score."""
    if not facts:
        return "Nothing is known of it."
    lines = [line(_cut(fact)) for fact in facts]
    page = page_of(lines, offset=0, total=len(lines))
    left = len(lines) - page.shown
    return block(lines[: page.shown]) + (
        f"\n{left} more are left out: name one property" if left else ""
    )


def listed(found: FactPage) -> str:
    """Return a page of facts, and where the next begins."""
    if not found:
        return "No facts."
    lines = [line(_cut(fact)) for fact in found]
    page = page_of(lines, offset=found.offset, total=found.total)
    return block(lines[: page.shown]) + (page.remark or f"\n{counted(found.total, 'fact')}")


def history(changes: Sequence[Change], offset: int) -> str:
    """Return changes, the oldest first, and where the next page begins."""
    lines = [_change(change) for change in changes[offset:]]
    page = page_of(lines, offset=offset, total=len(changes))
    return block(lines[: page.shown]) + page.remark


def stored(stored: Stored) -> str:
    """Return the outcome of each text of a batch, and the facts that are near to it."""
    lines: list[str] = []
    near: list[str] = []
    for one in stored.written:
        lines.append(_outcome(one))
        near += [_near(fact) for fact in one.related]
        lines += [
            f"  may replace {fact.id}; if so: pending, action=approve, memoryId={one.id}"
            for fact in one.related[:1]
            if fact.may_replace and one.event == "ADD"
        ]
    if near:
        lines += ["Near to it:", block(dict.fromkeys(near))]
    return "\n".join([*lines, *([stored.note] if stored.note else [])])


def waiting(
    facts: Sequence[Fact], pairs: Sequence[Undecided], doubtful: Sequence[Fact] = ()
) -> str:
    """List the facts and pairs that wait for a decision, and the facts that are to be checked."""
    lines = [f"{line(_cut(fact))} waits: {escaped(fact.status_why)}" for fact in facts]
    lines += [
        f"- [{pair.newer.id}] {_short(pair.newer.text)} MAY REPLACE "
        f"[{pair.older.id}] {_short(pair.older.text)}"
        for pair in pairs
    ]
    lines += [line(_cut(fact)) for fact in doubtful]
    page = page_of(lines, offset=0, total=len(lines))
    left = len(lines) - page.shown
    more = f"\n{left} more wait: decide these first" if left else ""
    return block(lines[: page.shown]) + more if lines else "Nothing waits."


def decided(fact: Fact) -> str:
    """Return the status of a fact after a decision."""
    why = f" ({escaped(fact.status_why)})" if fact.status_why else ""
    return f"{fact.id} is {fact.status}{why}."


def forgotten(gone: ForgottenFacts) -> str:
    """Return the facts that were forgotten, or those of which one may be meant."""
    if gone.forgotten:
        return f"Forgotten: {', '.join(fact.id for fact in gone.forgotten)}"
    if not gone.candidates:
        return "Nothing matches."
    lines = [_candidate(hit) for hit in gone.candidates]
    return f"Not clear which is meant; forget by id:\n{block(lines)}"


def _outcome(written: Written) -> str:
    other = f" {written.other}" if written.other and written.other not in written.why else ""
    return f"{written.event} {written.id or '-'}" + (
        f": {escaped(written.told)}{other}" if written.why else ""
    )


def _near(fact: NearFact) -> str:
    may = ", may be replaced" if fact.may_replace else ""
    return f"- [{fact.id}] {_short(fact.text)} ({fact.likeness:.0%} alike{may})"


def _change(change: Change) -> str:
    texts = " -> ".join(escaped(cut(text)) for text in (change.old_text, change.new_text) if text)
    said = f"{change.changed_at} {change.event} by {change.actor}"
    return f"{said}: {texts}" + (f" ({escaped(change.why)})" if change.why else "")


def _candidate(hit: Hit) -> str:
    return f"- [{hit.fact.id}] {_short(hit.fact.text)} {min(hit.score, 1):.0%}"


def _cut(fact: Fact) -> Fact:
    return replace(fact, text=cut(fact.text))


def _short(text: str) -> str:
    return escaped(text if len(text) <= _SHORT else text[: _SHORT - 1] + "…")
