"""States: list, look up, rename, merge, restore. Needs no image library."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING

from memctl.base.arguments import checked_class
from memctl.base.clock import now
from memctl.base.errors import NotFoundError, UsageError
from memctl.base.near_words import meant
from memctl.guard import door
from memctl.store import statements
from memctl.store.collection import StoreCollection
from memctl.store.pages import ListPage, place_after, read_page
from memctl.visual.graph.naming import NamesInUse, check_name, folded
from memctl.visual.ignored_areas import Area, IgnoredArea, areas_of
from memctl.visual.match_results import Merged
from memctl.visual.pictured import Pictured, state_html

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from memctl.store.store import Store

SQL = statements.load("store/state")

_ID = re.compile(r"s_[0-9a-f]+")


@dataclass(frozen=True, slots=True)
class State(Pictured):
    """A screen of the app; counts include the states that were merged into it."""

    id: str
    name: str | None
    page: str | None
    title: str | None
    status: str
    visit_count: int
    component_count: int
    first_seen_at: str
    last_seen_at: str

    def _drawn(self, store: Store) -> str:
        return state_html(store, self.id)


@dataclass(frozen=True, slots=True)
class Defining(Pictured):
    """A component that defines a state."""

    component_id: int
    name: str
    type: str
    seen_count: int


@dataclass(frozen=True, slots=True)
class StateDetail(State):
    """A state with what defines it, the texts that were read on it, and all of it in words.

    ``ignored`` are areas that do not count, ``(x, y, w, h)`` or ``(x, y, w, h, label)``, in pixels
    at device-pixel ratio 1 from the window's corner.
    """

    components: list[Defining]
    texts: list[str]
    description: str
    ignored: list[Area]


@checked_class
class States(StoreCollection[State]):
    """The states of one store, named by id, name or page; a merged one answers as its survivor."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def list(
        self,
        *,
        unnamed: bool = False,
        holding: int | None = None,
        after: str | None = None,
        limit: int | None = None,
    ) -> ListPage[State]:
        """Return the living states, what was seen last first.

        Parameters
        ----------
        unnamed
            Only those without a name and a page.
        holding
            Only those that the component of this id stands on.
        after
            Where the page begins: ``""``, or ``next_after`` of the page before. Such pages are not
            counted.
        limit
            Most states; ``None`` for all.
        """
        with self._store.snapshot():
            asked = {"unnamed": unnamed, "holding": holding, **place_after(after)}
            found = read_page(self._store, SQL.listed, asked, itemgetter("id"), limit, after)
            rows = self._store.rows(SQL.summaries, {"ids": json.dumps(found)})
        states = {row["id"]: State(**dict(row)).with_pictures(self._store) for row in rows}
        return found.of(states)

    def names_of(self, ids: Iterable[str]) -> Mapping[str, str | None]:
        """Return the name or page of living states by their ids, ``None`` for those without either."""
        asked = {"ids": json.dumps(sorted(set(ids)))}
        rows = self._store.rows(SQL.summaries, asked)
        return {row["id"]: row["name"] or row["page"] for row in rows}

    def get(self, key: str) -> StateDetail:
        """Return one state with what defines it.

        Raises
        ------
        NotFoundError
            When there is no such living state; the message says if it was forgotten.
        """
        state_id = self.resolve(key)
        (row,) = self._store.rows(SQL.summaries, {"ids": json.dumps([state_id])})
        components = [
            Defining(**dict(one)).with_pictures(self._store)
            for one in self._store.rows(SQL.definition, {"id": state_id})
        ]
        texts = [one["text"] for one in self._store.rows(SQL.texts, {"id": state_id})]
        description = str(self._store.value(SQL.description, {"id": state_id}) or "")
        return StateDetail(
            **dict(row),
            components=components,
            texts=texts,
            description=description,
            ignored=[area.given for area in self._ignored(state_id)],
        ).with_pictures(self._store)

    def resolve(self, key: str) -> str:
        """Return the id of the living state behind an id, a name, a page or a title.

        A merged state's id and name lead to its survivor.

        Raises
        ------
        NotFoundError
            When there is no such living state; the message says if it was forgotten.
        UsageError
            When several states are of this page or title.
        """
        key = door.clean(key, what="state")
        # SQLite knows the case of a to z alone; the rest of the alphabets is compared here.
        found = (
            self._store.value(SQL.resolve, {"key": key})
            or next((s.id for s in self.list() if s.name and folded(s.name) == folded(key)), None)
            or self._only_of_page(key)
        )
        if found is None:
            hint = meant(key, self.called(), _SEE_LIST)
            raise NotFoundError(f'there is no state "{key}"{self._fate(key)}', hint=hint)
        return str(found)

    @door.guarded("state")
    def rename(self, key: str, name: str) -> StateDetail:
        """Give a state a name.

        Raises
        ------
        UsageError
            When the name is unfit or looks like an id, or another living state has it.
        """
        wanted = check_name(door.clean(name, what="name", limit=door.MAX_NAME))
        if _ID.fullmatch(wanted):
            raise UsageError(f'the name "{wanted}" looks like an id', hint="choose another name")
        with self._store.transaction():
            state_id = self.resolve(key)
            taken = {folded(s.name) for s in self.list() if s.name and s.id != state_id}
            if folded(wanted) in taken:
                raise UsageError(f'there is already a state "{wanted}"', hint="choose another name")
            self._store.execute(SQL.rename, {"id": state_id, "name": wanted})
            return self.get(state_id)

    @door.guarded("state")
    def ignore(
        self, key: str, areas: Sequence[Area] = (), *, add: bool = False, remove: bool = False
    ) -> StateDetail:
        """Set the areas of a state that do not count; without any, all of it counts again.

        Parameters
        ----------
        key
            As for `get`.
        areas
            ``(x, y, w, h)`` or ``(x, y, w, h, label)``, in pixels at device-pixel ratio 1 from the
            window's corner.
        add
            The areas that are there stay.
        remove
            These areas count again; the others stay.

        Raises
        ------
        NotFoundError
            When an area to remove is not there.
        UsageError
            When one of them is no area, or is empty.
        """
        given = {area.box: area for area in areas_of(areas)}
        with self._store.transaction():
            state_id = self.resolve(key)
            before = {area.box: area for area in self._ignored(state_id)}
            after = {**(before if add else {}), **given}
            if remove:
                for box in given.keys() - before.keys():
                    place = ",".join(map(str, box.xywh))
                    raise NotFoundError(
                        f'the state "{key}" has no ignored area {place}',
                        hint=f'see "memctl states show {state_id}"',
                    )
                after = {box: area for box, area in before.items() if box not in given}
            self._store.execute(SQL.drop_ignored, {"id": state_id})
            rows = [{"state_id": state_id, **area.columns} for area in after.values()]
            self._store.execute_many(SQL.put_ignored, rows)
            if before.keys() - after.keys():
                self._store.execute(SQL.look_again, {"id": state_id})
            return self.get(state_id)

    def _ignored(self, state_id: str) -> Sequence[IgnoredArea]:
        return [IgnoredArea.of(row) for row in self._store.rows(SQL.ignored, {"id": state_id})]

    @door.guarded("state")
    def merge(self, one: str, other: str) -> Merged:
        """Declare two states the same screen: the less visited goes into the more visited.

        Nothing is rewritten: views add visits and transitions up, and `restore` undoes it.
        """
        with self._store.transaction():
            left, right = self.get(one), self.get(other)
            if left.id == right.id:
                raise UsageError(f'"{one}" and "{other}" are the same state')
            similarity = plain_jaccard(
                [c.component_id for c in left.components],
                [c.component_id for c in right.components],
            )
            return merge_states(self._store, left, right, similarity)

    @door.guarded("state")
    def restore(self, key: str) -> StateDetail:
        """Undo a merge or a forgetting.

        The state gets a number behind its name when another one bears the name by now.

        Raises
        ------
        NotFoundError
            When no state ever had this id.
        UsageError
            When it is neither merged nor forgotten, or nothing living defines it.
        """
        with self._store.transaction():
            row = self._store.row(SQL.any_state, {"id": door.clean(key, what="state")})
            if row is None:
                raise NotFoundError(f'there never was a state "{key}"', hint=_SEE_LIST)
            if row["merged_into"] is None and row["forgotten_at"] is None:
                raise UsageError(f'the state "{key}" is neither merged nor forgotten')
            bring_back(self._store, row)
            restored = self.get(row["id"])
            if not restored.components and row["known_by"] == "components":
                raise UsageError(
                    f'nothing living defines the state "{key}"',
                    hint="restore its components: memctl components list --forgotten",
                )
            # Its survivor may have lived on its components alone.
            self._store.execute(SQL.forget_empty, {"forgotten_at": now()})
            return restored

    def called(self) -> Sequence[str]:
        """Return the names, pages and ids of the living states, the most visited first."""
        words = [word for one in self.list() for word in (one.name, one.page, one.id) if word]
        return list(dict.fromkeys(words))

    def _members(self) -> Sequence[State]:
        return self.list()

    def _only_of_page(self, page: str) -> str | None:
        ids = [row["id"] for row in self._store.rows(SQL.of_page, {"key": page})]
        if len(ids) > 1:
            raise UsageError(
                f'{len(ids)} states are of the page "{page}"', hint=f"choose one: {', '.join(ids)}"
            )
        return ids[0] if ids else None

    def _fate(self, key: str) -> str:
        row = self._store.row(SQL.any_state, {"id": key})
        if row is None or row["forgotten_at"] is None:
            return ""
        return f": forgotten at {row['forgotten_at']}, {row['forgotten_why']}"


