"""Components: list, look up, rename, pin, forget, restore, erase. Needs no image library."""

from __future__ import annotations

import json
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, TypedDict, overload

from memctl.base.arguments import checked_class
from memctl.base.clock import now
from memctl.base.errors import NotFoundError, UsageError
from memctl.base.near_words import meant
from memctl.guard import door
from memctl.search.erased_cells import erasing
from memctl.store import statements
from memctl.store.collection import StoreCollection
from memctl.store.pages import ListPage, place_after, read_page
from memctl.store.results import Result
from memctl.visual.graph.erasing import ErasedPlace, erase_component, erased_places, lift_erasure
from memctl.visual.graph.naming import NamesInUse, check_name, fit, folded
from memctl.visual.graph.states import bring_back
from memctl.visual.pictured import Pictured, Place, middle

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from typing import Unpack

    from memctl.store.store import Store


@dataclass(frozen=True, slots=True)
class Component(Pictured):
    """Something that can be seen on a screen.

    ``rel_x`` and ``rel_y`` are pixels from the window's left top corner to the component's,
    where it was last seen; they, ``w`` and ``h`` are in pixels at the device-pixel ratio
    ``scale``. ``twins`` counts others of its look on the screenshot that it was last learned
    from (``None``: nobody has counted them), ``looks`` its templates.
    """

    id: int
    name: str
    type: str
    source: str
    label: str | None
    page: str | None
    scale: float
    rel_x: int
    rel_y: int
    w: int
    h: int
    confidence: float
    learned_at: str
    last_seen_at: str
    seen_count: int
    consecutive_misses: int
    pinned: bool
    forgotten_at: str | None
    forgotten_why: str | None
    twins: int | None
    row_text: str | None
    section: str | None
    cut: bool
    field: bool
    changing_at: str | None
    looks: int

    @property
    def box(self) -> Place:
        """Where it was last seen: pixels at `scale`, from the left top corner of the window."""
        return self.rel_x, self.rel_y, self.w, self.h

    @property
    def center(self) -> tuple[float, float]:
        """The middle of `box`. Where it is now is the answer of ``locate`` and ``match``."""
        return middle(*self.box)


@dataclass(frozen=True, slots=True)
class TemplateInfo(Pictured):
    """A template, a picture of a component: size in pixels, device-pixel ratio, digest of its pixels."""

    id: int
    w: int
    h: int
    scale: float
    sha256: str
    learned_at: str
    bytes: int

    @property
    def template_id(self) -> int:
        """The id, by another name."""
        return self.id


@dataclass(frozen=True, slots=True)
class ErasedComponent(Result):
    """The erased component; ``erased`` is false while a reader still keeps the old bytes.

    Templates of other components that showed it were ``looks_masked`` or, where nothing was
    left to be found by, ``looks_removed``; ``inside`` counts the components inside of it that were
    erased with it.
    """

    component_id: int
    name: str
    states_emptied: int
    erased: bool
    looks_masked: int = 0
    looks_removed: int = 0
    inside: int = 0


class ComponentChoice(TypedDict, total=False):
    """Components that are chosen by what `Components.list` filters by; at least one is given."""

    keys: Sequence[str | int]
    page: str | None
    type: str | None
    unlabelled: bool
    stale: bool
    missed: int | None
    stateless: bool


SQL = statements.load("store/component")
STATES = statements.load("store/state")
TEMPLATES = statements.load("store/template")

_ID_DIGITS = 18  # SQLite's integers have 19
_MOST_NAMED = 8  # components in the hint of an ambiguous label
_MOST_SHOWN = 80  # characters of an unknown name in a message


