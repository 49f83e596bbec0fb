"""Merges the screens of another memory, and what leads from one to another. In a transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memctl.guard import door
from memctl.porting.packs.app_memory import (
    COUNTED,
    AppMemory,
    Entry,
    counted_by_others,
    later,
    parts_of,
)
from memctl.porting.packs.merging.likeness import alike_states
from memctl.porting.packs.merging.merge_report import Conflict
from memctl.store import statements
from memctl.visual.graph.naming import folded

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memctl.porting.packs.merging.merge_report import MergeReport
    from memctl.store.store import Store

SQL = statements.load("store/sharing")
STATES = statements.load("store/state")


class ScreenMerging:
    """One merge of states and transitions.

    Attributes
    ----------
    ids
        Place in their list to the id here, of those that came in or were here.
    """

    def __init__(
        self, store: Store, mine: AppMemory, theirs: AppMemory, report: MergeReport
    ) -> None:
        self._store = store
        self._mine = mine
        self._theirs = theirs
        self._report = report
        self._states = self._known_states()
        self.ids: dict[int, str] = {}

    def recognise(self, same: Mapping[int, int | None], least: float) -> Mapping[int, str]:
        """Find which of theirs are here, by a key or by what is on them; return their ids here.

        Parameters
        ----------
        same
            Place of their components to the place in mine, as `ComponentMerging` found it.
        least
            Similarity above which two screens are one, 0 to 1.
        """
        spots = {state: at for at, state in enumerate(self._mine.state_ids)}
        keyed = {b: spots[state] for b, state in self._states.items() if state in spots}
        for b, a in alike_states(self._mine, self._theirs, same, keyed, least).items():
            self._states.setdefault(b, self._mine.state_ids[a])
        return self._states

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

    def merge(self, components: Mapping[int, int]) -> None:
        """Unite theirs with those that are here, and add the others; then what leads where.

        Parameters
        ----------
        components
            Place in their list of components to the id here.
        """
        rows = {row["id"]: dict(row) for row in self._store.rows(SQL.all_states)}
        names = {folded(row["name"]) for row in rows.values() if row["name"] and _lives(row)}
        for b, entry in enumerate(self._theirs.states):
            on = [place for place in entry["components"] if place[0] in components]
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
            self.ids[b] = state
            for at, defining, x, y in on:
                put = {"state_id": state, "component_id": components[at], "x": x, "y": y}
                self._store.execute(SQL.put_state_component, {**put, "defining": defining})
            for text in entry.get("texts", []):
                self._store.execute(SQL.add_state_text, {"state_id": state, "text": text})
        self._transitions(components)

    def _add_state(self, b: int, entry: Entry, rows: dict[str, Entry], names: set[str]) -> str:
        state = self._free_state_id(entry)
        name = entry["name"]
        if name and folded(name) in names:
            self._conflict(name, "the same name, another screen; it has none here")
            name = None
        columns = ("page", "status", "first_seen_at", "last_seen_at", "img_w", "img_h", "known_by")
        row = {
            **{column: entry[column] for column in columns},
            **{column: entry.get(column) for column in ("title", "words", "look")},
            "words_whole": entry.get("words_whole", 0),
            "ignored": entry.get("ignored", "[]"),
            "id": state,
            "name": name,
            "visit_count": max(1, counted_by_others(entry, self._mine.origin)),
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
        if row["ignored"] == "[]":
            merged["ignored"] = entry.get("ignored", "[]")
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

    def _transitions(self, components: Mapping[int, int]) -> None:
        roots = {row["id"]: row["root"] for row in self._store.rows(SQL.roots)}
        here: dict[tuple[Any, ...], Entry] = {}
        for row in self._store.rows(SQL.transitions):
            ends = roots[row["from_state"]], roots[row["to_state"]]
            place = (ends[0], row["action"], row["component_id"], row["detail"], ends[1])
            here.setdefault(place, dict(row))
        for edge in self._theirs.transitions:
            ids = [self.ids.get(edge[end]) for end in ("from", "to")]
            on = edge["component"]
            number = None if on is None else components.get(on)
            if None in ids or (on is not None and number is None):
                continue
            if door.find_rule(self._store, f"{edge['action']}:{edge['detail'] or ''}") is not None:
                self._report.refused["acts that look like a secret"] += 1
                continue
            place = (ids[0], edge["action"], number, edge["detail"], ids[1])
            self._edge(here, place, edge)

    def _edge(
        self, here: dict[tuple[Any, ...], Entry], place: tuple[Any, ...], edge: Entry
    ) -> None:
        shares = {o: c for o, c in edge["shares"].items() if o != self._mine.origin}
        row = here.get(place)
        if row is None and not shares:
            return  # it is made of my own edges, whose details stay out of packs
        known = row is not None
        if row is None:
            row = dict(
                zip(
                    ("from_state", "action", "component_id", "detail", "to_state"),
                    place,
                    strict=True,
                )
            )
            row |= dict.fromkeys(COUNTED, 0) | {n: edge[n] for n in ("recorded_at", "last_used_at")}
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

    def _conflict(self, name: str, why: str) -> None:
        self._report.conflicts.append(Conflict("state", name, why))


def _lives(row: Entry) -> bool:
    return row["merged_into"] is None and row["forgotten_at"] is None


def _better_words(row: Entry, entry: Entry) -> Entry:
    """Return the words of the whole screen before those of its components, else the earlier ones."""

    def order(one: Entry) -> tuple[int, str, bytes]:
        return -one["words_whole"], one["first_seen_at"], one["words"]

    best = min((one for one in (row, entry) if one["words"]), key=order)
    return {name: best.get(name) for name in ("words", "words_whole", "look")}
