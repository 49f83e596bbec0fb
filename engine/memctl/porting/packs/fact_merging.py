"""Merges the facts of another store into this one. In a transaction.

A fact is the same by its id: of two versions the later one holds. What two stores learned alike is
one fact, the earlier; what they say differently of one thing waits to be decided.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from memctl.base.errors import UnusableInputError
from memctl.guard import door
from memctl.porting.packs.app_memory import travelling
from memctl.store import statements
from memctl.store.erased_texts import identity_of
from memctl.text.relation import relation
from memctl.text.statement import read

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Collection, Iterator, Mapping

    from memctl.porting.packs.app_memory import Entry, MergeReport
    from memctl.store.store import Store

SQL = statements.load("store/text_sharing")

_SAME = "the same as "  # how the reason of a fact begins that another store knew earlier
# Facts that are compared with a new one, and the rarest of its words by which they are found.
_COMPARED, _RAREST = 20, 4
_Key = tuple[str, ...]
_OWNER = ("user_id", "agent_id", "project", "session_id")


def merge_facts(
    store: Store, other: Store, report: MergeReport, erased: Callable[[bytes], bool]
) -> None:
    """Merge facts, who supports them, and every change of them."""
    mine = {row["id"]: travelling(row, "fact", "store") for row in store.rows(SQL.facts)}
    gone = {
        row["fact_id"]
        for row in store.rows(SQL.fact_changes)
        if row["event"] == "DELETE" and row["fact_id"] not in mine
    }
    result = {key: dict(row) for key, row in mine.items()}
    for row in other.rows(SQL.facts):
        told = travelling(row, "fact", "store")
        if told["id"] in result:
            result[told["id"]] = max(result[told["id"]], told, key=_version)
            report.united["fact"] += 1
        elif told["id"] in gone or erased(identity_of("fact", told)):
            report.refused["facts that were erased here"] += 1
        elif _may_be_written(store, told, report):
            result[told["id"]] = told
            report.added["fact"] += 1
    _settle_equal(result)
    _write(store, result, mine)
    for later, earlier in _contradictions(result, mine, _decisions(store, other), report):
        store.execute(SQL.may_replace, {"id": later, "older": earlier})
    for row in other.rows(SQL.fact_supports):
        if row["fact_id"] in result:
            store.execute(SQL.add_fact_support, dict(row))
    _merge_history(store, other, result)


def _write(store: Store, result: Mapping[str, Entry], mine: Mapping[str, Entry]) -> None:
    for key, fact in result.items():
        if key not in mine:
            store.insert(SQL.add_fact, fact)
        elif fact != mine[key]:
            store.execute(SQL.set_fact, fact)


def _version(row: Entry) -> tuple[str, str]:
    """Order versions of a fact: the later, else the same one in every store."""
    return row["updated_at"], repr(sorted(row.items()))


def _may_be_written(store: Store, row: Entry, report: MergeReport) -> bool:
    texts = [value for value in row.values() if isinstance(value, str)]
    try:
        clean = all(door.clean(text, what="fact") == text for text in texts)
    except UnusableInputError:
        clean = False
    # In one piece: a label in one column may give away the value in another.
    told = "\n".join(
        row[name] or "" for name in ("text", "subject", "attribute", "value", "source")
    )
    rule = door.find_rule(store, told) if clean else "control characters, or too long"
    rule = rule or door.find_rule(store, row["metadata"])
    if rule is not None:
        report.refused[f"facts ({rule})"] += 1
    return rule is None


def _settle_equal(facts: Mapping[str, Entry]) -> None:
    """Let of equal facts the earliest hold; the others say which that is."""
    equal: dict[tuple[Any, ...], list[Entry]] = defaultdict(list)
    for row in facts.values():
        double = row["status"] == "superseded" and row["status_why"].startswith(_SAME)
        if row["equal_key"] and (double or _holds(row)):
            equal[row["equal_key"], *(row[name] for name in _OWNER)].append(row)
    for rows in equal.values():
        holding = [row for row in rows if _holds(row)]
        if not holding:
            continue  # the one that held was forgotten, and its doubles stay away with it
        first = min(holding, key=_age)
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


def _contradictions(
    facts: Mapping[str, Entry],
    mine: Mapping[str, Entry],
    decided: Collection[tuple[str, str]],
    report: MergeReport,
) -> Iterator[tuple[str, str]]:
    """Yield facts that meet now and cannot both hold: the later, and the earlier.

    Two of which a person decided that both hold are none.
    """
    for one, other in _meeting(facts, mine):
        if (other["id"], one["id"]) in decided:
            continue
        if one["id"] in mine or other["id"] in mine:
            why = f"{other['id']} says otherwise: memctl pending list"
            report.conflict("fact", one["id"], why)
        yield other["id"], one["id"]


def _meeting(
    facts: Mapping[str, Entry], mine: Mapping[str, Entry]
) -> Iterator[tuple[Entry, Entry]]:
    """Yield new facts beside those that one of the two changes, the earlier first."""
    holding: dict[_Key, list[Entry]] = defaultdict(list)
    for row in facts.values():
        for key in _keys(row) if _holds(row) else ():
            holding[key].append(row)
    met: set[tuple[str, str]] = set()
    for row in facts.values():
        if row["id"] in mine or not _holds(row):
            continue
        rarest = sorted(_keys(row), key=lambda key: len(holding[key]))[:_RAREST]
        near = {other["id"]: other for key in rarest for other in holding[key]}
        for other in list(near.values())[:_COMPARED]:
            one, later = sorted((row, other), key=_age)
            pair = one["id"], later["id"]
            if other is not row and pair not in met and _differ(later, one):
                met.add(pair)
                yield one, later


def _keys(row: Entry) -> list[_Key]:
    """Return the slot and the words of a fact, each with whose it is."""
    owner = tuple(str(row[name]) for name in _OWNER)
    words = ((word,) for word in sorted(read(row["text"]).content))
    return [(*told, *owner) for told in (*_slot(row), *words)]


def _slot(row: Entry) -> tuple[tuple[str, str], ...]:
    key, attribute = row["subject_key"], row["attribute_key"]
    return ((key, attribute),) if key and attribute else ()


def _differ(later: Entry, earlier: Entry) -> bool:
    found = relation(later["text"], earlier["text"])
    return found.changes or bool(
        found.kind != "same" and _slot(later) and _slot(later) == _slot(earlier)
    )


def _decisions(*stores: Store) -> set[tuple[str, str]]:
    """Return the pairs of facts of which a person decided which holds, by their histories."""
    return {
        (row["fact_id"], row["why"].rpartition(" ")[2])
        for store in stores
        for row in store.rows(SQL.fact_changes)
        if row["event"] == "DECIDE"
    }


def _holds(row: Entry) -> bool:
    return row["status"] == "active" and row["valid_to"] is None and row["archived_at"] is None


def _merge_history(store: Store, other: Store, facts: Mapping[str, Entry]) -> None:
    """Keep each change of a fact that is here as often as the store has it that has it oftener."""

    def told(row: sqlite3.Row) -> tuple[Any, ...]:
        return tuple(travelling(row, "fact_history", "store").items())

    known = Counter(told(row) for row in store.rows(SQL.fact_changes))
    for row in other.rows(SQL.fact_changes):
        if row["fact_id"] in facts:
            change = told(row)
            known[change] -= 1
            if known[change] < 0:
                store.execute(SQL.add_fact_change, dict(change))
