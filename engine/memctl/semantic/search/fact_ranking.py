"""What a search ranks, and why: words with their shares of the query, facts with their scores."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memctl.base.tokens import estimate_tokens
from memctl.semantic.records import Hit, Term

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memctl.semantic.records import Fact
    from memctl.semantic.search.fact_query import Form

__all__ = ["DIGITS", "SUBJECT_GAIN", "Ranked", "Scores", "Word", "explained", "used_aliases"]

SUBJECT_GAIN = 0.15
# Scores are compared, and shown, to this many digits.
DIGITS = 3
# What a fact that holds repaired words alone may score at most, of the least of the others.
_BEHIND = 0.9


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a query.

    Parameters
    ----------
    share
        Of the query's weight, 0 to 1.
    forms
        In which facts can hold it, each with the facts that do.
    numbers
        The facts that hold any.
    """

    text: str
    share: float
    forms: tuple[tuple[Form, frozenset[int]], ...]
    numbers: frozenset[int]

    def form(self, number: int) -> Form:
        """Return how a fact holds it: as itself, where it does that too."""
        return next(form for form, numbers in self.forms if number in numbers)

    def shares(self) -> list[tuple[float, frozenset[int]]]:
        """Return what it adds to the score of which facts."""
        if len(self.forms) == 1 or all(form.trust == 1 for form, _ in self.forms):
            return [(self.share, self.numbers)]
        left, found = self.numbers, []
        for form, numbers in self.forms:
            found.append((self.share * form.trust, numbers & left))
            left -= numbers
        return found

    @property
    def firm(self) -> frozenset[int]:
        """The facts that hold it as it was asked, or as what means the same."""
        if len(self.forms) == 1:
            return self.numbers
        held = (numbers for form, numbers in self.forms if not form.repaired)
        return frozenset[int]().union(*held)


class Scores(dict[int, float]):
    """What facts cover of a query's weight, by their numbers.

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
            firm = frozenset[int]().union(*(word.firm for word in words))
            for number in self.keys() - firm:
                self.behind[number] = max(0.0, self[number] - _BEHIND * least)
                self[number] -= self.behind[number]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A fact that could answer, with what it is ordered by.

    Parameters
    ----------
    gains
        Whether the query names its subject.
    behind
        What was taken from its score, because it holds repaired words alone.
    """

    number: int
    score: float
    gains: bool
    importance: float
    updated: int
    behind: float = 0.0


def explained(fact: Fact, one: Ranked, words: Sequence[Word]) -> Hit:
    """Return a fact with the numbers that add up to its score."""
    matched = [word for word in words if one.number in word.numbers]
    share = one.score - (SUBJECT_GAIN if one.gains else 0)
    left = share / (share + one.behind) if one.behind else 1.0
    terms = [_term(word, word.form(one.number), left) for word in matched]
    _make_whole(terms, share)
    if one.gains:
        terms.append(Term("subject", SUBJECT_GAIN, f"the query names {fact.subject}"))
    found = tuple(word.text for word in matched)
    return Hit(fact, one.score, found, tuple(terms), estimate_tokens(fact.text))


def used_aliases(numbers: Iterable[int], words: Sequence[Word]) -> dict[str, str]:
    """Return the aliases that brought one of some facts.

    Others are not told: aliases are the store's, and may be about facts of somebody else.
    """
    used = [word.form(n) for n in numbers for word in words if n in word.numbers]
    return {form.alias_of: form.phrase for form in used if form.alias_of}


def _term(word: Word, form: Form, left: float) -> Term:
    """Return what a word adds, of which `left` is left where the fact is put behind others."""
    why = "share of the query's weight"
    if form.why:
        why = f"{why}; {form.why}"
    if left < 1:
        why = f"{why}; less, for the fact holds no word as it was asked, and others do"
    return Term(word.text, round(word.share * form.trust * left, DIGITS), why)


def _make_whole(terms: list[Term], share: float) -> None:
    """Let rounded terms add up to their share: the heaviest word takes what rounding left over."""
    left = round(share - sum(term.value for term in terms), DIGITS)
    if left and terms:
        heaviest = max(range(len(terms)), key=lambda i: terms[i].value)
        value = round(terms[heaviest].value + left, DIGITS)
        terms[heaviest] = replace(terms[heaviest], value=value)
