"""Merges the turns, episodes, aliases and facts of another store into this one. In a transaction.

A turn or an episode is the same by what it says, who said it and when. What is said twice in one
second is two rows: of equal ones there are as many as the store has that holds more. A fact is the
same by its id: of two versions the later one holds. What two stores learned alike is one fact, the
earlier; what they say differently of one thing waits to be decided. A fact that a pack brought holds
as long as the last pack of its store carries it, and never ends a fact of this store by itself. So the
order of merges, and their number, make no difference.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from memctl.base.clock import now
from memctl.base.errors import UnusableInputError
from memctl.guard import door
from memctl.porting.packs.app_memory import parts_of, travelling
from memctl.porting.restored_rows import change_row, insert_row
from memctl.search.index.unindexed import index_rows
from memctl.semantic.conflicts import CONTRADICTS
from memctl.semantic.fact_rows import record_change
from memctl.store import statements
from memctl.store.erased_texts import erased_test, identity_of
from memctl.text.relation import relation
from memctl.text.statement import read

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from memctl.porting.packs.app_memory import Entry, MergeReport
    from memctl.store.store import Store

SQL = statements.load("store/text_sharing")
SHARING = statements.load("store/sharing")

_ROWS = {"turn": SQL.turns, "episode": SQL.episodes}
_TABLES = {"turn": "log", "episode": "episode"}
# What people wrote; the rest are times.
_WRITTEN = {
    "turn": ("text", "details", "session", "role", "speaker"),
    "episode": ("summary", "details", "tags", "participants", "source", "thread"),
}
# What is true of the row that was written first.
_FIRST = {"turn": ("recorded_at",), "episode": ("remembered_at", "confidence", "source")}


def merge_texts(store: Store, other: Store, report: MergeReport) -> None:
    """Merge the turns, episodes and facts of another store."""
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
        if _may_be_written(store, report, "alias", [row["term"], row["synonym"]], {}):
            store.execute(SQL.add_alias, dict(row))
            new = (row["term"], row["synonym"]) not in known
            (report.added if new else report.united)["alias"] += 1
    for row in other.rows(SHARING.origins):
        if row["shared_at"]:
            store.execute(SHARING.share_origin, {**dict(row), "now": now()})
    facts = [travelling(row, "fact", "store") for row in other.rows(SQL.facts)]
    merged = merge_facts(store, facts, _changes(other), report)
    supports = (dict(row) for row in other.rows(SQL.fact_supports))
    store.execute_many(SQL.add_fact_support, [it for it in supports if it["fact_id"] in merged])


def _rows(
    store: Store, other: Store, kind: str, report: MergeReport, erased: Callable[[bytes], bool]
) -> dict[int, int]:
    """Merge turns or episodes; return the id there of each to its id here."""
    mine: dict[bytes, list[sqlite3.Row]] = defaultdict(list)
    for row in store.rows(_ROWS[kind]):
        mine[identity_of(kind, row)].append(row)
    met = Counter[bytes]()
    rules: dict[str, str | None] = {}
    ids: dict[int, int] = {}
    for row in other.rows(_ROWS[kind]):
        identity = identity_of(kind, row)
        place, met[identity] = met[identity], met[identity] + 1
        new = travelling(row, _TABLES[kind], "store")
        if place < len(mine[identity]):
            known = mine[identity][place]
            ids[row["id"]] = known["id"]
            marks = _marks(kind, known, row)
            if any(known[name] != value for name, value in marks.items()):
                change_row(store, _TABLES[kind], "id", {**marks, "id": known["id"]})
            report.united[kind] += 1
        elif erased(identity):
            report.refused[f"{kind}s that were erased here"] += 1
        elif _may_be_written(store, report, kind, [new[name] for name in _WRITTEN[kind]], rules):
            # A turn's words are indexed with the batch.
            new |= {"later": 2} if kind == "turn" else {}
            ids[row["id"]] = insert_row(store, _TABLES[kind], new)
            report.added[kind] += 1
    return ids


def _marks(kind: str, one: sqlite3.Row, other: sqlite3.Row) -> Entry:
    """Return the columns of a row that two stores may have changed."""
    last = max(one, other, key=_decided)
    first = min(one, other, key=lambda row: repr([row[name] for name in _FIRST[kind]]))
    marks = {name: last[name] for name in ("archived_at", "archived_why")}
    marks |= {name: first[name] for name in _FIRST[kind]}
    marks["seq"] = max(one["seq"], other["seq"])
    if kind == "turn":
        read_at = filter(None, (one["processed_at"], other["processed_at"]))
        marks["processed_at"] = max(read_at, default=None)
    return marks


def _decided(row: sqlite3.Row) -> tuple[str, bool, str]:
    """Return when a row was last put away or brought back; what is put away wins a draw."""
    put_away = row["archived_at"] or ""
    when = max(put_away, "" if put_away else row["restored_at"] or "")
    return when, bool(put_away), row["archived_why"] or ""


def _may_be_written(
    store: Store,
    report: MergeReport,
    kind: str,
    texts: Iterable[Any],
    rules: dict[str, str | None],
) -> bool:
    """Return whether texts have no secret and nothing invisible, and are not too long.

    `rules` keeps the rule that each short text meets: such come again and again.
    """
    written = [text for text in texts if isinstance(text, str)]
    rule: str | None = None
    try:
        if any(door.clean(text, what=kind) != text for text in written):
            rule = "control characters, or too long"
    except UnusableInputError:
        rule = "control characters, or too long"
    for text in filter(None, () if rule else written):
        met = rules[text] if text in rules else door.find_rule(store, text)
        if len(text) <= door.MAX_NAME:
            rules[text] = met
        rule = rule or met
    if rule is not None:
        report.refused[f"{kind}s ({rule})"] += 1
    return rule is None


# --- facts

_SAME = "the same as "  # how the reason of a fact begins that another store knew earlier
# Why a shared fact ended in whose place its pack has another text.
_CHANGED = "changed by its store"
# Facts that are compared with a new one, and the rarest of its words by which they are found.
_COMPARED, _RAREST = 20, 4
_Key = tuple[str, ...]
_TEXTS = ("text", "subject", "attribute", "value", "source")
_OWNER = ("user_id", "agent_id", "project", "session_id")


def merge_facts(
    store: Store, facts: Iterable[Entry], their_changes: Iterable[Entry], report: MergeReport
) -> Collection[str]:
    """Merge facts and every change of them; return the ids that the store has now."""
    erased = erased_test(store)
    rows = store.rows(SQL.facts)
    mine = {row["id"]: travelling(row, "fact", "store") for row in rows}
    changes, theirs = _changes(store), list(their_changes)
    gone = {row["fact_id"] for row in changes if row["event"] == "DELETE"} - mine.keys()
    result = {key: dict(row) for key, row in mine.items()}
    for fact in facts:
        # In one piece as well: a label in one column may give away the value in another.
        whole = "\n".join(fact[name] or "" for name in _TEXTS)
        if fact["id"] in result:
            result[fact["id"]] = _later(result[fact["id"]], fact)
            report.united["fact"] += 1
        elif fact["id"] in gone or erased(identity_of("fact", fact)):
            report.refused["facts that were erased here"] += 1
        elif _may_be_written(store, report, "fact", [whole, *fact.values()], {}):
            result[fact["id"]] = fact
            report.added["fact"] += 1
    last = {row["id"]: row["shared_at"] for row in store.rows(SHARING.origins) if row["shared_at"]}
    ended = _follow_packs(result, last, report)
    _settle_equal(result)
    undecided = list(_undecided(result, mine, [*changes, *theirs], report))
    for key in [key for key in result if key not in mine]:
        insert_row(store, "fact", result[key])
    for row in rows:
        if result[row["id"]] != mine[row["id"]]:
            # The revision shows that it is no edit by hand.
            change_row(store, "fact", "id", {**result[row["id"]], "revision": row["revision"] + 1})
    for earlier, later in undecided:
        store.execute(SQL.may_replace, {"id": later, "older": earlier})
    for key, (event, why) in ended.items():
        text = result[key]["text"]
        record_change(
            store, key, event, text, text if event == "SHARE" else None, why, "pack", now()
        )
    _merge_changes(store, changes, [change for change in theirs if change["fact_id"] in result])
    return result.keys()


def _merge_changes(store: Store, mine: Iterable[Entry], theirs: Iterable[Entry]) -> None:
    """Keep each change as often as the store has it that has it oftener."""
    known = Counter(tuple(change.items()) for change in mine)
    for change in theirs:
        known[tuple(change.items())] -= 1
        if known[tuple(change.items())] < 0:
            insert_row(store, "fact_history", change)


def _changes(store: Store) -> list[Entry]:
    return [travelling(row, "fact_history", "store") for row in store.rows(SQL.fact_changes)]


def _later(one: Entry, other: Entry) -> Entry:
    """Return the later version of a fact; what somebody made his own wins over what follows a pack."""
    result = {**(one if _version(one) >= _version(other) else other)}
    if _follows(result):
        result["shared_at"] = max(one["shared_at"], other["shared_at"])
    return result


def _version(row: Entry) -> tuple[bool, str, bool, str]:
    """Order versions of a fact: the later, else the same one in every store."""
    waits = _follows(row) and row["status"] == "pending"
    return not _follows(row), row["updated_at"], waits, repr(sorted(row.items()))


def _follows(row: Entry) -> bool:
    """Return whether a fact is valid as long as the packs of another store carry it."""
    return row["shared_as"] is not None and row["kept_at"] is None


def _undecided(
    facts: Mapping[str, Entry],
    mine: Mapping[str, Entry],
    changes: Iterable[Entry],
    report: MergeReport,
) -> Iterator[tuple[str, str]]:
    """Yield pairs of valid facts that exclude each other; a shared one waits beside an own one."""
    begun = {key for key, row in mine.items() if _follows(row) and not _holds(row)}
    known = {key for key in mine if key not in begun or not _holds(facts[key])}
    if known == facts.keys():
        return
    for earlier, later in list(_contradictions(facts, known, changes)):
        if earlier in mine or later in mine:
            report.conflict("fact", earlier, f"{later} says otherwise: memctl pending list")
        shared = [facts[key] for key in (earlier, later) if _follows(facts[key])]
        if len(shared) != 1:
            yield earlier, later
        elif shared[0]["status"] == "active":
            own = earlier if shared[0]["id"] == later else later
            why = f"{CONTRADICTS} {own}, which is this store's own"
            shared[0].update(status="pending", status_why=why, conflicts_with=own)


def _follow_packs(
    facts: Mapping[str, Entry], last: Mapping[str, str], report: MergeReport
) -> dict[str, tuple[str, str]]:
    """End the shared facts that the last pack of their store does not carry; revive those it carries again.

    Returns
    -------
    dict
        Of each that changed, the event and why, for its history.
    """
    shared = [row for row in facts.values() if _follows(row)]
    made = {row["id"]: last.get(parts_of(row["shared_as"])[0], "") for row in shared}
    carried = {row["shared_as"]: row for row in shared if row["shared_at"] >= made[row["id"]]}
    ended: dict[str, tuple[str, str]] = {}
    for row in shared:
        at, here = made[row["id"]], carried.get(row["shared_as"])
        if row["shared_at"] >= at:
            if row["status"] == "forgotten" or row["status_why"] == _CHANGED:
                _revive(row, at)
                ended[row["id"]] = "SHARE", "carried again"
        elif row["status"] in {"active", "pending"}:
            row.update(conflicts_with=None, updated_at=at)
            report.withdrawn[row["id"]] = row["text"]
            if here is not None:
                until = max(row["valid_from"], here["valid_from"])
                row.update(status="superseded", status_why=_CHANGED, valid_to=until)
                row["superseded_by"] = here["id"]
                ended[row["id"]] = "SUPERSEDE", f"{_CHANGED}: replaced by {here['id']}"
                report.withdrawn[row["id"]] += f" -> {here['text']}"
            else:
                why = f"withdrawn: its store's pack of {at[:10]} does not carry it"
                row.update(status="forgotten", status_why=why)
                ended[row["id"]] = "WITHDRAW", why
    for row in shared:  # another store shares the same still
        of = facts.get(row["superseded_by"] or "")
        if of is None or not row["status_why"].startswith(_SAME) or not _follows(of):
            continue
        away = of["status"] == "forgotten" or of["status_why"] == _CHANGED
        if away and row["shared_at"] >= made[row["id"]]:
            _revive(row, made[row["id"]])
            ended[row["id"]] = "SHARE", f"{of['id']} was withdrawn"
    return ended


def _revive(row: Entry, at: str) -> None:
    row.update(status="active", status_why="", superseded_by=None, valid_to=None, updated_at=at)


def _settle_equal(facts: Mapping[str, Entry]) -> None:
    """Keep the earliest of equal facts valid, this store's own first; the others name it."""
    equal: dict[tuple[Any, ...], list[Entry]] = defaultdict(list)
    for row in facts.values():
        double = row["status"] == "superseded" and row["status_why"].startswith(_SAME)
        if row["equal_key"] and (double or _holds(row)):
            equal[row["equal_key"], *(row[name] for name in _OWNER)].append(row)
    for rows in equal.values():
        holding = [row for row in rows if _holds(row)]
        if not holding:
            continue  # the one that held was forgotten, and its doubles stay away with it
        first = min(holding, key=lambda row: (_follows(row), _age(row)))
        for row in rows:
            if row is not first:
                row.update(
                    status="superseded",
                    status_why=f"{_SAME}{first['id']}",
                    superseded_by=first["id"],
                    valid_to=row["valid_from"],
                )


