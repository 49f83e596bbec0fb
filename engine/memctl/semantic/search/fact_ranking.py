"""Scores of facts, and why: words with their shares of the query, facts with their ranks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memctl.base.tokens import estimate_tokens
from memctl.semantic.records import FactScoreTerm, Hit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memctl.semantic.records import Fact
    from memctl.semantic.search.fact_query import QueryTermVariant

__all__ = ["DIGITS", "SUBJECT_GAIN", "RankedFact", "Scores", "Word", "explained", "used_aliases"]

SUBJECT_GAIN = 0.15
# Scores are compared, and shown, to this many digits.
DIGITS = 3
# What a fact that holds repaired words alone may score at most, of the least of the others.
_BEHIND = 0.9


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a query, with the facts that hold each of its variants."""

    text: str
    share: float  # of the query's weight, 0 to 1
    variants: tuple[tuple[QueryTermVariant, frozenset[int]], ...]
    numbers: frozenset[int]  # the facts that hold any

    def variant(self, number: int) -> QueryTermVariant:
        """Return the variant that a fact holds: the word itself, where it does that too."""
        return next(variant for variant, numbers in self.variants if number in numbers)

    def shares(self) -> list[tuple[float, frozenset[int]]]:
        """Return the shares that the word adds to scores, each with the facts that gain it."""
        if len(self.variants) == 1 or all(variant.trust == 1 for variant, _ in self.variants):
            return [(self.share, self.numbers)]
        left, found = self.numbers, []
        for variant, numbers in self.variants:
            found.append((self.share * variant.trust, numbers & left))
            left -= numbers
        return found

    @property
    def unrepaired(self) -> frozenset[int]:
        """The facts that hold it as it was asked, or as what means the same."""
        if len(self.variants) == 1:
            return self.numbers
        held = (numbers for variant, numbers in self.variants if not variant.repaired)
        return frozenset[int]().union(*held)


class Scores(dict[int, float]):
    """Scores of facts by their numbers: the shares of a query's weight that they cover.

    A word that was only taken for another counts less than it would as itself; and a fact that
    holds such words alone stands behind all that hold a word as it was asked.

    Parameters
    ----------
    least
        What a fact that holds a word as it was asked scores at least; ``None`` where no word was
        taken for another, or no fact of the scope holds any of the rest.

    Attributes
    ----------
    behind
        The facts that were put behind others, each with what was taken from it.
    """

    def __init__(self, words: Sequence[Word], least: float | None) -> None:
        super().__init__()
        for word in words:
            for share, numbers in word.shares():
                for number in numbers:
                    self[number] = self.get(number, 0.0) + share
        self.behind: dict[int, float] = {}
        if least is not None:
            asked = frozenset[int]().union(*(word.unrepaired for word in words))
            for number in self.keys() - asked:
                self.behind[number] = max(0.0, self[number] - _BEHIND * least)
                self[number] -= self.behind[number]


@dataclass(frozen=True, slots=True)
class RankedFact:
    """A fact that could answer, with its place in the order."""

    number: int
    score: float
    gains: bool  # the query names its subject
    importance: float
    updated: int
    behind: float = 0.0  # taken from its score, because it holds repaired words alone


def explained(fact: Fact, one: RankedFact, words: Sequence[Word]) -> Hit:
    """Return a fact with the numbers that add up to its score."""
    matched = [word for word in words if one.number in word.numbers]
    share = one.score - (SUBJECT_GAIN if one.gains else 0)
    left = share / (share + one.behind) if one.behind else 1.0
    terms = [_term(word, word.variant(one.number), left) for word in matched]
    _make_whole(terms, share)
    if one.gains:
        terms.append(FactScoreTerm("subject", SUBJECT_GAIN, f"the query names {fact.subject}"))
    found = tuple(word.text for word in matched)
    return Hit(fact, one.score, found, tuple(terms), estimate_tokens(fact.text))


def used_aliases(numbers: Iterable[int], words: Sequence[Word]) -> dict[str, str]:
    """Return the aliases that brought one of some facts.

    Others are not told: aliases are the store's, and may be about facts of somebody else.
    """
    used = [word.variant(n) for n in numbers for word in words if n in word.numbers]
    return {variant.alias_of: variant.phrase for variant in used if variant.alias_of}


def _term(word: Word, variant: QueryTermVariant, left: float) -> FactScoreTerm:
    """Return a word's part of a score; `left` of it is left where the fact is put behind others."""
    why = "share of the query's weight"
    if variant.why:
        why = f"{why}; {variant.why}"
    if left < 1:
        why = f"{why}; less, for the fact holds no word as it was asked, and others do"
    return FactScoreTerm(word.text, round(word.share * variant.trust * left, DIGITS), why)


def _make_whole(terms: list[FactScoreTerm], share: float) -> None:
    """Let rounded terms add up to their share: the heaviest word takes what rounding left over."""
    left = round(share - sum(term.value for term in terms), DIGITS)
    if left and terms:
        heaviest = max(range(len(terms)), key=lambda i: terms[i].value)
        value = round(terms[heaviest].value + left, DIGITS)
        terms[heaviest] = replace(terms[heaviest], value=value)