@checked_class
class Components(StoreCollection[Component]):
    """The components of one store.

    A component is named by its name, whatever the case, or by its id. What is done to one can be
    done to several, chosen as `list` chooses them: ``components.forget(missed=3)``.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def list(
        self,
        *,
        page: str | None = None,
        type: str | None = None,  # noqa: A002  (the word of the store and the boxes file)
        unlabelled: bool = False,
        stale: bool = False,
        missed: int | None = None,
        stateless: bool = False,
        keys: Sequence[str | int] = (),
        forgotten: bool = False,
        holds: str = "",
        after: str | None = None,
        limit: int | None = None,
    ) -> ListPage[Component]:
        """Return components: what was seen last first, and of one look in the order of learning.

        Parameters
        ----------
        page, type
            Only components of this page or type.
        unlabelled
            Only components without a label, which a person may want to name.
        stale
            Only components missed when last expected.
        missed
            Only components missed so many times in a row, or more often.
        stateless
            Only components that no state has, not even a forgotten one.
        keys
            Only components of these names or ids.
        forgotten
            The forgotten ones instead of the living.
        holds
            Only components whose name or label holds this text, in capitals or not, and those of
            `keys`.
        after
            Where the page begins: ``""``, or ``next_after`` of the page before. Such pages are not
            counted.
        limit
            Most components; ``None`` for all.

        Raises
        ------
        NotFoundError
            When there is no component of one of `keys`.
        """
        filters = {
            "page": page,
            "type": type,
            "unlabelled": unlabelled,
            "missed": int(stale) if missed is None else missed,
            "stateless": stateless,
            "forgotten": forgotten,
            **place_after(after),
        }
        with self._store.snapshot():
            among = [self.get(key).id for key in keys]
            among += self._holding(holds) if holds else []
            asked = {**filters, "keys": json.dumps(among) if keys or holds else None}
            found = read_page(self._store, SQL.listed, asked, itemgetter("id"), limit, after)
            rows = self._store.rows(SQL.by_ids, {"ids": json.dumps(found)})
        components = {row["id"]: self._component(row) for row in rows}
        return found.of(components)

    def get(self, key: str | int) -> Component:
        """Return the component of this name, id or label, a living one before a forgotten one.

        ``#7`` is the component of id 7, whatever is named "7". A label that one living
        component alone bears is as good as its name.

        Raises
        ------
        NotFoundError
            When there is none; the hint offers names that are close.
        UsageError
            When a number is the name of one component and the id of another: a calculator's
            key "7" is not the seventh component; when several bear the label.
        """
        if isinstance(key, str) and key.startswith("#") and key[1:].isdecimal():
            key = int(key[1:])
        found = self.named(key) if isinstance(key, str) else None
        self._check_unambiguous(key, found)
        wanted = _as_id(key) if found is None else found
        row = None if wanted is None else self._row(wanted)
        if row is None and isinstance(key, str):
            row = self._only_labelled(key)
        if row is None:
            shown = _shown(key)
            raise NotFoundError(f'there is no component "{shown}"', hint=self._close_to(shown))
        return self._component(row)

    def called(self, key: str | int) -> Sequence[Component]:
        """Return every living component of this name, label or id, what fits best first.

        Capitals make no difference, nor do blanks and underscores: "save as" is ``Save_as``.

        Raises
        ------
        NotFoundError
            When there is none.
        UsageError
            When a number is the name of one component and the id of another.
        """
        ids = self._fitting(key) if isinstance(key, str) else ()
        if ids:
            self._check_unambiguous(key, ids[0])
        return [self.living(one) for one in ids] or [self.living(key)]

    def _component(self, row: sqlite3.Row) -> Component:
        fields = dict(row)
        del fields["made_name"]
        flags = {key: bool(fields[key]) for key in ("pinned", "cut", "field")}
        return Component(**fields | flags).with_pictures(self._store)

    def _row(self, component_id: int) -> sqlite3.Row | None:
        return self._store.row(SQL.by_ids, {"ids": json.dumps([component_id])})

    def _living_rows(self) -> Sequence[sqlite3.Row]:
        """Return ids, names and labels of the living components, in the order of learning."""
        rows = [row for row in self._store.rows(SQL.names) if not row["forgotten"]]
        return sorted(rows, key=itemgetter("id"))

    def _holding(self, text: str) -> Sequence[int]:
        """Return ids of components, forgotten or not, that have a text in their name or label."""
        rows, wanted = self._store.rows(SQL.names), folded(text)
        return [r["id"] for r in rows if wanted in folded(f"{r['name']}\n{r['label'] or ''}")]

    def _fitting(self, key: str) -> Sequence[int]:
        """Return the living components that a text may mean, what fits best first."""
        if key.startswith("#") and key[1:].isdecimal():
            return ()
        name = door.clean(key, what="name")
        fits = [(fit(name, row["name"], row["label"]), row["id"]) for row in self._living_rows()]
        return [one for _, one in sorted((how, one) for how, one in fits if how is not None)]

    def _only_labelled(self, label: str) -> sqlite3.Row | None:
        """Return the living component that alone bears a label, ``None`` where none does."""
        ids = self.labelled(door.clean(label, what="name"))
        if len(ids) > 1:
            names = [row["name"] for row in self._living_rows() if row["id"] in ids][:_MOST_NAMED]
            more = f" and {len(ids) - len(names)} more" if len(ids) > len(names) else ""
            raise UsageError(
                f'{len(ids)} components are labelled "{_shown(label)}"',
                hint=f"choose one: {', '.join(names)}{more}",
            )
        return self._row(ids[0]) if ids else None

    def _check_unambiguous(self, key: str | int, named: int | None) -> None:
        number = _as_id(key) if isinstance(key, str) and named is not None else None
        if number is None or number == named or self._row(number) is None:
            return
        raise UsageError(
            f'"{key}" is the name of component {named} and the id of another',
            hint=f'write "#{named}" or "#{number}"',
        )

    def living(self, key: str | int) -> Component:
        """Return the component of this name or id; a forgotten one is not found, either."""
        component = self.get(key)
        if component.forgotten_at is not None:
            raise NotFoundError(
                f'the component "{component.name}" is forgotten',
                hint=f"bring it back: memctl components restore {component.id}",
            )
        return component

    def named(self, name: str) -> int | None:
        """Return the id of the component of this name, whatever its case; ``None`` for none."""
        name = door.clean(name, what="name")
        found = self._store.value(SQL.id_named, {"name": name})
        if found is not None:
            return int(found)
        # SQLite knows the case of a to z alone; the rest of the alphabets is compared here.
        rows = self._store.rows(SQL.names)
        return next((row["id"] for row in rows if folded(row["name"]) == folded(name)), None)

    def labelled(self, label: str) -> Sequence[int]:
        """Return the ids of the living components with this label, whatever its case."""
        rows = self._living_rows()
        return [r["id"] for r in rows if r["label"] and folded(r["label"]) == folded(label)]

    def templates(self, key: str | int) -> Sequence[TemplateInfo]:
        """Return the templates of a component, the oldest first."""
        rows = self._store.rows(SQL.templates_of, {"component_id": self.get(key).id})
        return [TemplateInfo(**dict(row)).with_pictures(self._store) for row in rows]

    def picture(self, template_id: int) -> bytes:
        """Return a template as the bytes of a PNG file."""
        png = self._store.value(TEMPLATES.pixels, {"id": template_id})
        if png is None:
            raise NotFoundError(f"there is no template {template_id}")
        return bytes(png)

    @door.guarded("component")
    def rename(self, key: str | int, name: str) -> Component:
        """Give a component another name; states and transitions go on knowing it.

        Raises
        ------
        UsageError
            When the name is unfit, or another living component has it.
        """
        wanted = check_name(door.clean(name, what="name", limit=door.MAX_NAME))
        with self._store.transaction():
            component = self.get(key)
            others = [n for n in self.names() if folded(n) != folded(component.name)]
            if wanted in NamesInUse(others):
                raise UsageError(
                    f'there is already a component "{wanted}"', hint="choose another name"
                )
            self._store.execute(SQL.rename, {"id": component.id, "name": wanted})
            return self.get(component.id)

    @overload
    def pin(self, /, key: str | int) -> Component: ...
    @overload
    def pin(self, /, **chosen: Unpack[ComponentChoice]) -> Sequence[Component]: ...
    @door.guarded("component")
    def pin(
        self, /, key: str | int | None = None, **chosen: Unpack[ComponentChoice]
    ) -> Component | Sequence[Component]:
        """Keep a component, or those chosen, from being forgotten unless somebody names them."""
        return self._set_pinned(key, chosen, pinned=True)

    @overload
    def unpin(self, /, key: str | int) -> Component: ...
    @overload
    def unpin(self, /, **chosen: Unpack[ComponentChoice]) -> Sequence[Component]: ...
    @door.guarded("component")
    def unpin(
        self, /, key: str | int | None = None, **chosen: Unpack[ComponentChoice]
    ) -> Component | Sequence[Component]:
        """Let a pinned component, or those chosen, be forgotten again once missed too often."""
        return self._set_pinned(key, chosen, pinned=False)

    @overload
    def forget(self, /, key: str | int, *, why: str = ...) -> Component: ...
    @overload
    def forget(
        self, /, *, why: str = ..., **chosen: Unpack[ComponentChoice]
    ) -> Sequence[Component]: ...
    @door.guarded("component")
    def forget(
        self,
        /,
        key: str | int | None = None,
        *,
        why: str = "asked for",
        **chosen: Unpack[ComponentChoice],
    ) -> Component | Sequence[Component]:
        """Mark living components as forgotten: not looked for any more; `restore` undoes it.

        States that nothing living defines any more are forgotten with them.

        Parameters
        ----------
        key
            A name or id.
        why
            The reason, kept.
        chosen
            Instead of a name, several of them, as `list` chooses them; what is pinned is left out
            unless it is among ``keys``.

        Raises
        ------
        NotFoundError
            When there is no such component, or it is forgotten already.
        UsageError
            When nothing says which.
        """
        with self._store.transaction():
            why = door.clean(why, what="why", limit=door.MAX_LABEL)
            at = now()
            going = self._meant(key, chosen)
            if key is None and not chosen.get("keys"):
                going = [one for one in going if not one.pinned]
            marks = [{"id": one.id, "forgotten_at": at, "why": why} for one in going]
            self._store.execute_many(SQL.forget, marks)
            self._store.execute(STATES.forget_empty, {"forgotten_at": at})
            return self._again(key, going)

    @overload
    def restore(self, /, key: str | int) -> Component: ...
    @overload
    def restore(self, /, **chosen: Unpack[ComponentChoice]) -> Sequence[Component]: ...
    @door.guarded("component")
    def restore(
        self, /, key: str | int | None = None, **chosen: Unpack[ComponentChoice]
    ) -> Component | Sequence[Component]:
        """Bring a forgotten component back, or those chosen, and the states forgotten with it.

        It gets a number behind its name when another component bears the name by now.
        """
        with self._store.transaction():
            coming = self._meant(key, chosen, forgotten=True)
            names = NamesInUse(self.names())
            for component in coming:
                back = {"id": component.id, "name": names.claim(component.name)}
                self._store.execute(SQL.restore, back)
                for row in self._store.rows(STATES.forgotten_with, {"component_id": component.id}):
                    bring_back(self._store, row)
            return self._again(key, coming)

    @door.guarded("component")
    def erase(self, key: str | int) -> ErasedComponent:
        """Remove a component and its pixels from the file, with every screenshot that shows it.

        Its templates, sightings and the transitions that act on it go too, and components that
        lie wholly inside of it; a state that nothing else defines is marked as forgotten unless
        words are left on it. Where another component's picture shows it, it is painted over
        there. It is not learned again where it stood, nor where its pixels are seen, until
        `lift` allows that.
        """
        with self._store.transaction(), erasing(self._store):
            component = self.get(key)
            done = erase_component(self._store, component.id, at=now())
            emptied = self._store.execute(STATES.forget_empty, {"forgotten_at": now()})
        erased = self._store.flush_deleted()
        about = component.id, component.name, emptied, erased
        return ErasedComponent(*about, done.masked, done.removed, len(done.inside))

    def erased(self, *, limit: int | None = None) -> ListPage[ErasedPlace]:
        """Return the places where components were erased, the newest erasure first.

        Parameters
        ----------
        limit
            Most places; ``None`` for all.
        """
        return erased_places(self._store, limit)

    @door.guarded("component")
    def lift(self, erasure: int) -> Sequence[ErasedPlace]:
        """Let a place be learned again where a component was erased; return what was lifted.

        Parameters
        ----------
        erasure
            The id of an erased place, as `erased` returns it.

        Raises
        ------
        NotFoundError
            When there is no erasure of this id.
        """
        with self._store.transaction():
            return lift_erasure(self._store, erasure)

    def _set_pinned(
        self, key: str | int | None, chosen: ComponentChoice, *, pinned: bool
    ) -> Component | Sequence[Component]:
        with self._store.transaction():
            meant = [self.get(key)] if key is not None else self._meant(None, chosen)
            marks = [{"id": one.id, "pinned": pinned} for one in meant]
            self._store.execute_many(SQL.set_pinned, marks)
            return self._again(key, meant)

    def _meant(
        self, key: str | int | None, chosen: ComponentChoice, *, forgotten: bool = False
    ) -> Sequence[Component]:
        """Return the living component of a key, or those chosen; else the forgotten ones."""
        if key is None:
            if not any(chosen.values()):
                raise UsageError("nothing says which component", hint="name one, or choose some")
            return self.list(**chosen, forgotten=forgotten)
        if not forgotten:
            return [self.living(key)]
        component = self.get(key)
        if component.forgotten_at is None:
            raise UsageError(f'the component "{component.name}" is not forgotten')
        return [component]

    def _again(
        self, key: str | int | None, changed: Sequence[Component]
    ) -> Component | Sequence[Component]:
        read = [self.get(one.id) for one in changed]
        return read if key is None else read[0]

    def _members(self) -> Sequence[Component]:
        return self.list()

    def _size(self) -> int:
        return int(self._store.value(SQL.count_living))

    def __contains__(self, key: object) -> bool:
        """Return whether a living component has this name or id."""
        # "7" may be the name of one component and the id of another.
        number = int(key) if isinstance(key, str) and key.isdecimal() else None
        return super().__contains__(key) or (number is not None and super().__contains__(number))

    def names(self) -> Sequence[str]:
        """Return the names of all living components, and nothing else of them."""
        return [row["name"] for row in self._living_rows()]

    def _close_to(self, name: str) -> str:
        known = sorted({row["name"] for row in self._store.rows(SQL.names)})
        return meant(name, known, 'see "memctl components list"')


def _as_id(key: str | int) -> int | None:
    """Return the id in a key; ``None`` for none, or for one that SQLite cannot store."""
    if isinstance(key, str):
        return int(key) if key.isdecimal() and len(key) < _ID_DIGITS else None
    return key if 0 < key < 10**_ID_DIGITS else None


def _shown(key: str | int) -> str:
    if isinstance(key, str):
        return door.clean(key, what="name")[:_MOST_SHOWN]
    return str(key) if abs(key) < 10**_ID_DIGITS else "10^18 or more"
