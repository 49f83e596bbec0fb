"""Merges the components of another memory into a store. In a transaction."""

from __future__ import annotations

import hmac
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from memctl.guard import door
from memctl.porting.packs.app_memory import (
    LOOK,
    AppMemory,
    Entry,
    counted_by_others,
    later,
    parts_of,
)
from memctl.porting.packs.merging.likeness import alike_components
from memctl.porting.packs.merging.merge_report import Conflict
from memctl.store import statements
from memctl.visual.boxes import Box
from memctl.visual.graph.naming import NamesInUse, component_name, folded
from memctl.visual.matching.template import FEATURE_VERSION, extract_alone
from memctl.visual.reading.image import decode_png
from memctl.visual.reading.sifting import fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memctl.porting.packs.merging.merge_report import MergeReport
    from memctl.porting.packs.policy import Level
    from memctl.store.store import Store

SQL = statements.load("store/sharing")
KEYS = statements.load("store/row_key")

_GONE = -1  # stands for the id of what a person erased here


class ComponentMerging:
    """One merge of components.

    Attributes
    ----------
    ids
        Place in their list to the id here, of those that came in or were here.
    """

    def __init__(
        self, store: Store, mine: AppMemory, theirs: AppMemory, report: MergeReport, level: Level
    ) -> None:
        self._store = store
        self._mine = mine
        self._theirs = theirs
        self._report = report
        self._level = level
        self._rows = {row["id"]: dict(row) for row in store.rows(SQL.components)}
        living = [row["name"] for row in self._rows.values() if not row["forgotten_at"]]
        self._names = NamesInUse(living)
        self._named = {folded(name) for name in living}
        self._known = self._known_components()
        self.ids: dict[int, int] = {}

    def recognise(self) -> dict[int, int | None]:
        """Find which of theirs are here: by a key, or by their looks.

        Returns the place in their list to the place in mine, ``None`` for those that are new. One
        that is here and stays out of the comparison, as it is personal, is missing.
        """
        place = {number: at for at, number in enumerate(self._mine.component_ids)}
        by_key = {b: place.get(number, _GONE) for b, number in self._known.items()}
        alike = alike_components(self._mine, self._theirs, by_key)
        for b, a in alike.pairs.items():
            self._known[b] = self._mine.component_ids[a]
        for a, b in alike.doubts:
            name = str(self._rows[self._mine.component_ids[a]]["name"])
            self._conflict(name, f"may be one with theirs, number {b + 1}")
        here = {b: place.get(number, _GONE) for b, number in self._known.items()}
        same = {b: here.get(b) for b in self._all()}
        return {b: at for b, at in same.items() if at != _GONE}

    def merge(self, states: Mapping[int, str]) -> None:
        """Unite theirs with those that are here, and add the others.

        Parameters
        ----------
        states
            Place in their list of states to the id here, of those that are known.
        """
        erased = self._erased(states)
        for b, entry in enumerate(self._theirs.components):
            number = self._known.get(b)
            if number == _GONE or b in erased:
                self._report.refused["components that were erased here"] += 1
            elif not self._is_secret(entry):
                self.ids[b] = self._add(entry) if number is None else self._unite(number, entry)
        self._forget()

    def _all(self) -> range:
        return range(len(self._theirs.components))

    def _known_components(self) -> dict[int, int]:
        """Return which of their components are known here by a key, `_GONE` for erased ones."""
        shares = {
            (row["origin_id"], row["number"]): row["component_id"]
            for row in self._store.rows(SQL.component_shares)
        }
        last = int(self._store.value(SQL.last_component) or 0)
        known: dict[int, int] = {}
        for b, entry in enumerate(self._theirs.components):
            found = set()
            for origin, number in map(parts_of, entry["keys"]):
                at = int(number)
                if origin == self._mine.origin:
                    found |= {at} if at in self._rows else {_GONE} if at <= last else set()
                elif (origin, at) in shares:
                    here = shares[origin, at]
                    found.add(_GONE if here is None else here)
            if found:
                known[b] = min(found)
            if len(found) > 1 and _GONE not in found:
                name = str(self._rows[known[b]]["name"])
                self._conflict(name, f"theirs is {len(found)} components here")
        return known

    def _erased(self, states: Mapping[int, str]) -> set[int]:
        """Return their new components that show, or stand, where a person erased something."""
        places = defaultdict(list)
        for row in self._store.rows(SQL.erased_places):
            places[row["state_id"]].append(Box(row["x"], row["y"], row["w"], row["h"]))
        pixels = self._store.rows(SQL.erased_pixels)
        found = set()
        if pixels:
            new = [b for b in self._all() if b not in self._known]
            found = {b for b in new if self._shows_erased(self._theirs.components[b], pixels)}
        for b, state in enumerate(self._theirs.states):
            for at, _, x, y in state["components"]:
                entry = self._theirs.components[at]
                size = (max(round(entry[side] / entry["scale"]), 1) for side in "wh")
                box = Box(x, y, *size)
                near = places.get(states.get(b, ""), ())
                if at not in self._known and any(2 * box.overlap(gone) > box.area for gone in near):
                    found.add(at)
        return found

    def _shows_erased(self, entry: Entry, pixels: Iterable[Any]) -> bool:
        for look in entry["pictures"]:
            picture = decode_png(self._theirs.pngs[look["sha256"]])
            for row in pixels:
                if (row["w"], row["h"]) == (look["w"], look["h"]) and hmac.compare_digest(
                    fingerprint(picture, row["key"])[1], row["digest"]
                ):
                    return True
        return False

    def _is_secret(self, entry: Entry) -> bool:
        texts = [entry.get(name) for name in ("label", "name", "page", "row_text", "section")]
        secret = door.find_rule(self._store, "\n".join(text for text in texts if text))
        if secret is not None:
            self._report.refused[f"components that look like a secret ({secret})"] += 1
        return secret is not None

    def _add(self, entry: Entry) -> int:
        box = Box(*(round(entry[side] / entry["scale"]) for side in ("rel_x", "rel_y", "w", "h")))
        made = entry["name"] or component_name(entry["label"] or "", kind=entry["type"], box=box)
        if folded(made) in self._named:
            self._conflict(made, "the same name, another look or place")
        row = {
            **{name: entry.get(name) for name in (*LOOK, *_STORE_ONLY, *_TIMES)},
            "name": self._names.claim(made),
            "pinned": entry.get("pinned") or 0,
            "seen_count": max(1, counted_by_others(entry, self._mine.origin)),
        }
        row["forgotten_why"] = row["forgotten_at"] and (row["forgotten_why"] or _FORGOTTEN)
        number = self._store.insert(SQL.add_component, row)
        self._rows[number] = {**row, "id": number, "made_name": row["name"]}
        self._report.added["component"] += 1
        self._share(number, entry)
        self._add_looks(number, entry, {})
        self._take_row_keys(number, entry)
        return number

    def _unite(self, number: int, entry: Entry) -> int:
        row = self._rows[number]
        before = self._counted_elsewhere(number)
        told = self._store.value(SQL.component_said_name, {"id": number})
        self._share(number, entry)
        seen = row["seen_count"] + self._counted_elsewhere(number) - before
        merged = {**row, **later(row, entry, LOOK, "last_seen_at"), "seen_count": seen}
        merged["learned_at"] = min(row["learned_at"], entry["learned_at"])
        merged["last_seen_at"] = max(row["last_seen_at"], entry["last_seen_at"])
        for name in ("row_text", "section"):
            merged[name] = min(filter(None, (row[name], entry.get(name))), default=None)
        changing = filter(None, (row["changing_at"], entry.get("changing_at")))
        merged["changing_at"] = min(changing, default=None)
        merged["pinned"] = max(row["pinned"], entry.get("pinned") or 0)
        merged |= self._mark(merged, entry.get("forgotten_at"), entry.get("forgotten_why"))
        if row["forgotten_at"] and not merged["forgotten_at"]:
            merged["name"] = self._names.claim(row["name"])
        new = entry["name"] is not None and (told is None or entry["name"] < told)
        if new and row["name"] == row["made_name"] and entry["name"] != row["name"]:
            merged["name"] = merged["made_name"] = self._names.claim(entry["name"])
        if merged != row:
            self._store.execute(SQL.set_component, merged)
            self._rows[number] = merged
        self._report.united["component"] += 1
        looks = {
            look["sha256"]: dict(look)
            for look in self._store.rows(SQL.looks_of, {"component_id": number})
        }
        self._add_looks(number, entry, looks)
        self._take_row_keys(number, entry)
        return number

    def _mark(self, row: Entry, theirs: str | None, why: str | None) -> Entry:
        """Return whether a component is forgotten: it is, unless it was seen after that."""
        marks = [(row["forgotten_at"], row["forgotten_why"]), (theirs, why or _FORGOTTEN)]
        at, reason = max((m for m in marks if m[0]), default=(None, None))
        if at is None or at < row["last_seen_at"] or row["pinned"]:
            return {"forgotten_at": None, "forgotten_why": None}
        return {"forgotten_at": at, "forgotten_why": reason}

    def _forget(self) -> None:
        """Forget what other stores have forgotten, and nobody has seen since."""
        shares = {
            f"{row['origin_id']}:{row['number']}": row["component_id"]
            for row in self._store.rows(SQL.component_shares)
        }
        own = {f"{self._mine.origin}:{number}": number for number in self._rows}
        for gone in self._theirs.forgotten:
            numbers = {(own | shares).get(key) for key in gone["keys"]} - {None}
            for number in sorted(n for n in numbers if n is not None):
                row = self._rows[number]
                row["last_seen_at"] = max(row["last_seen_at"], gone["last_seen_at"])
                merged = {**row, **self._mark(row, gone["forgotten_at"], None)}
                self._store.execute(SQL.set_component, merged)
                self._rows[number] = merged
                self._report.united["forgotten component"] += 1

    def _share(self, number: int, entry: Entry) -> None:
        for key, count in entry["keys"].items():
            origin, there = parts_of(key)
            if origin != self._mine.origin:
                share = {"origin_id": origin, "number": int(there), "component_id": number}
                share |= {"name": entry["name"], "seen_count": count}
                share["packed"] = self._level == "pack"
                self._store.execute(SQL.put_component_share, share)

    def _counted_elsewhere(self, number: int) -> int:
        return int(self._store.value(SQL.component_counts, {"id": number}))

    def _add_looks(self, number: int, entry: Entry, known: dict[str, Entry]) -> None:
        for look in entry["pictures"]:
            here = known.get(look["sha256"])
            if here is None:
                png = self._theirs.pngs[look["sha256"]]
                made = {
                    "features": extract_alone(decode_png(png)),
                    "feature_version": FEATURE_VERSION,
                }
                row = {**look, **made, "png": png, "component_id": number}
                self._store.insert(SQL.add_template, row)
            else:
                older = min(here, look, key=lambda one: (one["learned_at"], repr(_of_look(one))))
                if _of_look(older) != _of_look(here):
                    self._store.execute(SQL.set_template, {**older, "component_id": number})

    def _take_row_keys(self, number: int, entry: Entry) -> None:
        """Take the pictures of its row where they are the later ones."""
        if not entry.get("row_keys"):
            return
        mine = [dict(r) for r in self._store.rows(SQL.row_keys_of, {"component_id": number})]

        def order(keys: list[Entry]) -> tuple[str, str]:
            told = [{name: one[name] for name in sorted(entry["row_keys"][0])} for one in keys]
            return max((one["learned_at"] for one in keys), default=""), repr(told)

        if order(mine) < order(entry["row_keys"]):
            self._store.execute(KEYS.drop, {"component_id": number})
            for key in entry["row_keys"]:
                self._store.execute(KEYS.insert, {**key, "component_id": number})

    def _conflict(self, name: str, why: str) -> None:
        self._report.conflicts.append(Conflict("component", name, why))


_FORGOTTEN = "forgotten in another store"
_TIMES = ("learned_at", "last_seen_at", "forgotten_at")
_STORE_ONLY = ("row_text", "section", "changing_at", "forgotten_why")
_OF_LOOK = ("scale", "learned_at", "blank_left", "blank_right")


def _of_look(look: Entry) -> list[Any]:
    return [look[name] for name in _OF_LOOK]
