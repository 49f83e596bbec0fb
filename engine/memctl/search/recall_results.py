"""The answer of recall: rows, each with the reasons for its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, overload

from memctl.base.tokens import estimate_tokens


@dataclass(frozen=True, slots=True)
class ScoreTerm:
    """One part of a score.

    Parameters
    ----------
    term
        Its name: ``word:paella``, ``neighbour``, ``answers``, ``thread``, ``participant``,
        ``date``, ``when``, ``opening``, ``asks``, ``asker``, ``reply``, ``wish``, ``newer``,
        ``subject``, ``fact``, ``similar``.
    value
        What it adds; the terms of a row add up to its score.
    why
        The reason, for people.
    """

    term: str
    value: float
    why: str


@dataclass(frozen=True, slots=True)
class Row:
    """One memory that was recalled.

    Parameters
    ----------
    kind, id
        ``"turn"``, ``"episode"`` or ``"fact"``, and what `log`, `remember` or `store` returned.
    text, details
        What was said or happened, and what belongs to it; of a long one, within a budget, the
        passages that are worth it.
    happened_at, day
        When, and which day that was for the user.
    score
        The sum of `explain`; rows come in its order, the newest of equals first.
    matched
        The words of the question that it holds.
    covers
        Their share of the weight (idf) of all words of the question, those that occur nowhere
        included: 0 to 1.
    worth
        0 to 1: how much speaks for it as an answer; what ``recall_min_worth`` is compared with.
    confidence
        0 to 1: the chance that it answers, calibrated by its kind.
    fallback
        Whether no keyword brought it: it is similar by vectors only.
    who, tags
        Who said it or took part; the tags of an episode, or the one of a fact.
    thread, seq
        Where it stands.
    earlier_than
        The row that says the same of the same thing, newer, as ``"turn:12"``; else ``None``.
    doubt
        Why a fact is to be checked: what it rests on has changed; empty where nothing has.
    whole
        Whether `text` is all of it, and no passage.
    reasons
        Makes the explanation, when it is asked for.
    """

    kind: str
    id: int | str
    text: str
    happened_at: str
    score: float
    matched: tuple[str, ...]
    covers: float = 0.0
    worth: float = 1.0
    confidence: float = 1.0
    fallback: bool = False
    details: str = ""
    who: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    thread: str | None = None
    seq: int = 0
    earlier_than: str | None = None
    doubt: str = ""
    whole: bool = True
    day: str = ""
    reasons: Callable[[], tuple[ScoreTerm, ...]] = field(default=tuple, compare=False, repr=False)

    @property
    def explain(self) -> tuple[ScoreTerm, ...]:
        """Where the score comes from: terms that add up to it."""
        return self.reasons()

    @property
    def tokens(self) -> int:
        """An estimate of what it takes up in a prompt, with its time and who said it."""
        return estimate_tokens(self.prompt)

    @property
    def prompt(self) -> str:
        """The row as it would stand in a prompt."""
        if self.kind in ("fact", "state"):
            return f"{self.text} (to be checked: {self.doubt})" if self.doubt else self.text
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
        plain = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "reasons"}
        return {**plain, "tag": self.tag, "explain": self.explain, "tokens": self.tokens}


def within_limits(rows: Iterable[Row], limit: int, max_tokens: int | None) -> tuple[Row, ...]:
    """Return the first rows that fit, in their order; one too large leaves room for the next."""
    taken: list[Row] = []
    spent = 0
    for row in rows:
        if len(taken) == limit:
            break
        if max_tokens is None or spent + row.tokens <= max_tokens:
            taken.append(row)
            spent += row.tokens
    return tuple(taken)


@dataclass(frozen=True)
class Recalled(Sequence[Row]):
    """The rows of one recall, the best first; a sequence of them.

    Parameters
    ----------
    rows
        What was found; empty is an answer.
    id
        What `feedback` takes; ``None`` where nothing was recorded.
    note
        Why it is empty, or what was left out; empty where there is nothing to say.
    unknown
        Words of the question that occur nowhere.
    corrected
        Words that occur nowhere and what they were taken for.
    aliases
        Phrases of the question that brought a row by an alias, with that alias.
    names
        Known participants that the question names.
    fallback
        The vectors that were asked as well, or ``None``.
    unrecorded
        Why it was not recorded although it was to be; else empty.
    waiting
        Which vectors the fallback lacked, and the command that makes them; else empty.
    withheld
        Whether it is empty because what matches holds at another time.
    overridden
        Whether an open session says otherwise than a fact that matches.
    left_out
        How many rows were not worth giving (see ``recall_min_worth``).
    least
        The tokens of the shortest row that matches, where none fits.
    confidence
        0 to 1: how sure it is that what was asked is among the first five rows.
    reasons
        What speaks for and against it: terms whose sum is its log-odds, or those of the best row.
    masked
        The question as it may be kept and shown.
    duration_ms
        How long it took, without its recording.
    """

    rows: tuple[Row, ...]
    id: int | None = None
    note: str = ""
    unknown: tuple[str, ...] = ()
    corrected: dict[str, str] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    fallback: str | None = None
    unrecorded: str = ""
    waiting: str = ""
    withheld: bool = False
    left_out: int = 0
    least: int = 0
    overridden: bool = False
    confidence: float = 0.0
    reasons: tuple[ScoreTerm, ...] = ()
    masked: str = ""
    duration_ms: float = 0.0

    def about(self) -> dict[str, Any]:
        """Return all of it but the rows, as a mapping for JSON."""
        return {
            f.name: getattr(self, f.name) for f in fields(self) if f.name not in ("rows", "masked")
        }

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Row, ...]: ...
    def __getitem__(self, index: int | slice) -> Row | tuple[Row, ...]:
        return self.rows[index]
