"""Recall where there are facts: their rows and those of the episodic tier in one list.

Both rank by shares of the question's weight, so their scores are of one scale: 1 is a row
that covers it all. What the surroundings of a turn add to it (its thread, who said it, the
turn before) a fact has not: it stands for itself, and gains in proportion to what it covers
instead.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from memctl.base.tokens import estimate_tokens
from memctl.episodic.recall_records import keep
from memctl.episodic.recall_results import Recalled, Row, Term
from memctl.recall.request import barred, of_episodic
from memctl.semantic.records import Hits
from memctl.semantic.search.fact_words import query_words
from memctl.text.blank import why_nothing_is_asked
from memctl.text.characters import cleaned
from memctl.text.messages import text_of
from memctl.text.telling import speakable, tellable_words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from memctl.config.settings import Settings
    from memctl.episodic.episodic import Episodic
    from memctl.recall.request import Asked
    from memctl.semantic.fact_finder import FactFinder
    from memctl.semantic.records import Hit
    from memctl.store.store import Store

__all__ = ["recall_merged"]

# Facts that a budget chooses among, for each row that may come back.
_POOL = 4
# What a fact gains, as a multiple of what it covers. On LoCoMo with its observations stored
# as facts (fitted on conversations 26 and 42, looked at on 30, 41 and 43) one is the most that
# lifts the first place and costs nothing among the first five or ten.
_STANDS_ALONE = 1.0
# Unknown words that facts are asked for.
_MAX_UNKNOWN = 32
_DIGITS = 4


def recall_merged(
    facts: FactFinder,
    episodic: Episodic,
    store: Store,
    settings: Settings,
    asked: Asked,
    *,
    asks_facts: bool,
    record: bool,
) -> Recalled:
    """Return the best rows of all tiers; see `memctl.recall.tiers.recall_across`."""
    started = time.perf_counter()
    text = cleaned(text_of(asked.query), what="query")
    spoken = speakable(store, text)
    hits = _hits(facts, text, asked) if asks_facts else Hits()
    rows = [_row(hit) for hit in hits]
    found = Recalled(())
    if asked.of_rows:
        covering = settings.number("primary_coverage")
        primary = sum(hit.score >= covering for hit in hits)
        found = of_episodic(
            episodic,
            asked,
            primary=primary,
            elsewhere=lambda word: asks_facts and bool(facts.knows([word], as_of=asked.as_of)),
            record=False,
        )
        rows += [_weighed(row, found) for row in found] if rows else list(found)
    taken = _taken(rows, asked)
    words = tellable_words(query_words(text), text, spoken)
    corrected = hits.corrected | found.corrected
    held = {word for row in rows for word in row.matched} | corrected.keys()
    unknown = _unknown(facts, found.unknown if asked.of_rows else words, held, asked)
    merged = replace(
        found,
        rows=taken,
        unknown=unknown,
        corrected=corrected,
        aliases=hits.aliases | found.aliases,
        note="" if taken else _note(text, rows, words, unknown, asked, hits),
        duration_ms=(time.perf_counter() - started) * 1000,
    )
    # A blank question asks nothing: there is nothing to keep of it.
    if record and text.strip() and not store.readonly:
        return keep(store, spoken, merged)
    return merged


def _hits(facts: FactFinder, text: str, asked: Asked) -> Hits:
    pool = asked.limit if asked.max_tokens is None else asked.limit * _POOL
    return facts.search(text, limit=pool, as_of=asked.as_of)


def _row(hit: Hit) -> Row:
    words = set(hit.matched)
    terms = [
        Term(f"word:{one.term}" if one.term in words else one.term, one.value, one.why)
        for one in hit.explain
    ]
    covered = sum(one.value for one in hit.explain if one.term in words)
    gain = round(_STANDS_ALONE * covered, _DIGITS)
    terms.append(
        Term("fact", gain, f"it stands for itself: once more the {covered:.0%} that it covers")
    )
    return Row(
        kind="fact",
        id=hit.fact.id,
        text=hit.fact.text,
        happened_at=hit.fact.valid_from,
        score=_sum(terms),
        matched=hit.matched,
        explain=tuple(terms),
        tokens=estimate_tokens(hit.fact.text),
    )


def _weighed(row: Row, found: Recalled) -> Row:
    """Return a turn or episode, weighed by the whole question, as facts are.

    By itself it is weighed by the words that turns and episodes hold: where a fact holds
    another one too, half an answer would look like a whole one.
    """
    if row.fallback or not found.unknown:
        return row
    words = ", ".join(f'"{word}"' for word in found.unknown)
    why = f"no turn or episode holds {words}: {1 - found.held:.0%} of the question's weight"
    lost = Term("unheld", -round(row.score * (1 - found.held), _DIGITS), why)
    terms = (*row.explain, lost)
    return replace(row, explain=terms, score=_sum(terms))


def _sum(terms: Iterable[Term]) -> float:
    return round(sum(term.value for term in terms), _DIGITS)


def _taken(rows: Iterable[Row], asked: Asked) -> tuple[Row, ...]:
    """Return the best rows that fit; one too large leaves room for the next."""
    taken: list[Row] = []
    spent = 0
    # What no word brought stands behind what a word did, whatever its score.
    for row in sorted(rows, key=lambda row: (row.fallback, -row.score)):
        if len(taken) == asked.limit:
            break
        if asked.max_tokens is None or spent + row.tokens <= asked.max_tokens:
            taken.append(row)
            spent += row.tokens
    return tuple(taken)


def _unknown(
    facts: FactFinder, words: Sequence[str], held: Collection[str], asked: Asked
) -> tuple[str, ...]:
    """Return those of `words` that no row of any tier holds, whether it is shown or not."""
    left = [word for word in words if word not in held][:_MAX_UNKNOWN]
    known = facts.knows(left, as_of=asked.as_of, ever=True) if left else frozenset()
    return tuple(word for word in left if word not in known)


def _note(
    text: str,
    rows: Sequence[Row],
    words: Sequence[str],
    unknown: Sequence[str],
    asked: Asked,
    hits: Hits,
) -> str:
    """Return why nothing came back."""
    if asked.barring and not asked.of_rows:
        return barred(asked.barring)
    if not words:
        return hits.note or why_nothing_is_asked(text)
    if rows:
        least = min(row.tokens for row in rows)
        return f"what matches does not fit: the shortest row takes {least} tokens"
    if len(unknown) >= len(words):
        return "no row holds " + ", ".join(f'"{word}"' for word in unknown)
    if hits.withheld:
        return hits.note
    room = f" within {asked.max_tokens} tokens" if asked.max_tokens is not None else ""
    return f"no row passes the filters{room}"
