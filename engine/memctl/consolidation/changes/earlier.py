"""Earlier statements as an index: which of them a new one replaces, brings up to date or contradicts.

An index over words keeps asking cheap: a statement is compared with those alone that share its rarest
words, and with a bounded number of them.
"""

from __future__ import annotations

from collections import defaultdict
from heapq import nlargest
from math import log
from typing import TYPE_CHECKING, NamedTuple

from memctl.consolidation.changes.denials import (
    CONTRADICTION,
    DEED,
    LEAST_WORDS,
    denial_score,
    denied_in,
    tells_own,
)
from memctl.consolidation.changes.slots import slots_of, weights_of, words_of
from memctl.consolidation.changes.updates import (
    MOST_UNIT,
    RESTATED,
    UPDATE,
    comparable,
    tells_change,
    update_score,
)
from memctl.extraction.cutting import sentences_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memctl.consolidation.changes.slots import Slot, Word

__all__ = ["Earlier", "EarlierStatement", "StatementChange", "has_topic"]

_FEW = 50  # statements; with fewer, a word is as rare as if there were so many
_COMPARED = 20  # statements of all that share words
_LOOKED_AT = 5_000  # entries of the index
_MOST_VALUES = 16  # of a statement; a longer list is a table
_SHOWN = 3  # words of a reason


class EarlierStatement(NamedTuple):
    """What somebody said, whole: a turn or a fact."""

    id: int
    text: str


class StatementChange(NamedTuple):
    """An earlier statement that a new one changes.

    Parameters
    ----------
    old
        The id of the earlier one.
    kind
        ``replaced`` ("from X to Y", where the earlier one says X: sure), ``update`` (another value, or
        a deed after "never"), ``contradiction`` ("never" after a deed).
    score
        3 or more for values; 0.3 to 1.3 for "never".
    words
        The reason, for people.
    said
        The value that the earlier one gives, as written, or ``never``; empty for a contradiction.
    """

    old: int
    kind: str
    score: float
    words: str
    said: str = ""


class _Sentence(NamedTuple):
    heads: frozenset[str]
    own: bool


class _Said:
    """A statement as it was read; code in it says nothing."""

    def __init__(self, one: EarlierStatement) -> None:
        sentences = [sentence.text for sentence in sentences_of(one.text)[0]]
        self.id = one.id
        self.text = "\n".join(sentences)
        self.words: list[Word] = words_of(self.text)
        self.heads = frozenset(word.head for word in self.words)
        self.slots = slots_of(self.text, self.words)[:_MOST_VALUES]
        self.values = frozenset((slot.kind, slot.value) for slot in self.slots)
        self.sentences = [
            _Sentence(_heads(text), tells_own(text)) for text in sentences if not denied_in(text)
        ]
        denied = [_heads(text) for text in denied_in(self.text)]
        self.denied = [heads for heads in denied if len(heads) >= LEAST_WORDS]
        self.topics = {slot.kind for slot in self.slots} | ({"never"} if self.denied else set())


def has_topic(text: str) -> bool:
    """Return whether a text gives a value, or denies: what it may change is looked for by that."""
    return bool(_Said(EarlierStatement(0, text)).topics)


