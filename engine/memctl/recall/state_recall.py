"""Recall of states: the screens of an app by what they are called and what is on them."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from memctl.search.recall_results import Row, ScoreTerm, within_limits
from memctl.store import statements
from memctl.text.cleaning import text_of
from memctl.text.closed_words import query_words
from memctl.text.splitting import Splitter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.search.recall_request import RecallRequest
    from memctl.search.recall_results import Recalled
    from memctl.store.store import Store

STATES = statements.load("store/state")

_LEAST = 0.3  # share of the question's weight: below, a screen has a word in common by chance
_DIGITS = 4


def with_states(store: Store, request: RecallRequest, found: Recalled) -> Recalled:
    """Return an answer with the states whose description holds words of the question.

    A word weighs by its idf among the states; the score is the share of the question's weight
    that a description holds, 0 to 1. They stand behind what was said, happened and is true: a
    screen has many words, and holds some of any question. They are not kept among the hits.
    """
    if not request.allows_states or not store.exists:
        return found
    states = sorted(_rows(store, text_of(request.query)), key=lambda row: -row.score)
    taken = within_limits([*found, *states], max(request.most, len(found)), request.max_tokens)
    held = {word for row in taken for word in row.matched}
    unknown = tuple(word for word in found.unknown if word not in held)
    return replace(
        found, rows=taken, unknown=unknown, note=found.note if found or not taken else ""
    )


def _rows(store: Store, question: str) -> Sequence[Row]:
    asked = query_words(question)
    states = store.rows(STATES.descriptions) if asked else ()
    if not states:
        return ()
    texts = [" ".join(filter(None, (row["name"], row["description"]))) for row in states]
    words, *held = Splitter(store).split([" ".join(asked), *texts])
    surfaces = {token.stem: token.surface for token in words}
    stems = [surfaces.keys() & {token.stem for token in tokens} for tokens in held]
    weights = {
        stem: math.log1p(len(states) / max(sum(stem in one for one in stems), 1))
        for stem in surfaces
    }
    total = sum(weights.values())
    found = []
    for row, text, own in zip(states, texts, stems, strict=True):
        terms = tuple(
            ScoreTerm(
                f"word:{surfaces[stem]}", round(weights[stem] / total, _DIGITS), "on the screen"
            )
            for stem in surfaces
            if stem in own
        )
        score = round(sum(term.value for term in terms), _DIGITS)
        if score >= _LEAST:
            matched = tuple(surfaces[stem] for stem in surfaces if stem in own)
            found.append(
                Row(
                    "state",
                    row["id"],
                    text,
                    row["last_seen_at"],
                    score,
                    matched,
                    reasons=partial(tuple, terms),
                )
            )
    return found
