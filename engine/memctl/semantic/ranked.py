"""What a search ranks, and why: words with their shares of the query, facts with their scores."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memctl.semantic.records import Hit, Term
from memctl.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memctl.semantic.records import Fact
    from memctl.semantic.sought import Form

__all__ = ["DIGITS", "SUBJECT_GAIN", "Ranked", "Word", "explained", "used_aliases"]

SUBJECT_GAIN = 0.15
# Scores are compared, and shown, to this many digits.
DIGITS = 3


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


@dataclass(frozen=True, slots=True)
class Ranked:
    """A fact that could answer, with what it is ordered by."""

    number: int
    score: float
    gains: bool
    importance: float
    updated: int


def explained(fact: Fact, one: Ranked, words: Sequence[Word]) -> Hit:
    """Return a fact with the numbers that add up to its score."""
    matched = [word for word in words if one.number in word.numbers]
    terms = [_term(word, word.form(one.number)) for word in matched]
    _make_whole(terms, one.score - (SUBJECT_GAIN if one.gains else 0))
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


def _term(word: Word, form: Form) -> Term:
    why = "share of the query's weight"
    return Term(word.text, round(word.share, DIGITS), f"{why}; {form.why}" if form.why else why)


def _make_whole(terms: list[Term], share: float) -> None:
    """Let rounded terms add up to their share: the heaviest word takes what rounding left over."""
    left = round(share - sum(term.value for term in terms), DIGITS)
    if left and terms:
        heaviest = max(range(len(terms)), key=lambda i: terms[i].value)
        value = round(terms[heaviest].value + left, DIGITS)
        terms[heaviest] = replace(terms[heaviest], value=value)
