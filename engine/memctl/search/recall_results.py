"""The answer of recall: rows, each with the reasons for its place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from itertools import islice
from typing import Any, overload

from memctl.base.tokens import Budget, estimate_tokens
from memctl.store.results import Result, rows_html


@dataclass(frozen=True, slots=True)
class ScoreTerm(Result):
    """One part of a score, as ``word:paella``, ``neighbour`` or ``newer``."""

    term: str
    value: float  # what it adds; the terms of a row add up to its score
    why: str  # for people


@dataclass(frozen=True, slots=True)
class Row(Result):
    """One memory that was recalled."""

    kind: str  # "turn", "episode", "fact" or "state"
    id: int | str  # what `log`, `remember` or `store` returned
    text: str  # what was said or happened; of a long one, within a budget, the passages that are worth it
    happened_at: str
    score: float  # the sum of `explain`; rows come in its order, the newest of equals first
    matched: tuple[str, ...]  # the words of the question that it holds
    covers: float = 0.0  # their share of the weight (idf) of all words of the question: 0 to 1
    worth: float = 1.0  # 0 to 1: how much speaks for it; what ``recall_min_worth`` is compared with
    confidence: float = 1.0  # 0 to 1: the chance that it answers, calibrated by its kind
    fallback: bool = False  # no keyword brought it: it is similar by vectors only
    details: str = ""  # what belongs to the text
    who: tuple[str, ...] = ()  # who said it or took part
    tags: tuple[str, ...] = ()  # of an episode, or the one of a fact
    thread: str | None = None
    seq: int = 0  # its place in the thread
    earlier_than: str | None = None  # the row that says the same, newer, as "turn:12"
    doubt: str = ""  # why a fact is to be checked: what it rests on has changed
    shared: str = ""  # the pack of another store that brought a fact, while it follows that
    whole: bool = True  # `text` is all of it, and no passage
    day: str = ""  # which day it was for the user
    # where the score comes from: terms that add up to it
    explain: tuple[ScoreTerm, ...] = field(default=(), compare=False, repr=False)

    @property
    def tokens(self) -> int:
        """An estimate of its tokens in a prompt, with its time and speaker."""
        return estimate_tokens(self.prompt)

    @property
    def prompt(self) -> str:
        """The row as a line of a prompt."""
        if self.kind in ("fact", "state"):
            marks = [f"shared in {self.shared}"] if self.shared else []
            marks += [f"to be checked: {self.doubt}"] if self.doubt else []
            return f"{self.text} ({', '.join(marks)})" if marks else self.text
        head = (self.happened_at, ", ".join(self.who), self.text, self.details)
        return "\n".join(part for part in head if part)

    @property
    def tag(self) -> str | None:
        """The tag of a fact: PREF, PROJ, ...; ``None`` for others, and without a category."""
        return self.tags[0] if self.kind == "fact" and self.tags else None

    @property
    def name(self) -> str:
        """Its name as `feedback` takes it: ``turn:12``, or the id of a fact."""
        return str(self.id) if self.kind == "fact" else f"{self.kind}:{self.id}"

    def as_plain(self) -> dict[str, Any]:
        """Return all of it, explanation and tokens included, as a mapping for JSON."""
        plain = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "explain"}
        return {**plain, "tag": self.tag, "explain": self.explain, "tokens": self.tokens}


def within_limits(rows: Iterable[Row], limit: int, max_tokens: int | None) -> tuple[Row, ...]:
    """Return the first rows that fit, in their order; one too large leaves room for the next."""
    budget = Budget(max_tokens)
    return tuple(islice((row for row in rows if budget.spend(row.tokens)), limit))


@dataclass(frozen=True)
class Recalled(Result, Sequence[Row]):
    """The rows of one recall, the best first; a sequence of them, and empty is an answer."""

    rows: tuple[Row, ...]
    id: int | None = None  # what `feedback` takes; None where nothing was recorded
    note: str = ""  # why it is empty, or what was left out
    unknown: tuple[str, ...] = ()  # words of the question that occur nowhere
    corrected: dict[str, str] = field(default_factory=dict)  # and what such words were taken for
    aliases: dict[str, str] = field(default_factory=dict)  # phrases that brought a row by an alias
    names: tuple[str, ...] = ()  # known participants that the question names
    fallback: str | None = None  # the vectors that were asked as well
    unrecorded: str = ""  # why it was not recorded although it was to be
    waiting: str = ""  # which vectors the fallback lacked, and the command that makes them
    withheld: bool = False  # empty because what matches holds at another time
    left_out: int = 0  # rows that were not worth giving (see ``recall_min_worth``)
    more: int = 0  # rows that belong to a list and that no limit or budget let in
    least: int = 0  # the tokens of the shortest row that matches, where none fits
    overridden: bool = False  # an open session says otherwise than a fact that matches
    confidence: float = 0.0  # 0 to 1: how sure what was asked is among the first five rows
    reasons: tuple[ScoreTerm, ...] = ()  # terms of its log-odds, or those of the best row
    masked: str = ""  # the question as it may be kept and shown
    duration_ms: float = 0.0  # without its recording

    def about(self) -> dict[str, Any]:
        """Return all of it but the rows, as a mapping for JSON."""
        return {
            f.name: getattr(self, f.name) for f in fields(self) if f.name not in ("rows", "masked")
        }

    def _repr_html_(self) -> str:
        """Return a table of the rows, for notebooks."""
        return rows_html(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Row, ...]: ...
    def __getitem__(self, index: int | slice) -> Row | tuple[Row, ...]:
        return self.rows[index]
