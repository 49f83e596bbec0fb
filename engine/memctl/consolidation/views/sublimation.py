"""Sublimation: three or more related memories become an entry of knowledge that cites each of them.

Every line of an entry is a fact as it stands, with its id: nothing is put into other words, so that
nothing is invented. Made again from the same facts it is the same text; when they change, the next
run writes a new version, and keeps the one before.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.base import clock
from memctl.base.categories import KINDS
from memctl.base.counting import counted
from memctl.base.pattern import Pattern
from memctl.consolidation.checking.decay import says_done
from memctl.consolidation.views.palace import doubted, plain
from memctl.store import statements
from memctl.store.results import Result

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence

    from memctl.consolidation.runs import Work
    from memctl.store.store import Store

SQL = statements.load("store/knowledge")
_RELATED = 3  # memories from which on they become an entry
_DENSE = 5  # facts of one category, from which on an entry of its own is suggested
_RICH = 5  # facts about the user that make a playbook
_ENDS = Pattern(
    r"\b(?:is|was|has been|got) (?:(?:now|finally|officially|successfully) )?"
    r"(?:completed?|done|finished|shipped|delivered|closed|wrapped up|launched|over)\b"
    r"|\A(?:we |user |i )?(?:have |has |finally )?(?:shipped|finished|completed|delivered|wrapped up|closed)\b|\bshipped\Z"
    r"|\b(?:ist|wurde) (?:(?:jetzt|nun|endlich) )?(?:fertig|abgeschlossen|ausgeliefert|beendet)\b"
    r"|\b(?:est\u00e1|fue|foi|a \u00e9t\u00e9|est) (?:terminad[oa]|completad[oa]|conclu\u00edd[oa]|termin\u00e9e?)\b|\u5df2\u5b8c\u6210|\u5b8c\u6210\u4e86",
    re.IGNORECASE,
)
_REASON = Pattern(r"\b(?:because|since|so that|in order to)\b")
_BLOCKS = Pattern(r"\b(?:block\w*|wait\w* (?:for|on)|stuck|cannot|missing|needs?)\b")
_STATUS = "status"


@dataclass(frozen=True, slots=True)
class Proposed(Result):
    """An entry that a run would write, or a suggestion.

    Parameters
    ----------
    kind, subject
        ``post-mortem``, ``tracker``, ``work style``, ``playbook``, or ``dense`` for a suggestion.
    title, body
        The entry as Markdown; of a suggestion, what could be done.
    sources
        Ids of the facts that it cites.
    trigger
        Why it is made.
    """

    kind: str
    subject: str
    title: str
    body: str
    sources: tuple[str, ...]
    trigger: str


@dataclass(frozen=True, slots=True)
class KnowledgeEntry(Result):
    """One entry, as stored."""

    id: int
    kind: str
    subject: str
    title: str
    body: str
    made_at: str
    retired_at: str | None
    superseded_by: int | None
    sources: tuple[str, ...]


class Sublimation:
    """Makes entries of knowledge of the facts of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def entries(self) -> Sequence[KnowledgeEntry]:
        """Return the present entries, without the lines of facts that were forgotten since."""
        if not self._store.exists:
            return []
        valid = {row["id"] for row in self._store.rows(SQL.facts, {"now": clock.now()})}
        found = (self._entry(row, valid) for row in self._store.rows(SQL.present))
        return [entry for entry in found if entry.sources]

    def proposals(self, as_of: str) -> tuple[Proposed, ...]:
        """Return the entries that are new, would change or would go, and suggestions; reads only.

        An entry goes, its body empty here, when what it rests on no longer makes one: its facts
        were forgotten, have expired, or are told by an entry of another kind.
        """
        if not self._store.exists:
            return ()
        present = {(row["kind"], row["subject"]): row for row in self._store.rows(SQL.present)}
        facts = self._store.rows(SQL.facts, {"now": as_of})
        by_key = {(entry.kind, entry.subject): entry for entry in self._found(facts)}
        gone = (
            Proposed(*key, row["title"], "", (), "what it rests on no longer makes one")
            for key, row in present.items()
            if key not in by_key
        )
        new = (
            entry
            for key, entry in by_key.items()
            if key not in present or present[key]["body"] != entry.body
        )
        return (*new, *gone)

    def apply(self, work: Work) -> int:
        """Write each in a step of its own; return how many."""
        made = [proposal for proposal in self.proposals(work.as_of) if proposal.kind != "dense"]
        for entry in made:
            with work.step():
                self._write(entry, work)
        return len(made)

    def _write(self, proposed: Proposed, work: Work) -> None:
        older = [row["id"] for row in self._store.rows(SQL.present) if _is(row, proposed)]
        for number in older:
            self._store.execute(SQL.retire, {"id": number, "now": work.as_of})
        work.wrote("knowledge", older)
        if not proposed.body:
            return
        entry = {
            "kind": proposed.kind,
            "subject": proposed.subject,
            "title": proposed.title,
            "body": proposed.body,
        }
        new = self._store.insert(SQL.add, {**entry, "now": work.as_of, "run": work.id})
        for fact in proposed.sources:
            self._store.execute(SQL.cite, {"id": new, "fact": fact})
        for number in older:
            self._store.execute(SQL.supersede, {"id": number, "by": new})
        work.wrote("knowledge", [new])

    def _found(self, facts: Sequence[sqlite3.Row]) -> Iterator[Proposed]:
        projects: defaultdict[str, list[sqlite3.Row]] = defaultdict(list)
        for row in facts:
            if row["category"] == "project" and row["subject_key"]:
                projects[row["subject_key"]].append(row)
        holding = [row for row in facts if row["status"] == "active"]
        ends = [row["text"].casefold() for row in holding if _ENDS.search(row["text"])]
        for about in projects.values():
            if len(about) >= _RELATED:
                name = about[-1]["subject"].casefold()
                yield _of_project(about, over=any(name in text for text in ends))
        yield from _of_content(
            holding, "feedback", _RELATED, "work style", "Work style", "rules and lessons"
        )
        yield from _of_content(
            holding, "user", _RICH, "playbook", "User playbook", "facts of a user"
        )
        yield from self._too_dense(holding)

    def _too_dense(self, facts: Sequence[sqlite3.Row]) -> Iterator[Proposed]:
        """Yield a suggestion for each category of many facts without an entry of its own."""
        counts = Counter(row["category"] for row in facts if row["category"])
        covered = {k.category for k in KINDS.values() if k.content_type in {"feedback", "user"}}
        for category, count in sorted(counts.items()):
            if count >= _DENSE and category not in {*covered, "project"}:
                many = counted(count, "fact")
                what = f"{many} of the kind {category}: an entry of your own would tell them"
                yield Proposed("dense", category, category, what, (), f"{count} of one category")

    def _entry(self, row: sqlite3.Row, valid: set[str]) -> KnowledgeEntry:
        cited = {source["fact_id"] for source in self._store.rows(SQL.sources, {"id": row["id"]})}
        gone = tuple(f"[{fact}]" for fact in cited - valid)
        lines = row["body"].splitlines(keepends=True)
        body = "".join(line for line in lines if not line.rstrip().endswith(gone))
        names = [n for n in KnowledgeEntry.__dataclass_fields__ if n not in {"body", "sources"}]
        kept = {name: row[name] for name in names}
        return KnowledgeEntry(**kept, body=body, sources=tuple(sorted(cited & valid)))