class Earlier:
    """What was said before, in order of time; it is told each statement once, and asked about others.

    Parameters
    ----------
    counts, total
        In how many statements of all each word's head stands, where only some are told; else those
        that are told are counted.
    """

    def __init__(self, counts: Mapping[str, int] | None = None, total: int = 0) -> None:
        self._counts = counts
        self._total = total
        self._said: list[_Said] = []
        self._holding: defaultdict[str, list[int]] = defaultdict(list)  # word: places in `_said`

    def add(self, one: EarlierStatement) -> None:
        """Take a statement in."""
        said = _Said(one)
        for head in said.heads:
            self._holding[head].append(len(self._said))
        self._said.append(said)

    def changes(self, text: str, *, most: int = 3) -> list[StatementChange]:
        """Return the earlier statements that a text changes, the surest first, each once.

        Parameters
        ----------
        text
            What is said now. It is not taken in.
        most
            How many at most.
        """
        new = _Said(EarlierStatement(0, text))
        found: dict[int, tuple[float, StatementChange]] = {}
        for least, change in self._all(new):
            sure = change.score / least  # the scales differ; how far above its threshold counts
            if sure >= 1 and (change.old not in found or sure > found[change.old][0]):
                found[change.old] = (sure, change)
        ordered = sorted(found.values(), key=lambda one: (-one[0], -one[1].old))
        return [change for _, change in ordered[:most]]

    def _all(self, new: _Said) -> Iterator[tuple[float, StatementChange]]:
        for slot in new.slots:
            if not slot.past:
                yield from ((UPDATE, change) for change in self._updates(new, slot))
        for denied in new.denied:
            for old in self._nearest(dict.fromkeys(denied, 1.0), ""):
                yield CONTRADICTION, self._denial(denied, old, old.id, "contradiction")
        if any(sentence.own for sentence in new.sentences):
            for old in self._nearest(dict.fromkeys(new.heads, 1.0), "never"):
                for denied in old.denied:
                    yield DEED, self._denial(denied, new, old.id, "update")

    def _updates(self, new: _Said, slot: Slot) -> list[StatementChange]:
        """Return what a value of a new statement replaces; nothing where it was said before."""
        weights = weights_of(new.words, slot)
        changed = tells_change(new.text, slot)
        most = MOST_UNIT * sum(self._rareness_of(word) * weight for word, weight in weights.items())
        if most * changed < UPDATE and not slot.before:
            return []
        repeated = 0.0
        found = []
        for old in self._nearest(weights, slot.kind):
            known = (slot.kind, slot.value) in old.values
            for other in old.slots:
                if not comparable(slot, other) or (other.past and not known):
                    continue
                theirs = weights_of(old.words, other)
                score = update_score(slot, weights, other, theirs, self._rareness_of)
                replaced = slot.before == other.value
                score *= 1.0 if replaced else changed
                if not (replaced or known) and (other.kind, other.value) in new.values:
                    score *= RESTATED
                if known:
                    repeated = max(repeated, score if other.value == slot.value else 0.0)
                    continue
                shared = {
                    word: min(weight, theirs.get(word, 0)) for word, weight in weights.items()
                }
                kind = "replaced" if replaced else "update"
                why = f"says {slot.shown} where this said {other.shown}: {self._named(shared, new)}"
                found.append(StatementChange(old.id, kind, score, why, other.shown))
        return [change for change in found if change.score > 2 * repeated]

    def _denial(self, denied: frozenset[str], told: _Said, old: int, kind: str) -> StatementChange:
        """Return the change between a denial and the statement that tells of what it denies."""
        score = max(
            (
                denial_score(denied, one.heads, told.heads, self._rareness, own=one.own)
                for one in told.sentences
                if one.own or kind == "contradiction"
            ),
            default=0.0,
        )
        what = self._named(dict.fromkeys(denied & told.heads, 1.0), told)
        contradicts = kind == "contradiction"
        says = f'{"says" if contradicts else "tells of what this says"} "never"'
        says += " of what this tells" if contradicts else " of"
        said = "" if contradicts else "never"
        return StatementChange(old, kind, score, f"{says}: {what}", said)

    def _nearest(self, weights: Mapping[str, float], topic: str) -> list[_Said]:
        """Return the statements that share most with weighted words; of a topic, where one is given."""
        scores: defaultdict[int, float] = defaultdict(float)
        left = _LOOKED_AT
        for head in sorted(weights, key=lambda head: (len(self._holding.get(head, ())), head)):
            places = self._holding.get(head, ())
            left -= len(places)
            if left < 0:
                break
            worth = self._rareness_of(head) * weights[head]
            for place in places:
                if not topic or topic in self._said[place].topics:
                    scores[place] += worth
        best = nlargest(_COMPARED, scores.items(), key=lambda item: (item[1], item[0]))
        return [self._said[place] for place, _ in best]

    def _rareness_of(self, head: str) -> float:
        """Return ln((n + 1) / (statements that hold the word + 0.5)), at least 0."""
        if self._counts is None:
            held, total = len(self._holding.get(head, ())), len(self._said)
        else:
            held, total = self._counts.get(head, 0), self._total
        return max(0.0, log((max(_FEW, total) + 1) / (held + 0.5)))

    def _rareness(self, heads: Iterable[str]) -> float:
        return sum(map(self._rareness_of, heads))

    def _named(self, weights: Mapping[str, float], said: _Said) -> str:
        """Return the shared words that weigh most, as a statement spells them."""
        worth = {
            head: self._rareness_of(head) * weight for head, weight in weights.items() if weight
        }
        best = nlargest(_SHOWN, worth, key=lambda head: (worth[head], head))
        spelt = {word.head: said.text[word.start : word.end] for word in reversed(said.words)}
        return ", ".join(spelt[head] for head in best)


def _heads(text: str) -> frozenset[str]:
    return frozenset(word.head for word in words_of(text))