def _age(row: Entry) -> tuple[str, str]:
    return row["created_at"], row["id"]


def _holds(row: Entry) -> bool:
    return row["status"] == "active" and row["valid_to"] is None and row["archived_at"] is None


def _contradictions(
    facts: Mapping[str, Entry], mine: Collection[str], changes: Iterable[Entry]
) -> Iterator[tuple[str, str]]:
    """Yield facts of which one is new, and that exclude each other: the earlier, and the later.

    Two of which a person decided which holds are none.
    """
    met = {
        (change["why"].rpartition(" ")[2], change["fact_id"])
        for change in changes
        if change["event"] == "DECIDE"
    }
    holding: dict[_Key, list[Entry]] = defaultdict(list)
    for row in facts.values():
        for key in _keys(row) if _holds(row) else ():
            holding[key].append(row)
    for row in facts.values():
        if row["id"] in mine or not _holds(row):
            continue
        rarest = sorted(_keys(row), key=lambda key: len(holding[key]))[:_RAREST]
        near = {other["id"]: other for key in rarest for other in holding[key]}
        for other in list(near.values())[:_COMPARED]:
            earlier, later = sorted((row, other), key=_age)
            pair = earlier["id"], later["id"]
            if other is not row and pair not in met and _differ(later, earlier):
                met.add(pair)
                yield pair


def _keys(row: Entry) -> list[_Key]:
    """Return the slot and the words of a fact, each with whose it is."""
    owner = tuple(str(row[name]) for name in _OWNER)
    words = ((word,) for word in sorted(read(row["text"]).content))
    return [(*key, *owner) for key in (*_slot(row), *words)]


def _slot(row: Entry) -> tuple[tuple[str, str], ...]:
    key, attribute = row["subject_key"], row["attribute_key"]
    return ((key, attribute),) if key and attribute else ()


def _differ(later: Entry, earlier: Entry) -> bool:
    found = relation(later["text"], earlier["text"])
    return found.changes or bool(
        found.kind != "same" and _slot(later) and _slot(later) == _slot(earlier)
    )