def _of_project(about: Sequence[sqlite3.Row], *, over: bool) -> Proposed:
    """Return the post-mortem of a project that is done, else its tracker.

    It is done where its status says so, or where a fact says that it has ended.
    """
    name, key = about[-1]["subject"], about[-1]["subject_key"]
    statuses = [
        row for row in about if row["attribute_key"] == _STATUS and row["status"] == "active"
    ]
    done = over or any(says_done(row["value"]) for row in statuses)
    sources = tuple(row["id"] for row in about)
    holding = [row for row in about if row["status"] == "active"]
    if done:
        title, trigger = f"Post-mortem: {name}", f"{name} is done, {len(about)} memories"
        ended = (("What held at the end", holding), ("What changed on the way", _ended(about)))
        return Proposed("post-mortem", key, title, _body(title, ended), sources, trigger)
    blockers = [row for row in holding if _BLOCKS.search(row["text"].casefold())]
    parts = (
        ("Status", statuses),
        ("Blockers and needs", blockers),
        ("More", [row for row in holding if row not in statuses and row not in blockers]),
        ("Before", _ended(about)),
    )
    title = f"Project: {name}"
    trigger = f"{len(about)} memories of {name}"
    return Proposed("tracker", key, title, _body(title, parts), sources, trigger)


def _of_content(
    facts: Sequence[sqlite3.Row], content: str, least: int, kind: str, title: str, what: str
) -> Iterator[Proposed]:
    """Yield the entry of one content type, where it has enough facts."""
    categories = [k.category for k in KINDS.values() if k.content_type == content]
    some = [row for row in facts if row["category"] in categories]
    if len(some) >= least:
        parts = [
            (name.capitalize(), [r for r in some if r["category"] == name]) for name in categories
        ]
        why = [row for row in some if _REASON.search(row["text"].casefold())]
        body = _body(title, [*parts, ("Why", why)])
        sources = tuple(row["id"] for row in some)
        yield Proposed(kind, "", title, body, sources, f"{len(some)} {what}")


def _ended(about: Sequence[sqlite3.Row]) -> list[sqlite3.Row]:
    return [row for row in about if row["status"] != "active"]


def _body(title: str, parts: Sequence[tuple[str, Sequence[sqlite3.Row]]]) -> str:
    lines = [f"# {title}"]
    for name, rows in parts:
        if rows:
            lines += ["", f"## {name}", ""]
            lines += [f"- {plain(row['text'])}{doubted(row)} [{row['id']}]" for row in rows]
    return "\n".join(lines) + "\n"


def _is(row: sqlite3.Row, proposed: Proposed) -> bool:
    return (row["kind"], row["subject"]) == (proposed.kind, proposed.subject)
