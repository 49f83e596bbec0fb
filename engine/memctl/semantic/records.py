"""Records that the facts answer with: frozen dataclasses and lists of them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from memctl.base.categories import Tag, tag_of
from memctl.search.recall_results import ScoreTerm
from memctl.store.pages import ListPage
from memctl.store.results import Result

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping


Confidence = Literal["low", "medium", "high"]
Outcome = Literal["ADD", "SKIP", "RENEW", "SUPERSEDE", "PENDING", "PROMOTE", "NOISE"]


@dataclass(frozen=True, slots=True)
class Fact(Result):
    """One fact, as the store has it.

    Parameters
    ----------
    id
        What callers use.
    text
        As it was given.
    subject, attribute, value
        What it is about, where that is known: Falcon, deadline, 2026-12-01.
    category, tag
        ``None`` where none was named; the tag is its category's: PREF, PROJ, TECH, ...
    importance
        0 to 1.
    confidence
        low, medium or high.
    source
        Where it comes from.
    user_id, agent_id, project, session_id
        Whose it is, and where it holds; empty for nobody's in particular, and for everywhere.
    status
        active, pending, superseded or forgotten.
    valid_from, valid_to
        When it holds; ``valid_to`` is ``None`` while it does.
    expires_at
        When it is hidden; ``None`` for never.
    may_replace
        Id of an earlier fact that it may replace, while nobody has decided.
    doubt
        Why it is to be checked: what it rests on has changed; ``None`` where nothing has.
    about
        The caller's name for what it says: user.home; ``None`` where none was given.
    shared_as, shared_in, shared_at
        Of a fact that a pack brought: the store that shares it and its id there, the pack's file, and when
        the last pack was made that carries it; else ``None``.
    kept_at
        When somebody here made such a fact his own, or forgot it; ``None`` while it follows the packs.
    age_days
        Whole days since it was created.
    """

    id: str
    text: str
    subject: str | None
    attribute: str | None
    value: str | None
    category: str | None
    tag: Tag | None
    importance: float
    confidence: str
    source: str
    user_id: str
    agent_id: str
    project: str
    session_id: str
    metadata: dict[str, Any]
    status: str
    status_why: str
    immutable: bool
    pinned: bool
    valid_from: str
    valid_to: str | None
    expires_at: str | None
    archived_at: str | None
    superseded_by: str | None
    conflicts_with: str | None
    may_replace: str | None
    doubt: str | None
    about: str | None
    shared_as: str | None
    shared_in: str | None
    shared_at: str | None
    kept_at: str | None
    created_at: str
    updated_at: str
    age_days: int

    @property
    def shared(self) -> str:
        """The pack of another store that it follows; empty where it is this store's own."""
        return self.shared_in or "a pack" if self.shared_as and self.kept_at is None else ""

    @classmethod
    def of_row(cls, row: sqlite3.Row, now: str) -> Fact:
        """Return the fact of a row of the ``fact`` table."""
        return cls(
            **{name: row[name] for name in _PLAIN},
            tag=tag_of(row["category"]),
            metadata=json.loads(row["metadata"]),
            immutable=bool(row["immutable"]),
            pinned=bool(row["pinned"]),
            age_days=_days(row["created_at"], now),
        )


class FactPage(ListPage[Fact]):
    """Some of the facts of a list, in its order."""


_PLAIN = tuple(
    name
    for name in Fact.__dataclass_fields__
    if name not in {"tag", "metadata", "immutable", "pinned", "age_days"}
)


@dataclass(frozen=True, slots=True)
class Hit(Result):
    """A fact that was found.

    Parameters
    ----------
    score
        0 to 1.15: the share of the query's weight that it covers, and what its subject adds.
    matched
        The words of the query that it holds.
    explain
        The numbers that add up to the score.
    tokens
        What its text costs.
    """

    fact: Fact
    score: float
    matched: tuple[str, ...]
    explain: tuple[ScoreTerm, ...]
    tokens: int


class Hits(list[Hit]):
    """The facts that were found, the best first, and how the query was read.

    Parameters
    ----------
    corrected
        Words that no fact holds and what they were taken for.
    aliases
        Phrases of the query and what else they mean, where that brought a fact.
    note
        Why nothing was found, and what to do; empty where something was.
    withheld
        Whether nothing was found because what matches holds at another time.
    """

    def __init__(
        self,
        hits: Iterable[Hit] = (),
        *,
        corrected: Mapping[str, str] | None = None,
        aliases: Mapping[str, str] | None = None,
        note: str = "",
        withheld: bool = False,
    ) -> None:
        super().__init__(hits)
        self.corrected = dict(corrected or {})
        self.aliases = dict(aliases or {})
        self.note = note
        self.withheld = withheld


@dataclass(frozen=True, slots=True)
class NearFact(Result):
    """A valid fact near to a text that was just stored.

    Parameters
    ----------
    likeness
        0 to 1: the share of the text's idf that the fact holds too.
    same_slot
        Whether both are about one property of one thing.
    may_replace
        Whether the text may replace it: of the same slot, or the opening agrees and the rest differs.
    """

    id: str
    text: str
    likeness: float
    same_slot: bool
    may_replace: bool


@dataclass(frozen=True, slots=True)
class Undecided(Result):
    """Two valid facts, of which the newer may replace the older."""

    newer: Fact
    older: Fact


@dataclass(frozen=True, slots=True)
class Written(Result):
    """The outcome of one text of a batch.

    Parameters
    ----------
    event
        ``ADD``; ``SKIP``: known already; ``RENEW``: known, had expired; ``SUPERSEDE``:
        replaced `other`; ``PENDING``: waits for a person; ``PROMOTE``: waited, and a second
        source said the same, or nothing contradicts it any more; ``NOISE``: not worth keeping.
    id
        The row that says it now; ``None`` for noise.
    other
        The row that it replaced or contradicts, or overrides within its session.
    related
        The nearest facts that hold beside it, the nearest first.
    updated, left
        Of a fact that is known already, what was given beside its text: what the fact has now, and what
        it has otherwise and keeps.
    """

    event: Outcome
    text: str
    why: str = ""
    id: str | None = None
    other: str | None = None
    related: tuple[NearFact, ...] = ()
    updated: tuple[str, ...] = ()
    left: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """Why, and what became of what was given beside the text of a known fact."""
        parts = [self.why]
        parts += [f"updated {', '.join(self.updated)}"] if self.updated else []
        parts += [f"left {', '.join(self.left)} as it is"] if self.left else []
        return "; ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Stored(Result):
    """The outcomes of a batch, in its order."""

    category: str | None
    written: tuple[Written, ...]
    note: str = ""

    @property
    def ids(self) -> tuple[str, ...]:
        """The rows that repeat the batch."""
        return tuple(fact.id for fact in self.written if fact.id)


@dataclass(frozen=True, slots=True)
class ForgottenFacts(Result):
    """The facts that were forgotten, or candidates where the query was ambiguous."""

    forgotten: tuple[Fact, ...] = ()
    candidates: tuple[Hit, ...] = ()
    found: int = 0
    erased: bool = False
    bytes_gone: bool = field(default=True)


@dataclass(frozen=True, slots=True)
class Change(Result):
    """One change of one fact."""

    fact_id: str
    event: str
    old_text: str | None
    new_text: str | None
    changed_at: str
    actor: str
    why: str


def _days(earlier: str, later: str) -> int:
    return max(0, (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).days)
