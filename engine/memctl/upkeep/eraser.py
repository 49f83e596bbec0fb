"""Erases rows, all that is linked with them and every byte of both; and proves it."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NoReturn

from memctl.base.clock import now
from memctl.base.errors import (
    BusyError,
    ConfirmationRequiredError,
    DiskFullError,
    FileAccessError,
    MemctlError,
    MissingParamError,
    NotFoundError,
    UsageError,
)
from memctl.base.scope import Scope
from memctl.episodic.episodes import Episodes
from memctl.episodic.log import Log
from memctl.guard.door import guarded
from memctl.search.erased_cells import QUOTING, Erasing, erasing, tables_of
from memctl.search.index.index_rows import kind_and_id
from memctl.search.index.unindexed import index_rows
from memctl.semantic.fact_rows import find_row
from memctl.semantic.facts import Facts
from memctl.store import statements
from memctl.store.results import Result
from memctl.store.sqlite_errors import translated
from memctl.text.closed_words import content_words
from memctl.text.splitting import quoted
from memctl.upkeep.erasure_proof import (
    KINDS,
    FileCopy,
    Proof,
    copies_holding,
    look_for,
    pieces_in,
)
from memctl.upkeep.spool import forget_damaged, take_in
from memctl.visual.graph.components import Components
from memctl.visual.graph.erasing import erase_state
from memctl.visual.graph.states import States

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memctl.base.clock import When
    from memctl.config.settings import Settings
    from memctl.store.store import Store

SQL = statements.load("store/erasure")
STATES = statements.load("store/state")

_MOST_NAMED = 100  # rows that quote what has gone
_TO_FINISH = 'then "memctl erase --finish"'
_FACT = re.compile(r"(?:fact:)?(f_[0-9a-z_]+(?:\.\d+)*)")
_STATE = re.compile(r"(?:state:)?(s_[0-9a-f]+)")
_SKILL = re.compile(r"(?:skill:)?(k_[0-9a-f]+)")
_MEMORY = re.compile(r"(turn|episode|component):(\d{1,18})")
_OTHER = re.compile(r"([a-z_]+):(.+)", re.DOTALL)
_TABLES = {kind: table for table, kind in KINDS.items()}


@dataclass(frozen=True, slots=True)
class Erasure(Result):
    """An erasure, or what one would take: ids and counts, never a text.

    Parameters
    ----------
    done
        False where it was only tried, and taken back.
    items
        The rows that were chosen and those made of them: ``"turn:12"``, ``"f_3921fa271ecc"``,
        ``"component:7"``, ``"s_a3f2c1"``.
    rows
        Rows that went, by table.
    blanked
        Cells that were emptied because they belong to one, by table and column.
    still_said, others
        Rows that were not chosen and hold a piece, a name, a number or an odd word of what has
        gone: the first of them, as `erase` takes them, and how many.
    copies
        Copies that were made earlier, as far as the home shows them.
    proof
        ``None`` where it was only tried.
    """

    done: bool
    items: tuple[str, ...]
    rows: dict[str, int]
    blanked: dict[str, int]
    still_said: tuple[str, ...] = ()
    others: int = 0
    copies: tuple[FileCopy, ...] = ()
    proof: Proof | None = None


class _TriedError(MemctlError):
    """An erasure that was only tried is taken back."""


class Eraser:
    """Erases from one store, within one scope of facts."""

    def __init__(self, store: Store, settings: Settings, scope: Scope | None = None) -> None:
        self._store = store
        self._settings = settings
        self._scope = scope or Scope()

    @guarded(
        "erasure",
        unwritten=("ids", "query", "component", "state", "participant", "before"),
    )
    def erase(
        self,
        ids: Iterable[str] = (),
        *,
        query: str | None = None,
        component: str | None = None,
        state: str | None = None,
        participant: str | None = None,
        before: When | None = None,
        why: str = "asked for",
        confirm: bool = False,
        dry_run: bool = False,
    ) -> Erasure:
        """Erase what is chosen; see `memctl.Memory.erase`."""
        if self._store.writing:
            raise UsageError("an erasure is no part of a transaction", hint="end that one first")
        self._store.connection()
        tried = dry_run or not confirm
        take_in(self._store)  # what waits may quote it
        try:
            with self._store.transaction():
                chosen = _Selector(self._store, self._scope).choose(
                    ids,
                    query=query,
                    component=component,
                    state=state,
                    participant=participant,
                    before=None
                    if before is None
                    else self._store.zone.told(before, what="before").at,
                )
                with erasing(self._store, chosen.asked) as going:
                    going.tried = tried
                    self._erase(chosen, going, why)
                if tried:
                    self._take_back()
        except _TriedError:
            receipt = _receipt(going, done=False)
            if not dry_run:
                raise ConfirmationRequiredError(
                    f"{len(receipt.items)} rows would be erased for ever",
                    hint="confirm it; dry_run shows what would go",
                ) from None
            return receipt
        return self._proven(going)

    @guarded("erasure")
    def finish(self) -> Erasure:
        """Write the files anew, where an erasure could not be finished; see `Memory.erase`."""
        self._store.connection()
        with self._store.transaction(), erasing(self._store) as going:
            pass
        return self._proven(going)

    def _erase(self, chosen: _Selection, going: Erasing, why: str) -> None:
        rows = chosen.rows
        facts, components = Facts(self._store, self._settings, self._scope), Components(self._store)
        for fact in rows.get("fact", ()):
            if self._is_left("fact", fact):  # an older version goes with the newer
                facts.erase(str(fact))
        if turns := rows.get("turn"):
            Log(self._store).erase(map(int, turns), why=why)
        if episodes := [e for e in rows.get("episode", ()) if self._is_left("episode", e)]:
            Episodes(self._store).erase(map(int, episodes), why=why)
        for component in rows.get("component", ()):
            if self._is_left("component", component):  # one inside of another goes with it
                components.erase(int(component))
        for state in rows.get("state", ()):
            erase_state(self._store, str(state), at=now())
        self._store.execute(STATES.forget_empty, {"forgotten_at": now()})
        for name, keys in chosen.others.items():
            table = going.tables[name]
            sql = table.delete() if name in KINDS else table.erase()
            self._store.execute(sql, {"keys": json.dumps(list(keys))})

    def _take_back(self) -> NoReturn:
        raise _TriedError("the transaction is rolled back")

    def _is_left(self, kind: str, key: int | str) -> bool:
        return self._store.row(SQL.is_left, {"kind": kind, "id": key}) is not None

    def _proven(self, going: Erasing) -> Erasure:
        """Write the files anew, read them, and return the receipt."""
        pieces = pieces_in(going)
        forget_damaged(self._store.path)
        with self._store.unscoped():
            unfinished = self._written_anew()
            left = look_for(self._store, going, pieces)
        proof = Proof(
            proven=not (unfinished or left.places),
            pieces=len(pieces),
            words=len(going.words.gone),
            files=left.files,
            found=left.places,
            unfinished=unfinished,
        )
        receipt = _receipt(going, done=True)
        return replace(
            receipt,
            still_said=left.still_said[:_MOST_NAMED],
            others=len(left.still_said),
            copies=copies_holding(self._store, pieces),
            proof=proof,
        )

    def _written_anew(self) -> str:
        """Write the file anew and empty its log; return why that could not be, and what to do."""
        try:
            with translated(self._store.path):
                self._store.connection().execute("vacuum")
            if not self._store.flush_deleted():
                return f"another process still reads what was erased: end it, {_TO_FINISH}"
        except DiskFullError:
            return f"the disk is full: make room, {_TO_FINISH}"
        except (BusyError, FileAccessError) as error:
            return f"{error.message}: {error.hint}, {_TO_FINISH}"
        return ""


def _receipt(going: Erasing, *, done: bool) -> Erasure:
    rows = defaultdict[str, dict[str, None]](dict)
    for cell in going.cells:
        if cell.field is None:
            rows[cell.relation][cell.row_key] = None
    blanked = Counter(
        f"{cell.relation}.{cell.field}"
        for cell in set(going.cells)
        if cell.field is not None and cell.row_key not in rows[cell.relation]
    )
    items = [
        f"{kind}:{key}" if kind else key
        for table, kind in KINDS.items()
        if table != "fact"  # its key is a number that nobody knows
        for key in rows.get(table, ())
    ]
    items += [str(one.was) for one in going.cells if (one.relation, one.field) == ("fact", "id")]
    return Erasure(
        done=done,
        items=tuple(items),
        rows={table: len(keys) for table, keys in sorted(rows.items()) if keys},
        blanked=dict(sorted(blanked.items())),
    )


# -- what is chosen ----------------------------------------------------------------------


@dataclass(slots=True)
class _Selection:
    """Rows that are to be erased, by kind, and the texts by which they were asked for."""

    rows: dict[str, dict[int | str, None]] = field(default_factory=dict)
    others: dict[str, dict[str, None]] = field(default_factory=dict)  # keys, by table
    asked: tuple[str, ...] = ()

    def add_others(self, table: str, keys: Iterable[int | str]) -> None:
        """Add rows of a table that go alone."""
        self.others.setdefault(table, {}).update(dict.fromkeys(map(str, keys)))

    def add(self, kind: str, ids: Iterable[int | str]) -> None:
        """Add rows of a kind, each once."""
        self.rows.setdefault(kind, {}).update(dict.fromkeys(ids))

    @property
    def count(self) -> int:
        return sum(map(len, self.rows.values())) + sum(map(len, self.others.values()))


class _Selector:
    """Chooses rows of one store within one scope. In a transaction."""

    def __init__(self, store: Store, scope: Scope) -> None:
        self._store = store
        self._scope = scope
        self._components = Components(store)
        self._states = States(store)

    def choose(
        self,
        ids: Iterable[str],
        *,
        query: str | None,
        component: str | None,
        state: str | None,
        participant: str | None,
        before: str | None,
    ) -> _Selection:
        """Return the rows that are meant.

        Raises
        ------
        MissingParamError
            When nothing says what.
        UsageError
            When several things do; a person and a time may stand together.
        NotFoundError
            When one of them is not there, or nothing is found.
        """
        chosen = _Selection()
        ids = list(ids)
        ways = [bool(ids), query is not None, component is not None, state is not None]
        ways.append(participant is not None or before is not None)
        if not any(ways):
            raise MissingParamError("nothing says what to erase", hint="give ids, or --query")
        if sum(ways) > 1:
            raise UsageError(
                "several ways to choose are given", hint="one at a time; each may erase more"
            )
        for one in ids:
            self._add_id(chosen, one)
        if component is not None:
            chosen.add("component", [self._components.get(component).id])
        if state is not None:
            chosen.add("state", [self._state(state)])
        if query is not None:
            self._add_matching(chosen, query)
        if participant is not None or before is not None:
            self._add_said(chosen, participant, before)
        if not chosen.count:
            raise NotFoundError("nothing is there to erase", hint="nothing was erased")
        return chosen

    def _add_id(self, chosen: _Selection, name: str) -> None:
        if found := _FACT.fullmatch(name):
            chosen.add("fact", [find_row(self._store, self._scope.reading(), found[1])["id"]])
        elif found := _STATE.fullmatch(name):
            chosen.add("state", [self._state(found[1])])
        elif found := _MEMORY.fullmatch(name):
            kind, number = found[1], int(found[2])
            if kind == "turn":
                Log(self._store).get(number)
            elif kind == "episode":
                Episodes(self._store).get(number)
            else:
                self._components.get(f"#{number}")
            chosen.add(kind, [number])
        elif found := _SKILL.fullmatch(name):
            self._add_other(chosen, "skill", found[1])
        elif (found := _OTHER.fullmatch(name)) and found[1] != "component":
            self._add_other(chosen, found[1], found[2])
        else:
            chosen.add("component", [self._components.get(name.removeprefix("component:")).id])

    def _add_other(self, chosen: _Selection, kind: str, key: str) -> None:
        """Add a row of any other table, as a receipt names it."""
        name = _TABLES.get(kind, kind)
        table = tables_of(self._store).get(name)
        if (
            table is None
            or not set(QUOTING).intersection(table.columns.values())
            or self._store.row(table.has(), {"keys": json.dumps([key])}) is None
        ):
            raise NotFoundError(f'there is no {kind} "{key}"', hint="nothing was erased")
        chosen.add_others(name, [key])

    def _state(self, key: str) -> str:
        row = self._store.row(STATES.any_state, {"id": key})
        return str(row["id"]) if row is not None else self._states.resolve(key)

    def _add_matching(self, chosen: _Selection, query: str) -> None:
        """Add the turns, episodes and facts with every word of a query, whatever their mark."""
        words = content_words(query)
        if not words:
            raise UsageError(
                f'"{query:.40}" holds no word that finds something', hint="name what is rare in it"
            )
        index_rows(self._store)
        match = " AND ".join(map(quoted, words))
        facts: list[int] = []
        for row in self._store.rows(SQL.matching, {"match": match}):
            kind, number = kind_and_id(row["index_row"])
            if kind == "fact":
                facts.append(number)
            else:
                chosen.add(kind, [number])
        self._add_facts(chosen, self._ids_of(facts))
        chosen.asked = (query,)

    def _add_said(self, chosen: _Selection, participant: str | None, before: str | None) -> None:
        asked = {"participant": participant, "before": before}
        chosen.add("turn", self._column(SQL.turns_of, asked))
        chosen.add("episode", self._column(SQL.episodes_of, asked))
        self._add_facts(chosen, self._column(SQL.facts_of, asked))
        if participant is not None:
            chosen.asked = (participant,)
            return
        chosen.add_others("recall", self._column(SQL.recalls_before, asked))
        chosen.add_others("journal", self._column(SQL.entries_before, asked))
        chosen.add_others("journal_snapshot", self._column(SQL.snapshots_before, asked))
        chosen.add_others("tool_call", self._column(SQL.calls_before, asked))

    def _add_facts(self, chosen: _Selection, ids: Iterable[int | str]) -> None:
        """Add those of some facts that are within the scope."""
        for one in ids:
            try:
                find_row(self._store, self._scope.reading(), str(one))
            except NotFoundError:
                continue
            chosen.add("fact", [one])

    def _ids_of(self, numbers: list[int]) -> list[int | str]:
        return self._column(SQL.fact_ids, {"numbers": json.dumps(numbers)})

    def _column(self, sql: str, parameters: Mapping[str, object]) -> list[int | str]:
        return [row[0] for row in self._store.rows(sql, parameters)]
