"""Merges the turns, episodes and aliases of another store into this one. In a transaction.

A row is the same by what it says, who said it and when. What is said twice in one second is two
rows: of equal ones there are as many as the store has that holds more. So the order of merges, and
their number, make no difference.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from memctl.base.errors import UnusableInputError
from memctl.guard import door
from memctl.porting.packs.fact_merging import merge_facts
from memctl.porting.packs.app_memory import travelling
from memctl.search.index.unindexed import index_rows
from memctl.store import statements
from memctl.store.erased_texts import erased_test, identity_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable

    from memctl.porting.packs.app_memory import Entry, MergeReport
    from memctl.store.store import Store

SQL = statements.load("store/text_sharing")

_STATEMENTS = {
    "turn": (SQL.turns, SQL.add_turn, SQL.set_turn),
    "episode": (SQL.episodes, SQL.add_episode, SQL.set_episode),
}
_TABLES = {"turn": "log", "episode": "episode"}
# What people wrote; the rest are times.
_TOLD = {
    "turn": ("text", "details", "session", "role", "speaker"),
    "episode": ("summary", "details", "tags", "participants", "source", "thread"),
}
# What is true of the row that was written first.
_FIRST = {"turn": ("recorded_at",), "episode": ("remembered_at", "confidence", "source")}


def merge_texts(store: Store, other: Store, report: MergeReport) -> None:
    """Merge what another store was told: turns, episodes, aliases and facts."""
    erased = erased_test(store)
    turns = _rows(store, other, "turn", report, erased)
    index_rows(store)
    episodes = _rows(store, other, "episode", report, erased)
    for row in other.rows(SQL.episode_sources):
        if row["episode_id"] in episodes and row["log_id"] in turns:
            ids = {"episode_id": episodes[row["episode_id"]], "log_id": turns[row["log_id"]]}
            store.execute(SQL.add_episode_source, ids)
    known = {(row["term"], row["synonym"]) for row in store.rows(SQL.aliases)}
    for row in other.rows(SQL.aliases):
        if _taken(store, report, "alias", [row["term"], row["synonym"]], {}):
            store.execute(SQL.add_alias, dict(row))
            new = (row["term"], row["synonym"]) not in known
            (report.added if new else report.united)["alias"] += 1
    merge_facts(store, other, report, erased)


def _rows(
    store: Store,
    other: Store,
    kind: str,
    report: MergeReport,
    erased: Callable[[bytes], bool],
) -> dict[int, int]:
    """Merge turns or episodes; return the id there of each to its id here."""
    select, add, change = _STATEMENTS[kind]
    mine: dict[bytes, list[sqlite3.Row]] = defaultdict(list)
    for row in store.rows(select):
        mine[identity_of(kind, row)].append(row)
    met: dict[bytes, int] = defaultdict(int)
    names: dict[str, str | None] = {}
    ids: dict[int, int] = {}
    for row in other.rows(select):
        identity = identity_of(kind, row)
        place = met[identity]
        met[identity] += 1
        told = travelling(row, _TABLES[kind], "store")
        if place < len(mine[identity]):
            known = mine[identity][place]
            ids[row["id"]] = known["id"]
            merged = {**_marks(kind, known, row), "id": known["id"]}
            if any(known[name] != value for name, value in merged.items()):
                store.execute(change, merged)
            report.united[kind] += 1
        elif erased(identity):
            report.refused[f"{kind}s that were erased here"] += 1
        elif _taken(store, report, kind, [told[name] for name in _TOLD[kind]], names):
            ids[row["id"]] = store.insert(add, told)
            report.added[kind] += 1
    return ids


def _marks(kind: str, one: sqlite3.Row, other: sqlite3.Row) -> Entry:
    """Return what two stores say of a row, besides what it says itself."""
    last = max(one, other, key=_decided)
    marks = {name: last[name] for name in ("archived_at", "archived_why")}
    marks["seq"] = max(one["seq"], other["seq"])
    first = min(one, other, key=lambda row: repr([row[name] for name in _FIRST[kind]]))
    marks |= {name: first[name] for name in _FIRST[kind]}
    if kind == "turn":
        read = filter(None, (one["processed_at"], other["processed_at"]))
        marks["processed_at"] = max(read, default=None)
    return marks


def _decided(row: sqlite3.Row) -> tuple[str, bool, str]:
    """Return when it was last put away or brought back; what is put away wins a draw."""
    put_away = row["archived_at"] or ""
    when = max(put_away, "" if put_away else row["restored_at"] or "")
    return when, bool(put_away), row["archived_why"] or ""


def _taken(
    store: Store,
    report: MergeReport,
    kind: str,
    texts: Iterable[Any],
    names: dict[str, str | None],
) -> bool:
    """Return whether texts may be written here: no secret, nothing invisible, not too long.

    `names` keeps what was found in short texts, which come again and again.
    """
    told = [text for text in texts if isinstance(text, str)]
    try:
        clean = all(door.clean(text, what=kind) == text for text in told)
    except UnusableInputError:
        clean = False
    rule = None if clean else "control characters, or too long"
    for text in told if clean else ():
        if text and text not in names:
            found = door.find_rule(store, text)
            if len(text) <= door.MAX_NAME:
                names[text] = found
            rule = rule or found
        elif text:
            rule = rule or names[text]
    if rule is not None:
        report.refused[f"{kind}s ({rule})"] += 1
    return rule is None
