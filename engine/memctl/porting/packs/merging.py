"""Merges the memory of an app into a store: components, screens and edges. In a transaction.

What is merged is a union of sets, the larger of each origin's count, or the value of the later
moment: in whichever order memories are merged, and however often, the same comes out.
"""

from __future__ import annotations

import hmac
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from memctl.base.clock import now
from memctl.guard import door
from memctl.porting.packs.app_memory import COUNTED, LOOK, AppMemory, Entry, later, parts_of
from memctl.porting.packs.likeness import alike_components, alike_states
from memctl.porting.packs.merge_report import Conflict
from memctl.porting.packs.skill_merging import SkillMerging
from memctl.porting.packs.taking import taken
from memctl.store import statements
from memctl.visual.boxes import Box
from memctl.visual.graph.naming import NamesInUse, component_name, folded
from memctl.visual.matching.features import FEATURE_VERSION, extract_alone
from memctl.visual.reading.erased_pixels import fingerprint
from memctl.visual.reading.image import decode_png

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memctl.config.settings import Settings
    from memctl.porting.packs.merge_report import MergeReport
    from memctl.porting.packs.policy import Level
    from memctl.store.store import Store

__all__ = ["merge_app"]

SQL = statements.load("store/sharing")
STATES = statements.load("store/state")
KEYS = statements.load("store/row_key")

_GONE = -1  # stands for the id of what a person erased here


def merge_app(
    store: Store, settings: Settings, theirs: AppMemory, report: MergeReport, level: Level
) -> None:
    """Merge what another memory knows of the app. In a transaction."""
    mine = taken(store, level)
    for origin, address in theirs.origins.items():
        if origin != mine.origin:
            store.execute(SQL.add_origin, {"id": origin, "address": address, "now": now()})
    merging = _Merging(store, mine, theirs, report, level)
    merging.components(settings.number("state_merge_weighted"))
    merging.states()
    merging.transitions()
    SkillMerging(store, report, merging.component_ids, merging.state_ids, level).merge(theirs)


