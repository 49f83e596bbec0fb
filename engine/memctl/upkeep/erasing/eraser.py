"""Erases rows, all that quotes them and every byte of both; and proves it."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NoReturn

from memctl.base.clock import now
from memctl.base.errors import (
    BusyError,
    ConfirmationRequiredError,
    DiskFullError,
    FileAccessError,
    MemctlError,
    UsageError,
)
from memctl.base.scope import Scope
from memctl.episodic.episodes import Episodes
from memctl.episodic.log import Log
from memctl.guard.door import guarded
from memctl.search.erasure import table_sql
from memctl.search.erasure.erased_cells import Erasing, erasing
from memctl.semantic.facts import Facts
from memctl.store import statements
from memctl.store.sqlite_errors import translated
from memctl.upkeep.erasing.erasure_receipt import Erasure, Proof
from memctl.upkeep.erasing.left_pieces import Left, copies_holding, look_for, pieces_in
from memctl.upkeep.erasing.selection import PLAIN_KINDS, Selection, Selector
from memctl.upkeep.spool import forget_damaged, take_in
from memctl.visual.graph.components import Components
from memctl.visual.graph.erasing import erase_state

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memctl.base.clock import When
    from memctl.config.settings import Settings
    from memctl.store.store import Store

SQL = statements.load("store/erasure")
STATES = statements.load("store/state")

_MOST_NAMED = 20  # rows that still say the same
_TO_FINISH = 'then "memctl erase --finish"'
# Rows that are named in a receipt: how, by their table.
_NAMED = {"log": "turn:", "episode": "episode:", "component": "component:", "state": ""} | {
    table: f"{kind}:" for kind, table in PLAIN_KINDS.items()
}


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
        take_in(self._store)  # what waits may say it, too
        try:
            with self._store.transaction():
                chosen = Selector(self._store, self._scope).choose(
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
                    self._erase(chosen, why)
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

    def _erase(self, chosen: Selection, why: str) -> None:
        rows = chosen.rows
        facts, components = Facts(self._store, self._settings, self._scope), Components(self._store)
        for fact in rows.get("fact", ()):
            if self._is_left("fact", fact):  # an older version goes with the newer
                facts.erase(str(fact))
        if turns := rows.get("turn"):
            Log(self._store).erase(map(int, turns), why=why)
        if episodes := [one for one in rows.get("episode", ()) if self._is_left("episode", one)]:
            Episodes(self._store).erase(map(int, episodes), why=why)
        for component in rows.get("component", ()):
            if self._is_left("component", component):  # one inside of another goes with it
                components.erase(int(component))
        for state in rows.get("state", ()):
            erase_state(self._store, str(state), at=now())
        self._store.execute(STATES.forget_empty, {"forgotten_at": now()})
        for kind, table in PLAIN_KINDS.items():
            self._store.execute(
                table_sql.delete_by_id(table), {"ids": json.dumps(list(rows.get(kind, ())))}
            )

    def _take_back(self) -> NoReturn:
        raise _TriedError("the transaction is rolled back")

    def _is_left(self, table: str, key: int | str) -> bool:
        return self._store.row(table_sql.has_id(table), {"id": key}) is not None

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
        return _receipt(going, done=True, left=left, proof=proof, store=self._store, pieces=pieces)

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


def _receipt(
    going: Erasing,
    *,
    done: bool,
    left: Left | None = None,
    proof: Proof | None = None,
    store: Store | None = None,
    pieces: Iterable[bytes] = (),
) -> Erasure:
    rows = defaultdict[str, dict[str, None]](dict)
    for one in going.cells:
        if one.field is None:
            rows[one.relation][one.row_key] = None
    blanked = Counter(
        f"{one.relation}.{one.field}"
        for one in set(going.cells)
        if one.field is not None and one.row_key not in rows[one.relation]
    )
    items = [f"{_NAMED[table]}{key}" for table in _NAMED for key in rows.get(table, ())]
    items += [str(one.was) for one in going.cells if (one.relation, one.field) == ("fact", "id")]
    still = left.still_said if left else ()
    return Erasure(
        done=done,
        items=tuple(items),
        rows={table: len(keys) for table, keys in sorted(rows.items()) if keys},
        blanked=dict(sorted(blanked.items())),
        still_said=tuple(still[:_MOST_NAMED]),
        others=len(still),
        copies=copies_holding(store, pieces) if store is not None else (),
        proof=proof,
    )
