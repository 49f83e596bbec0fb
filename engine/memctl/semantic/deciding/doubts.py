"""Doubts: facts that rest on one that was replaced, changed or forgotten are marked as to be checked.

The rule that did best of five on generated facts: a fact rests on a changed one where it names the
value that no longer holds, or the property with a reason (because, since, so), or the property of
the same subject; not where it is about another person, or tells of the past. It finds mentions, so
it says "to be checked", and never ends a fact.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.semantic.fact_rows import record_change
from memctl.store import statements
from memctl.text.closed_words import STOP_WORDS
from memctl.text.normal import name_key

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence

    from memctl.semantic.finding import FactReading
    from memctl.store.store import Store

SQL = statements.load("store/fact")
# Share of the words looked for that a fact holds from where on it is compared.
_LEAST = 0.2


def last_change(store: Store) -> int:
    """Return the number of the last line of the facts' history; 0 where there is none."""
    return int(store.value(SQL.last_change)) if store.exists else 0


def changes_since(store: Store, line: int) -> list[sqlite3.Row]:
    """Return the text that a line of the history replaced, changed or forgot."""
    return store.rows(SQL.ended_since, {"since": line})


def ended_by(store: Store, new: Sequence[str]) -> list[sqlite3.Row]:
    """Return the facts that some new facts have replaced."""
    return store.rows(SQL.ended_by, {"ids": json.dumps(new)})


def raise_doubts(
    store: Store, reading: FactReading, changes: Iterable[sqlite3.Row], *, actor: str, now: str
) -> int:
    """Mark the facts that rest on what has changed; return how many.

    Each change costs a bounded number of looks (`memctl.semantic.finding`).
    """
    result = list(_doubtful(reading, changes))
    if result:
        with store.transaction():
            for fact_id, text, why, by in result:
                mark_doubtful(store, fact_id, text, why, by, actor=actor, now=now)
    return len(result)


def mark_doubtful(
    store: Store, fact_id: str, text: str, why: str, by: str, *, actor: str, now: str
) -> bool:
    """Mark a fact as to be checked, in the caller's transaction; return whether it was not before.

    `by` is the fact or turn that raises the doubt, `text` what the fact says.
    """
    raised = {"id": fact_id, "why": why, "by": by, "now": now}
    if not store.execute(SQL.raise_doubt, raised):
        return False
    record_change(store, fact_id, "DOUBT", text, text, why, actor, now)
    return True


def _doubtful(
    reading: FactReading, changes: Iterable[sqlite3.Row]
) -> Iterator[tuple[str, str, str, str]]:
    for row in changes:
        if row["old_text"] == row["new_text"]:
            continue
        changed = _ChangedFact(row)
        besides = {row["fact_id"], row["superseded_by"]}
        words = f"{row['old_text']} {row['subject'] or ''} {row['attribute'] or ''}"
        for fact, _ in reading.nearest(words, least=_LEAST):
            owner = (fact.user_id, fact.agent_id, fact.project)
            if fact.id in besides or owner != (row["user_id"], row["agent_id"], row["project"]):
                continue
            if why := _why_doubtful(fact.text, fact.subject, changed):
                yield fact.id, fact.text, why, row["fact_id"]


# -- what rests on what changed ------------------------------------------------------------

_STEM = 5  # letters that forms of one word share
# An address is one word: its parts are names of other things.
_WORD = Pattern(r"[^\W_](?:[\w'@./:+-]*[^\W_])?")
_REASON = Pattern(
    r"\b(?:because|since|so that|given that|due to|thanks to|therefore|that is why)\b",
    re.IGNORECASE,
)
_PAST = Pattern(
    r"\b(?:was|were|had|used to|former(?:ly)?|previous(?:ly)?|until|no longer|back then|\w{3,}ed)\b",
    re.IGNORECASE,
)
_NOW = Pattern(r"\b(?:is|are|am|has|have|will|needs?|\w{2,}s)\b", re.IGNORECASE)
_PERSON = Pattern(r"\A(?:The |My )?([A-Z][\w-]+)(?:'s)?\b")


class _ChangedFact:
    """A fact that is no longer valid, and its subject, by the stems of its words."""

    def __init__(self, row: sqlite3.Row) -> None:
        self.before: str = row["old_text"]
        self.whose = _whose(self.before, row["subject"])
        before, after = _stems(self.before), _stems(row["new_text"])
        # The first word is large because it is first.
        words = _WORD.findall(row["value"] or "") or _WORD.findall(self.before)[1:]
        names = [word for word in words if word[0].isupper() or any(map(str.isdigit, word))]
        self.named = _stems(" ".join(names)) - after  # of a name or a figure one word is enough
        self.gone = self.named or _stems(" ".join(words)) - after
        subject, attribute = (_stems(row[name] or "") for name in ("subject", "attribute"))
        self.about = (attribute or before & after) - subject - {"user"}
        self.slot = attribute and {*attribute, *subject} - {"user"}


def _why_doubtful(text: str, subject: str | None, changed: _ChangedFact) -> str:
    """Return why a fact is to be checked after another one changed; empty where it is not."""
    if _PAST.search(text) and not _NOW.search(text):
        return ""
    held, gone, about = _stems(text), changed.gone, changed.about
    reason = _REASON.search(text) is not None
    if _whose(text, subject) not in {changed.whose, ""} and not reason:
        return ""
    why = ""
    if gone and (gone & held if changed.named else gone <= held):
        why = "names what no longer holds"
    elif reason and about and len(about & held) * 2 >= len(about):  # one word of two, two of three
        why = "gives a reason that has changed"
    elif changed.slot and changed.slot <= held | {"user"}:
        why = "is about what has changed"
    return f'{why}: "{changed.before:.80}"' if why else ""


def _whose(text: str, subject: str | None) -> str:
    """Return whom a fact is about, as a key; empty where it names nobody."""
    if subject:
        return name_key(subject) or ""
    match = _PERSON.match(text)
    return (name_key(match[1]) or "") if match else ""


def _stems(text: str) -> set[str]:
    return {_stem(word) for word in _WORD.findall(text) if word.casefold() not in STOP_WORDS}


def _stem(word: str) -> str:
    plain = word.casefold().removesuffix("'s")
    return plain[:_STEM] if plain.isalpha() else plain
