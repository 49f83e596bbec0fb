"""Puts items of memctl's own exports into a store: with their ids and history, or as edits of what is here.

An item that is not here comes in as it left, at once with its words in the index. One that is here and
was edited in its file changes by the tier's own door, so that history keeps what it said before; one
that was not edited stays as it is, whatever has become of it here.
"""

from __future__ import annotations

import hashlib
import json
from functools import cached_property
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.arguments import checked_class
from memctl.base.errors import NotFoundError, OutOfScopeError, RefusedError, UsageError
from memctl.episodic.episodes import Episodes
from memctl.episodic.log import Log
from memctl.guard import door
from memctl.porting.exports.kept_items import digest_of, id_of, items_of, own_origin
from memctl.porting.restored_rows import RestoredRows, checked_item, texts_in
from memctl.semantic.facts import Facts
from memctl.store import statements
from memctl.store.erased_texts import IDENTITY
from memctl.text.aliases import Aliases

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memctl.base.scope import Scope
    from memctl.config.settings import Settings
    from memctl.store.store import Store

SQL = statements.load("store/restoring")

_READ_OUT = frozenset({"subject", "attribute", "value"})  # what a fact's text says
# What may be edited in a file, of each kind.
_EDITED: Mapping[str, frozenset[str]] = {
    "turn": frozenset(),
    "episode": frozenset({"summary", "details", "tags", "participants", "confidence"}),
    "fact": frozenset(
        {"text", "category", "importance", "metadata", "expires_at", "pinned", "status"}
    ),
    "alias": frozenset({"synonym"}),
    "knowledge": frozenset(),
}


