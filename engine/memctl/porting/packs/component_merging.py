"""Merges the components of another memory into a store. In a transaction."""

from __future__ import annotations

import hmac
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from memctl.base.clock import now
from memctl.guard import door
from memctl.porting.packs.app_memory import AppMemory, Entry, parts_of
from memctl.porting.restored_rows import change_row, insert_row
from memctl.store import statements
from memctl.visual.boxes import Box
from memctl.visual.graph.naming import NamesInUse, component_name, folded
from memctl.visual.matching.template import FEATURE_VERSION, extract_alone
from memctl.visual.reading.image import decode_png
from memctl.visual.reading.sifting import fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memctl.porting.packs.app_memory import Level, MergeReport
    from memctl.store.store import Store

SQL = statements.load("store/sharing")
KEYS = statements.load("store/row_key")

_SEEN = (
    "type", "source", "label", "page", "scale", "rel_x", "rel_y", "w", "h", "confidence", "cut",
    "field", "twins",
)  # fmt: skip
"""Columns that are true of when a component was last seen, all of one moment."""
_FORGOTTEN = "forgotten in another store"
_OF_PICTURE = ("scale", "learned_at", "blank_left", "blank_right")


class ComponentMerging:
    """One merge of components.

    Attributes
    ----------
    ids
        Place in their list to the id here, of those that came in or were here.
    erased
        Places in their list of what a person erased here, by its key.
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
        self.ids: dict[int, int] = {}
        self._shares = {
            (row["origin_id"], row["number"]): row["component_id"]
            for row in store.rows(SQL.component_shares)
        }
        self._last = int(store.value(SQL.last_component) or 0)
        self.erased = {
            at
            for at, entry in enumerate(theirs.components)
            if any(self._here(key) is None for key in entry["keys"])
        }

    def _here(self, key: str) -> int | None:
        """Return the id here behind a key, 0 where it is new; ``None``: it was erased here."""
        origin, number = parts_of(key)[0], int(parts_of(key)[1])
        row = self._rows.get(number) if origin == self._mine.origin else None
        if row is not None and not (row["forgotten_at"] and (origin, number) in self._shares):
            return number
        erased = origin == self._mine.origin and number <= self._last
        return self._shares.get((origin, number), None if erased else 0)

    def merge(self, groups: Iterable[Sequence[int]], states: Mapping[int, str]) -> None:
        """Unite theirs with those that are here, and add the others.

        Parameters
        ----------
        groups
            Components that are one, mine first: places in my list, then in theirs counted on.
        states
            Place in their list of states to the id here, of those that are known.
        """
        first = len(self._mine.components)
        here = {at - first: group for group in groups if group[0] < first for at in group}
        gone = self.erased | self._erased(states, here.keys())
        if gone:
            self._report.refused["components that were erased here"] += len(gone)
        for group in groups:
            number = self._one_of([self._mine.component_ids[at] for at in group if at < first])
            for at in (at - first for at in group if at >= first and at - first not in gone):
                entry = self._theirs.components[at]
                if not self._is_secret(entry):
                    number = self._add(entry) if number is None else self._unite(number, entry)
                    self.ids[at] = number
        self._forget()

    # -- what a person erased here --------------------------------------------------------

    def _erased(self, states: Mapping[int, str], known: Iterable[int]) -> set[int]:
        """Return their new components in the places of erased ones."""
        places = defaultdict(list)
        for row in self._store.rows(SQL.erased_places):
            places[row["state_id"]].append(Box(row["x"], row["y"], row["w"], row["h"]))
        pixels = self._store.rows(SQL.erased_pixels)
        new = set(range(len(self._theirs.components))) - set(known) - self.erased
        result = {at for at in new if pixels and self._shows(self._theirs.components[at], pixels)}
        for b, state in enumerate(self._theirs.states):
            near = places.get(states.get(b, ""), ())
            for at, _, x, y in state["components"] if near else ():
                entry = self._theirs.components[at]
                box = Box(x, y, *(max(round(entry[side] / entry["scale"]), 1) for side in "wh"))
                if at in new and any(2 * box.overlap(gone) > box.area for gone in near):
                    result.add(at)
        return result

    def _shows(self, entry: Entry, pixels: Iterable[Any]) -> bool:
        """Return whether a component shows pixels that were erased."""
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

    # -- one component ---------------------------------------------------------------------

    def _add(self, entry: Entry) -> int:
        box = Box(*(round(entry[side] / entry["scale"]) for side in ("rel_x", "rel_y", "w", "h")))
        made = entry["name"] or component_name(entry["label"] or "", kind=entry["type"], box=box)
        if folded(made) in self._named:
            self._report.conflict("component", made, "the same name, another look or place")
        others = sum(count for key, count in entry["keys"].items() if not self._is_mine(key))
        row = {
            **dict.fromkeys(("row_text", "section", "changing_at", "forgotten_why")),
            **entry,
            "name": self._names.claim(made),
            "pinned": entry.get("pinned") or 0,
            "seen_count": max(1, others),
        }
        row["made_name"] = row["name"]
        row["forgotten_why"] = row["forgotten_at"] and (row["forgotten_why"] or _FORGOTTEN)
        number = insert_row(self._store, "component", row)
        self._rows[number] = {**row, "id": number}
        self._report.added["component"] += 1
        self._take_belongings(number, entry)
        return number

    def _unite(self, number: int, entry: Entry) -> int:
        row = self._rows[number]
        before = self._store.value(SQL.component_counts, {"id": number})
        known_name = self._store.value(SQL.component_said_name, {"id": number})
        self._take_belongings(number, entry)
        seen = self._store.value(SQL.component_counts, {"id": number}) - before
        merged = {**_combined(row, entry), "seen_count": row["seen_count"] + seen}
        if row["forgotten_at"] and not merged["forgotten_at"]:
            merged["name"] = self._names.claim(row["name"])
        new = entry["name"] is not None and (known_name is None or entry["name"] < known_name)
        if new and row["name"] == row["made_name"] and entry["name"] != row["name"]:
            merged["name"] = merged["made_name"] = self._names.claim(entry["name"])
        self._set(row, merged)
        self._report.united["component"] += 1
        return number

    def _one_of(self, numbers: Iterable[int]) -> int | None:
        """Unite some of my components into one; return it.

        One that a person named stays; of two that he named differently both do.
        """
        rows = [self._rows[number] for number in numbers]
        rows.sort(
            key=lambda row: (row["name"] == row["made_name"], bool(row["forgotten_at"]), row["id"])
        )
        for row in rows[1:]:
            if row["name"] == row["made_name"]:
                self._absorb(rows[0], row)
        return rows[0]["id"] if rows else None

    def _absorb(self, kept: Entry, gone: Entry) -> None:
        """Move what belongs to a component of mine to another, and mark it as forgotten."""
        own = gone["seen_count"] - self._store.value(SQL.component_counts, {"id": gone["id"]})
        both = {"id": gone["id"], "into": kept["id"]}
        for edge in self._store.rows(SQL.doubled, both):
            for sql in (SQL.add_counts, SQL.add_counts_of_others, SQL.discard_doubled):
                self._store.execute(sql, dict(edge))
        for sql in (
            SQL.move_component_shares, SQL.copy_templates, SQL.move_row_keys, SQL.copy_places,
            SQL.move_transitions, SQL.move_steps, SQL.move_acts,
        ):  # fmt: skip
            self._store.execute(sql, both)
        share = {"origin_id": self._mine.origin, "number": gone["id"], "component_id": kept["id"]}
        self._store.execute(
            SQL.put_component_share, {**share, "name": None, "seen_count": max(own, 0), "packed": 0}
        )
        seen = kept["seen_count"] + gone["seen_count"]
        self._set(kept, {**_combined(kept, gone), "seen_count": seen})
        why = f"the same as {kept['name']}"
        self._set(gone, {**gone, "forgotten_at": now(), "forgotten_why": why})
        self._report.united["component of this store"] += 1

    def _set(self, row: Entry, merged: Entry) -> None:
        if merged != row:
            change_row(self._store, "component", "id", merged)
            row.update(merged)

    def _forget(self) -> None:
        """Forget what other stores have forgotten, and nobody has seen since."""
        for gone in self._theirs.forgotten:
            for number in sorted({self._here(key) or 0 for key in gone["keys"]} - {0}):
                row = self._rows[number]
                seen = {**row, "last_seen_at": max(row["last_seen_at"], gone["last_seen_at"])}
                self._set(row, seen | _mark(seen, [row, {**gone, "forgotten_why": _FORGOTTEN}]))
                self._report.united["forgotten component"] += 1

    def _is_mine(self, key: str) -> bool:
        return parts_of(key)[0] == self._mine.origin

    def _take_belongings(self, number: int, entry: Entry) -> None:
        """Take the counts, the pictures, and the pictures of its row that came with a component."""
        for key, count in entry["keys"].items():
            if not self._is_mine(key):
                origin, there = parts_of(key)
                share = {"origin_id": origin, "number": int(there), "component_id": number}
                share |= {"name": entry["name"], "seen_count": count}
                share["packed"] = self._level == "pack"
                self._store.execute(SQL.put_component_share, share)
        asked = {"component_id": number}
        known = {look["sha256"]: dict(look) for look in self._store.rows(SQL.looks_of, asked)}
        for look in entry["pictures"]:
            here = known.get(look["sha256"])
            if here is None:
                png = self._theirs.pngs[look["sha256"]]
                features = extract_alone(decode_png(png))
                made = {"features": features, "feature_version": FEATURE_VERSION, "png": png}
                insert_row(self._store, "template", {**look, **made, **asked})
            else:
                older = min(
                    here, look, key=lambda it: (it["learned_at"], repr(_told(it, _OF_PICTURE)))
                )
                if _told(older, _OF_PICTURE) != _told(here, _OF_PICTURE):
                    changed = {name: older[name] for name in _OF_PICTURE}
                    change_row(self._store, "template", "id", {**changed, "id": here["id"]})
        if entry.get("row_keys"):
            columns = sorted(entry["row_keys"][0])

            def order(keys: Sequence[Any]) -> tuple[str, str]:
                latest = max((key["learned_at"] for key in keys), default="")
                return latest, repr([_told(key, columns) for key in keys])

            if order(self._store.rows(SQL.row_keys_of, asked)) < order(entry["row_keys"]):
                self._store.execute(KEYS.drop, asked)
                for key in entry["row_keys"]:
                    insert_row(self._store, "row_key", {**key, **asked})


def _told(row: Any, columns: Iterable[str]) -> list[Any]:
    return [row[name] for name in columns]


def _combined(row: Entry, other: Entry) -> Entry:
    """Return a row with what another of the same component adds, but for counts and names."""
    latest = max(row, other, key=lambda it: (it["last_seen_at"], repr(_told(it, _SEEN))))
    merged = {**row, **{name: latest[name] for name in _SEEN}}
    merged["learned_at"] = min(row["learned_at"], other["learned_at"])
    merged["last_seen_at"] = latest["last_seen_at"]
    for name in ("row_text", "section", "changing_at"):
        merged[name] = min(filter(None, (row[name], other.get(name))), default=None)
    merged["pinned"] = max(row["pinned"], other.get("pinned") or 0)
    return merged | _mark(merged, [row, other])


def _mark(row: Entry, marks: Iterable[Entry]) -> Entry:
    """Return whether a component is forgotten: it is, unless it was seen after that."""
    at, why = max(
        ((it["forgotten_at"], it.get("forgotten_why") or _FORGOTTEN) for it in marks if it["forgotten_at"]),
        default=(None, None),
    )  # fmt: skip
    if at is None or at < row["last_seen_at"] or row["pinned"]:
        at = why = None
    return {"forgotten_at": at, "forgotten_why": why}