def plain_jaccard(left: Collection[int], right: Collection[int]) -> float:
    """Return ``|left & right| / |left | right|``, 0 to 1; two empty sets are unlike."""
    one, other = set(left), set(right)
    union = len(one | other)
    return len(one & other) / union if union else 0.0


def surviving_first(states: Iterable[State]) -> list[State]:
    """Order states: of two that are merged, the one before survives."""
    return sorted(states, key=lambda s: (-s.visit_count, s.first_seen_at, s.id))


def merge_states(store: Store, state: State, other: State, similarity: float) -> Merged:
    """Mark the less visited of two states as merged into the other. In a transaction."""
    into, merged = surviving_first((state, other))
    store.execute(
        SQL.merge,
        {"id": merged.id, "into": into.id, "merged_at": now(), "similarity": similarity},
    )
    if into.status != merged.status:
        store.execute(SQL.confirm, {"id": into.id})
    return Merged(merged.id, into.id, round(similarity, 4))


def bring_back(store: Store, row: sqlite3.Row) -> None:
    """Make a merged or forgotten state a living one, under its name if that is free.

    Parameters
    ----------
    row
        The state's ``id`` and ``name``. In a transaction of the caller's.
    """
    key = {"id": row["id"]}
    store.execute(SQL.rename, {**key, "name": None})  # until it is known to be free
    store.execute(SQL.unmerge, key)
    store.execute(SQL.restore, key)
    if row["name"] is not None:
        taken = NamesInUse(state.name for state in States(store).list() if state.name)
        store.execute(SQL.rename, {**key, "name": taken.claim(row["name"])})


_SEE_LIST = 'see "memctl states list"'