class _Merging:
    """One merge; what it knows of both sides."""

    def __init__(
        self, store: Store, mine: AppMemory, theirs: AppMemory, report: MergeReport, level: Level
    ) -> None:
        self._store = store
        self._mine = mine
        self._theirs = theirs
        self._report = report
        self._level = level
        self._rows = {row["id"]: dict(row) for row in store.rows(SQL.components)}
        self._names = NamesInUse(r["name"] for r in self._rows.values() if not r["forgotten_at"])
        self._named = {
            folded(row["name"]): row["name"]
            for row in self._rows.values()
            if not row["forgotten_at"]
        }
        self.component_ids: dict[int, int] = {}  # place in their list to the id here
        self.state_ids: dict[int, str] = {}

    # -- components ----------------------------------------------------------------------

    def components(self, least: float) -> None:
        """Unite their components with those that are here, and add the others."""
        known = self._known_components()
        place = {number: at for at, number in enumerate(self._mine.component_ids)}
        by_key = {b: place[number] for b, number in known.items() if number in place}
        alike = alike_components(self._mine, self._theirs, {**by_key, **self._lost(known, place)})
        for b, a in alike.pairs.items():
            known[b] = self._mine.component_ids[a]
        same = {b: place.get(known[b]) if b in known else None for b in self._all() if self._here(known, b, place)}
        self._states = self._known_states()
        spots = {state: at for at, state in enumerate(self._mine.state_ids)}
        keyed = {b: spots[state] for b, state in self._states.items() if state in spots}
        for b, a in alike_states(self._mine, self._theirs, same, keyed, least).items():
            self._states.setdefault(b, self._mine.state_ids[a])
        erased = self._erased(known)
        for b, entry in enumerate(self._theirs.components):
            number = known.get(b)
            if number == _GONE or b in erased:
                self._report.refused["components that were erased here"] += 1
            elif not self._is_secret(entry):
                self.component_ids[b] = (
                    self._add(entry) if number is None else self._unite(number, entry)
                )
        for a, b in alike.doubts:
            name = str(self._rows[self._mine.component_ids[a]]["name"])
            self._conflict("component", name, f"may be one with theirs, number {b + 1}")
        self._forget()

    def _all(self) -> range:
        return range(len(self._theirs.components))

    def _here(self, known: dict[int, int], b: int, place: dict[int, int]) -> bool:
        """Return whether a component may be compared: one that is here and personal may not."""
        return b not in known or known[b] in place

    def _lost(self, known: dict[int, int], place: dict[int, int]) -> dict[int, int]:
        """Return their components that are known here, and are not in the list of mine."""
        return {b: _GONE for b, number in known.items() if number not in place}

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
                self._conflict("component", name, f"theirs is {len(found)} components here")
        return known

    def _erased(self, known: dict[int, int]) -> set[int]:
        """Return their new components that show, or stand, where a person erased something."""
        places = defaultdict(list)
        for row in self._store.rows(SQL.erased_places):
            places[row["state_id"]].append(Box(row["x"], row["y"], row["w"], row["h"]))
        pixels = self._store.rows(SQL.erased_pixels)
        found = set()
        if pixels:
            new = [b for b in self._all() if b not in known]
            found = {b for b in new if self._shows_erased(self._theirs.components[b], pixels)}
        for b, state in enumerate(self._theirs.states):
            for at, _, x, y in state["components"]:
                entry = self._theirs.components[at]
                size = (max(round(entry[side] / entry["scale"]), 1) for side in "wh")
                box = Box(x, y, *size)
                near = places.get(self._states.get(b, ""), ())
                if at not in known and any(2 * box.overlap(gone) > box.area for gone in near):
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
            self._conflict("component", made, "the same name, another look or place")
        row = {
            **{name: entry.get(name) for name in (*LOOK, *_STORE_ONLY, *_TIMES)},
            "name": self._names.claim(made),
            "pinned": entry.get("pinned") or 0,
            "seen_count": max(1, self._foreign(entry)),
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

    def _foreign(self, entry: Entry) -> int:
        """Return what other origins than this store counted of a thing."""
        return sum(n for key, n in entry["keys"].items() if parts_of(key)[0] != self._mine.origin)

    def _add_looks(self, number: int, entry: Entry, known: dict[str, Entry]) -> None:
        for look in entry["pictures"]:
            here = known.get(look["sha256"])
            if here is None:
                png = self._theirs.pngs[look["sha256"]]
                made = {"features": extract_alone(decode_png(png)), "feature_version": FEATURE_VERSION}
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

    # -- states --------------------------------------------------------------------------

    def _known_states(self) -> dict[int, str]:
        """Return which of their states are known here by a key."""
        roots = {row["id"]: row["root"] for row in self._store.rows(SQL.roots)}
        own = {f"{self._mine.origin}:{state}": root for state, root in roots.items()}
        shares = {
            f"{row['origin_id']}:{row['state_there']}": roots[row["state_id"]]
            for row in self._store.rows(SQL.state_shares)
            if row["state_id"] is not None
        }
        known = {}
        for b, entry in enumerate(self._theirs.states):
            found = [found for key in entry["keys"] if (found := (own | shares).get(key))]
            if found:
                known[b] = min(found)
        return known

    def states(self) -> None:
        """Unite their states with those that are here, and add the others."""
        rows = {row["id"]: dict(row) for row in self._store.rows(SQL.all_states)}
        names = {folded(row["name"]) for row in rows.values() if row["name"] and _lives(row)}
        for b, entry in enumerate(self._theirs.states):
            on = [place for place in entry["components"] if place[0] in self.component_ids]
            texts = [entry.get(name) for name in ("name", "page", "title")] + entry.get("texts", [])
            if door.find_rule(self._store, "\n".join(text for text in texts if text)) is not None:
                self._report.refused["states that look like a secret"] += 1
                continue
            if not on and entry["known_by"] == "components":
                continue
            state = self._states.get(b)
            if state is None:
                state = self._add_state(b, entry, rows, names)
            else:
                self._unite_state(rows[state], entry, names)
            self.state_ids[b] = state
            for at, defining, x, y in on:
                put = {"state_id": state, "component_id": self.component_ids[at], "x": x, "y": y}
                self._store.execute(SQL.put_state_component, {**put, "defining": defining})
            for text in entry.get("texts", []):
                self._store.execute(SQL.add_state_text, {"state_id": state, "text": text})

    def _add_state(self, b: int, entry: Entry, rows: dict[str, Entry], names: set[str]) -> str:
        state = self._free_state_id(entry)
        name = entry["name"]
        if name and folded(name) in names:
            self._conflict("state", name, "the same name, another screen; it has none here")
            name = None
        columns = ("page", "status", "first_seen_at", "last_seen_at", "img_w", "img_h", "known_by")
        row = {
            **{column: entry[column] for column in columns},
            **{column: entry.get(column) for column in ("title", "words")},
            "words_whole": entry.get("words_whole", 0),
            "id": state,
            "name": name,
            "visit_count": max(1, self._foreign(entry)),
        }
        self._store.execute(SQL.add_state, row)
        self._report.added["state"] += 1
        if name:
            names.add(folded(name))
        self._states[b] = state
        rows[state] = {**row, "merged_into": None, "forgotten_at": None}
        self._share_state(state, entry)
        return state

    def _free_state_id(self, entry: Entry) -> str:
        """Return the id that the state has where it was first known, or one like it."""
        wanted = parts_of(min(entry["keys"]))[1]
        state, number = wanted, 2
        while self._store.row(STATES.any_state, {"id": state}) is not None:
            state, number = f"{wanted}_{number}", number + 1
        return state

    def _unite_state(self, row: Entry, entry: Entry, names: set[str]) -> None:
        visits = row["visit_count"] + self._share_state(row["id"], entry)
        size = ("img_w", "img_h")
        first = min(row, entry, key=lambda one: (one["first_seen_at"], *(one[n] for n in size)))
        merged = {**row, **{name: first[name] for name in size}, "visit_count": visits}
        merged["page"] = min(filter(None, (row["page"], entry["page"])), default=None)
        merged["status"] = min(row["status"], entry["status"])  # confirmed before provisional
        merged["known_by"] = min(row["known_by"], entry["known_by"])
        merged["first_seen_at"] = min(row["first_seen_at"], entry["first_seen_at"])
        merged["last_seen_at"] = max(row["last_seen_at"], entry["last_seen_at"])
        if entry.get("title"):
            told = {**row, "title": row["title"] or ""}
            merged |= later(told, entry, ("title",), "last_seen_at")
        if entry.get("words"):
            merged |= _better_words(row, entry)
        if entry["name"] and not row["name"] and folded(entry["name"]) not in names:
            merged["name"] = entry["name"]
            names.add(folded(entry["name"]))
        if merged != row:
            self._store.execute(SQL.set_state, merged)
            row.update(merged)
        self._report.united["state"] += 1

    def _share_state(self, state: str, entry: Entry) -> int:
        """Keep what others counted of a state; return by how much that is more than before.

        What is counted of a state that was merged into this one is added there.
        """
        more = 0
        for key, count in entry["keys"].items():
            origin, there = parts_of(key)
            if origin != self._mine.origin:
                share = {"origin_id": origin, "state_there": there, "state_id": state}
                known = self._store.row(SQL.state_share, share)
                put = {**share, "name": entry["name"], "visit_count": count}
                self._store.execute(SQL.put_state_share, put)
                added = max(count - known["visit_count"], 0) if known else count
                if known and known["state_id"] != state:
                    visits = {"id": known["state_id"], "visits": added}
                    self._store.execute(SQL.add_visits, visits)
                else:
                    more += added
        return more

    # -- transitions ---------------------------------------------------------------------

    def transitions(self) -> None:
        """Unite their edges with those that are here, and add the others."""
        roots = {row["id"]: row["root"] for row in self._store.rows(SQL.roots)}
        here: dict[tuple[Any, ...], Entry] = {}
        for row in self._store.rows(SQL.transitions):
            ends = roots[row["from_state"]], roots[row["to_state"]]
            place = (ends[0], row["action"], row["component_id"], row["detail"], ends[1])
            here.setdefault(place, dict(row))
        for edge in self._theirs.transitions:
            ids = [self.state_ids.get(edge[end]) for end in ("from", "to")]
            on = edge["component"]
            number = None if on is None else self.component_ids.get(on)
            if None in ids or (on is not None and number is None):
                continue
            if door.find_rule(self._store, f"{edge['action']}:{edge['detail'] or ''}") is not None:
                self._report.refused["acts that look like a secret"] += 1
                continue
            place = (ids[0], edge["action"], number, edge["detail"], ids[1])
            self._edge(here, place, edge)

    def _edge(self, here: dict[tuple[Any, ...], Entry], place: tuple[Any, ...], edge: Entry) -> None:
        shares = {o: c for o, c in edge["shares"].items() if o != self._mine.origin}
        row = here.get(place)
        if row is None and not shares:
            return  # it is made of my own edges, whose details stay out of packs
        known = row is not None
        if row is None:
            row = dict(zip(("from_state", "action", "component_id", "detail", "to_state"), place, strict=True))
            row |= {name: 0 for name in COUNTED} | {n: edge[n] for n in ("recorded_at", "last_used_at")}
            row["id"] = self._store.insert(SQL.add_transition, row)
            here[place] = row
        before = self._tried_elsewhere(row["id"])
        for origin, counts in shares.items():
            share = {"transition_id": row["id"], "origin_id": origin}
            share |= dict(zip(COUNTED, counts, strict=True))
            self._store.execute(SQL.put_transition_share, share)
        after = self._tried_elsewhere(row["id"])
        row |= {name: row[name] + after[name] - before[name] for name in COUNTED}
        row["recorded_at"] = min(row["recorded_at"], edge["recorded_at"])
        row["last_used_at"] = max(row["last_used_at"], edge["last_used_at"])
        self._store.execute(SQL.set_transition, row)
        (self._report.united if known else self._report.added)["transition"] += 1

    def _tried_elsewhere(self, transition: int) -> Entry:
        row = self._store.row(SQL.transition_counts, {"id": transition})
        return {} if row is None else dict(row)

    def _conflict(self, kind: str, name: str, why: str) -> None:
        self._report.conflicts.append(Conflict(kind, name, why))


_FORGOTTEN = "forgotten in another store"
_TIMES = ("learned_at", "last_seen_at", "forgotten_at")
_STORE_ONLY = ("row_text", "section", "changing_at", "forgotten_why")
_OF_LOOK = ("scale", "learned_at", "blank_left", "blank_right")


def _of_look(look: Entry) -> list[Any]:
    return [look[name] for name in _OF_LOOK]


def _lives(row: Entry) -> bool:
    return row["merged_into"] is None and row["forgotten_at"] is None


def _better_words(row: Entry, entry: Entry) -> Entry:
    """Return the words of the whole screen before those of its components, else the earlier ones."""

    def order(one: Entry) -> tuple[int, str, bytes]:
        return -one["words_whole"], one["first_seen_at"], one["words"]

    best = min((one for one in (row, entry) if one["words"]), key=order)
    return {name: best[name] for name in ("words", "words_whole")}