@checked_class
class Restorer:
    """Restores and edits rows of one store, inside the caller's transaction.

    Parameters
    ----------
    scope
        Whose facts may come in and be changed.
    """

    def __init__(self, store: Store, settings: Settings, scope: Scope | None = None) -> None:
        self._store = store
        self._scope = scope
        self._facts = Facts(store, settings, scope)
        self._rows = RestoredRows(store)
        self._met: set[tuple[str, str]] = set()  # what turns and episodes of another store are here

    # What is written is looked at when it is: by the tier's door, or in `_add`.
    @door.guarded("import", unwritten=("item", "digest", "origin"))
    def put(self, kind: str, item: Mapping[str, Any], *, digest: str = "", origin: str = "") -> str:
        """Put one item into the store; return what became of it.

        Parameters
        ----------
        kind, item
            As `memctl.porting.exports.kept_items` describes.
        digest
            That of the item when it was exported; empty where nobody knows.
        origin
            The id of the store that it was exported from; empty for this one.

        Returns
        -------
        str
            ``added``, ``changed`` or ``known``.

        Raises
        ------
        UsageError
            When a value cannot be, or what was edited is not to be edited.
        RefusedError
            When it holds a secret, is another's, was erased here, or was changed here as well.
        """
        whole = checked_item(kind, item)
        self._check_owner(kind, whole)
        place = self._place(kind, whole, origin) or self._equal(kind, whole, origin)
        here = self._here(kind, place) if place else None
        if here is None:
            return self._add(kind, whole, place, origin)
        self._met.add((kind, place))
        if "id" in whole:
            here = {**here, "id": whole["id"]}
        if whole == here or digest_of(whole) == digest:
            return "known"
        edit = _digest("edit", kind, place, digest, digest_of(whole))
        if self._noted(edit) is not None:
            return "known"
        if digest and digest_of(here) != digest:
            raise RefusedError(
                f'{kind} "{_named(place)}" was edited in the file and changed here since',
                hint="export anew, and edit that",
            )
        self._change(kind, place, whole, here)
        self._note(edit, kind, place)
        return "changed"

    @door.guarded("import", unwritten=("digest", "origin"))
    def drop(self, kind: str, key: str, *, digest: str, origin: str = "") -> str:
        """Forget what was taken out of a file; return ``forgotten`` or ``known``.

        Raises
        ------
        RefusedError
            When it was changed here since it was exported, or refuses to go.
        """
        place = self._place_of(kind, key, origin)
        here = self._here(kind, place) if place else None
        if here is None or here.get("archived_at") or here.get("status") == "forgotten":
            return "known"
        if digest_of({**here, "id": _typed(kind, key)} if "id" in here else here) != digest:
            raise RefusedError(
                f'{kind} "{_named(key)}" is not in the file, and was changed here since it was exported',
                hint="export anew, and take it out of that",
            )
        if kind == "fact":
            self._facts.forget(place)
        elif kind == "episode":
            Episodes(self._store).forget([int(place)], why="taken out of an export")
        elif kind == "turn":
            Log(self._store).archive([int(place)], why="taken out of an export")
        elif kind == "alias":
            Aliases(self._store).remove(*place.split("\t"))
        else:
            raise UsageError(f"{kind} is made by memctl", hint="memctl dream sublimate")
        return "forgotten"

    def _check_owner(self, kind: str, item: Mapping[str, Any]) -> None:
        if kind != "fact" or self._scope is None:
            return
        for what, own in (("user", self._scope.user), ("agent", self._scope.agent)):
            if own is not None and item.get(f"{what}_id", "") != own:
                raise OutOfScopeError(
                    f'fact "{item["id"]}" is another {what}\'s', hint="open the store for all"
                )

    def _place(self, kind: str, item: Mapping[str, Any], origin: str) -> str:
        return self._place_of(kind, id_of(kind, item), origin)

    def _place_of(self, kind: str, key: str, origin: str) -> str:
        """Return the key of an item here: its own id, or the one that it was given here."""
        if kind not in {"turn", "episode"} or not self._is_foreign(origin):
            return key
        noted = self._noted(_digest("row", kind, origin, key))
        return str(noted) if noted is not None else ""

    def _equal(self, kind: str, item: Mapping[str, Any], origin: str) -> str:
        """Return the row here that is a turn or episode of another store; "" where there is none.

        So what went there from here, or came to both from a third, is not doubled when it comes back.
        """
        if kind not in {"turn", "episode"} or not self._is_foreign(origin):
            return ""
        for number in self._rows.like(kind, item):
            here = self._here(kind, str(number)) or {}
            same = all(here.get(name) == item.get(name) for name in IDENTITY[kind])
            if same and (kind, str(number)) not in self._met:
                self._note(_digest("row", kind, origin, str(item["id"])), kind, str(number))
                return str(number)
        return ""

    def _is_foreign(self, origin: str) -> bool:
        return bool(origin) and origin != self._own_origin

    @cached_property
    def _own_origin(self) -> str:
        return own_origin(self._store)

    def _here(self, kind: str, place: str) -> dict[str, Any] | None:
        asked = {"id": _typed(kind, place)}
        return next(items_of(self._store, kind, asked), None)

    def _add(self, kind: str, item: dict[str, Any], place: str, origin: str) -> str:
        foreign = self._is_foreign(origin)
        if self._rows.was_erased(kind, place) or (foreign and self._rows.erased_equal(kind, item)):
            raise RefusedError(
                f'{kind} "{_named(id_of(kind, item))}" was erased here',
                hint="write it anew to have it back",
            )
        if kind == "fact" and self._rows.says_same(item):
            return "known"
        door.refuse_secrets(
            self._store, "import", f'{kind} "{_named(place)}"', texts_in(kind, item)
        )
        turn_ids = self._turns_here(item, origin) if foreign else item.get("turns", [])
        given = self._rows.add(kind, {**item, "turns": turn_ids} if turn_ids else item)
        if foreign and kind in {"turn", "episode"}:
            self._note(_digest("row", kind, origin, str(item["id"])), kind, str(given))
            self._met.add((kind, str(given)))
        return "added"

    def _turns_here(self, item: Mapping[str, Any], origin: str) -> list[int]:
        numbers = (self._place_of("turn", str(turn), origin) for turn in item.get("turns", ()))
        return [int(number) for number in numbers if number]

    def _change(
        self, kind: str, place: str, item: Mapping[str, Any], here: Mapping[str, Any]
    ) -> None:
        # What somebody replaces in a whole file is replaced in what it said before, too.
        keys = (item.keys() | here.keys()) - {"history"}
        names = {key for key in keys if item.get(key) != here.get(key)}
        if "text" in names:
            names -= _READ_OUT  # anew, out of the new text
        fixed = sorted(names - _EDITED[kind])
        if fixed:
            raise UsageError(
                f'"{fixed[0]}" of {kind} "{_named(place)}" is not to be edited',
                hint=f"what is: {', '.join(sorted(_EDITED[kind])) or 'nothing'}",
            )
        if kind == "episode":
            given = {name: item.get(name, _EMPTY.get(name)) for name in names}
            Episodes(self._store).update(int(place), **given)
        elif kind == "fact":
            self._change_fact(place, item, names)

    def _change_fact(self, fact: str, item: Mapping[str, Any], names: set[str]) -> None:
        status = item.get("status", "active")
        if "status" in names and status == "active":
            self._facts.restore(fact)
        given = {name: item.get(name) for name in names - {"pinned", "status"}}
        if "metadata" in given:
            given["metadata"] = given["metadata"] or {}
        if "expires_at" in given:
            given["expires_at"] = given["expires_at"] or "never"
        if given:
            self._facts.update(fact, **given)
        if "pinned" in names:
            (self._facts.pin if item.get("pinned") else self._facts.unpin)(fact)
        if "status" in names and status == "forgotten":
            self._facts.forget(fact)
        elif "status" in names and status != "active":
            raise UsageError(f'status "{status}" is not to be written', hint="active or forgotten")

    def _noted(self, digest: str) -> str | None:
        if not self._store.exists:
            return None
        row = self._store.row(SQL.noted, {"digest": digest})
        return None if row is None else str(row["item"])

    def _note(self, digest: str, kind: str, item: str) -> None:
        noted = {"digest": digest, "kind": kind, "item": item, "now": clock.now()}
        self._store.execute(SQL.note, noted)


_EMPTY: Mapping[str, Any] = {"details": "", "tags": [], "participants": [], "confidence": "medium"}


def _typed(kind: str, key: str) -> int | str:
    if kind in {"turn", "episode"}:
        if not key.isdecimal():
            raise NotFoundError(f'there is no {kind} "{key:.40}"')
        return int(key)
    return key


def _named(key: str) -> str:
    return " = ".join(key.split("\t"))


def _digest(*parts: str) -> str:
    return hashlib.sha256(json.dumps(parts).encode("utf-8", "surrogatepass")).hexdigest()
