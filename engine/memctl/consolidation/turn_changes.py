"""Turns and facts of which a later turn says otherwise: another value, or that it never was.

They are named, never ended: recall ranks the later turn above the earlier one and says why, and a fact
becomes doubtful until somebody settles it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from math import log
from typing import TYPE_CHECKING

from memctl.consolidation.changes.denials import denied_in
from memctl.consolidation.changes.earlier import Earlier, EarlierStatement, has_topic
from memctl.semantic.deciding.doubts import mark_doubtful
from memctl.store import statements
from memctl.text.content_words import word_heads

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memctl.consolidation.runs import Work
    from memctl.episodic.log import Turn
    from memctl.semantic.facts import Facts
    from memctl.semantic.records import Fact
    from memctl.store.store import Store

__all__ = ["TurnChanges"]

SQL = statements.load("store/turn_change")
CANDIDATES = statements.load("store/candidate")
_STEM = 6  # letters of a word, as candidates and changes have them
# Looks for a turn: lists of its rarest words, turns of each, texts compared.
_TELLING, _NEWEST, _COMPARED = 12, 30, 30
_COMMON = 1_000  # candidates with a word, from which on it tells nothing
_LEAST = 0.1  # of a turn's words by idf, from where on a fact is compared
# Points of another value from where on a fact is doubted for it: most of what scores less, on chats of
# BEAM that were kept aside, tells of another thing.
_SURE = 5.0
_NO_VALUE = ("", "never")  # what a change by "never" says: its scores are of another scale
_ACTOR = "dream"


class TurnChanges:
    """Finds what the turns of a thread change; whoever writes is inside a step of a run.

    Parameters
    ----------
    store
        The open store.
    facts
        The facts that a turn may speak against.
    """

    def __init__(self, store: Store, facts: Facts) -> None:
        self._store = store
        self._facts = facts
        self._total = 0  # turns that hold a candidate

    def find(self, work: Work, turns: Iterable[Turn]) -> int:
        """Keep what each turn of a person changes; return how many turns and facts are named."""
        self._total = int(self._store.value(SQL.size))
        return sum(self._of(work, turn) for turn in turns if turn.role == "user")

    def _of(self, work: Work, turn: Turn) -> int:
        stems = word_heads(turn.text, _STEM)
        counts = self._counts(stems)
        older, facts = self._older(turn, counts), self._older_facts(turn)
        if not has_topic(turn.text):  # it can only be a deed after somebody's "never"
            older = [one for one in older if denied_in(one.text)]
            facts = [one for one in facts if denied_in(one.text)]
        if not older and not facts:
            return 0
        earlier = Earlier(counts, self._total)
        for one in older:
            earlier.add(one)
        for place, fact in enumerate(facts, 1):
            earlier.add(EarlierStatement(-place, fact.text))
        found = earlier.changes(turn.text)
        for change in found:
            if change.old < 0:
                if change.said not in _NO_VALUE and change.score < _SURE:
                    continue
                self._doubt(work, facts[-change.old - 1], turn, change.words)
                continue
            row = {
                "new": turn.id,
                "old": change.old,
                "kind": change.kind,
                "score": round(change.score, 3),
                "said": change.said,
                "why": change.words,
            }
            self._store.execute(SQL.add, row)
        return len(found)

    def _doubt(self, work: Work, fact: Fact, turn: Turn, words: str) -> None:
        why, by = f"is earlier than turn {turn.id}, which {words}", f"turn:{turn.id}"
        mark_doubtful(self._store, fact.id, fact.text, why, by, actor=_ACTOR, now=work.as_of)

    def _counts(self, stems: set[str]) -> Mapping[str, int]:
        asked = {"words": json.dumps(sorted(stems)), "most": _COMMON}
        rows = self._store.rows(CANDIDATES.word_counts, asked)
        return {row["word"]: row["count"] for row in rows}

    def _older(self, turn: Turn, counts: Mapping[str, int]) -> Sequence[EarlierStatement]:
        """Return earlier turns of the same speaker that share the turn's rarest words."""
        known = sorted((count, word) for word, count in counts.items() if count)
        shares: defaultdict[int, float] = defaultdict(float)
        for count, word in known[:_TELLING]:
            asked = {"word": word, "before": turn.id, "most": _NEWEST, **self._store.owner}
            for (other,) in self._store.rows(SQL.newest_with, asked):
                if other is not None:
                    shares[other] += 1 / log(2 + count)
        likely = sorted(shares, key=lambda one: (-shares[one], -one))[:_COMPARED]
        asked = {"ids": json.dumps(likely), "speaker": turn.speaker or ""}
        return [
            EarlierStatement(row["id"], row["text"]) for row in self._store.rows(SQL.texts, asked)
        ]

    def _older_facts(self, turn: Turn) -> Sequence[Fact]:
        """Return the facts of the same person that began before the turn and share its words."""
        near = self._facts.nearest(turn.text, least=_LEAST)
        owner = self._store.owner
        return [
            fact
            for fact, _ in near
            if fact.valid_from < turn.logged_at
            and all(getattr(fact, name) == whose for name, whose in owner.items())
        ]
