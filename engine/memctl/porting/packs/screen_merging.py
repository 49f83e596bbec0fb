"""Merges the screens of another memory, and what leads from one to another. In a transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memctl.guard import door
from memctl.porting.packs.app_memory import COUNTED, AppMemory, Entry, parts_of
from memctl.porting.restored_rows import change_row, insert_row
from memctl.store import statements
from memctl.visual.graph.naming import folded
from memctl.visual.graph.states import States, merge_states

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memctl.porting.packs.app_memory import MergeReport
    from memctl.store.store import Store

SQL = statements.load("store/sharing")
STATES = statements.load("store/state")

_OF_STORES: Entry = {"title": None, "words": None, "words_whole": 0, "look": None}
"""Columns that a pack leaves out."""


class ScreenMerging:
    """One merge of states and transitions.

    Parameters
    ----------
    groups
        States that are one, mine first: places in my list, then in theirs counted on.

    Attributes
    ----------
    ids
        Place in their list to the id here, of those that are known; after `merge` of all that
        came in.
    """

    def __init__(
        self,
        store: Store,
        mine: AppMemory,
        theirs: AppMemory,
        report: MergeReport,
        groups: Iterable[Sequence[int]],
    ) -> None:
        self._store = store
        self._mine = mine
        self._theirs = theirs
        self._report = report
        self._rows = {row["id"]: dict(row) for row in store.rows(SQL.all_states)}
        self._names = {
            folded(row["name"])
            for row in self._rows.values()
            if row["name"] and row["merged_into"] is None and row["forgotten_at"] is None
        }
        self.ids: dict[int, str] = {}
        first = len(mine.states)
        self._groups = []
        for group in groups:
            state = self._one_of([mine.state_ids[at] for at in group if at < first])
            theirs_of = [at - first for at in group if at >= first]
            self.ids |= dict.fromkeys(theirs_of, state) if state else {}
            self._groups.append(theirs_of)

    def merge(self, components: Mapping[int, int]) -> None:
        """Unite theirs with those that are here, and add the others; then what leads where.

        Parameters
        ----------
        components
            Place in their list of components to the id here.
        """
        known, self.ids = self.ids, {}
        for group in self._groups:
            state = known.get(group[0]) if group else None
            for at in group:
                entry = {**_OF_STORES, **self._theirs.states[at]}
                on = [place for place in entry["components"] if place[0] in components]
                if self._is_secret(entry) or (not on and entry["known_by"] == "components"):
                    continue
                first = state is not None and _seen_first(entry, self._rows[state])
                state = self._add(entry) if state is None else self._unite(state, entry)
                self.ids[at] = state
                for number, defining, x, y in on:
                    place = {"component_id": components[number], "x": x, "y": y, "first": first}
                    self._store.execute(
                        SQL.put_state_component, {**place, "state_id": state, "defining": defining}
                    )
                for text in entry.get("texts", []):
                    self._store.execute(STATES.insert_state_text, {"state_id": state, "text": text})
                for area in entry.get("ignored", []):
                    self._store.execute(STATES.put_ignored, {**area, "state_id": state})
        self._transitions(components)

    def _one_of(self, ids: Sequence[str]) -> str | None:
        """Merge some states of mine that are one; return the id of what they became."""
        if len(ids) > 1:
            states = {state.id: state for state in States(self._store).list()}
            for other in ids[1:]:
                merged = merge_states(self._store, states[ids[0]], states[other], 1.0)
                into, gone = self._rows[merged.into], self._rows[merged.merged]
                self._set(into, {**_combined(into, gone), "name": into["name"]})
                self._report.united["state of this store"] += 1
                ids = [merged.into]
        return ids[0] if ids else None

    def _is_secret(self, entry: Entry) -> bool:
        texts = [entry[name] for name in ("name", "page", "title")] + entry.get("texts", [])
        texts += [area["label"] for area in entry.get("ignored", [])]
        rule = door.find_rule(self._store, "\n".join(text for text in texts if text))
        if rule is not None:
            self._report.refused["states that look like a secret"] += 1
        return rule is not None

    def _add(self, entry: Entry) -> str:
        name = entry["name"]
        if name and folded(name) in self._names:
            self._report.conflict("state", name, "the same name, another screen; it has none here")
            name = None
        # The id that it has where it was first known, or one like it.
        wanted = state = parts_of(min(entry["keys"]))[1]
        number = 2
        while self._store.row(STATES.any_state, {"id": state}) is not None:
            state, number = f"{wanted}_{number}", number + 1
        others = sum(n for key, n in entry["keys"].items() if parts_of(key)[0] != self._mine.origin)
        row = {**entry, "id": state, "name": name, "visit_count": max(1, others)}
        insert_row(self._store, "state", row)
        self._report.added["state"] += 1
        self._names |= {folded(name)} if name else set()
        self._rows[state] = row
        self._share(state, entry)
        return state

    def _unite(self, state: str, entry: Entry) -> str:
        row = self._rows[state]
        merged = {
            **_combined(row, entry),
            "visit_count": row["visit_count"] + self._share(state, entry),
        }
        if entry["name"] and not row["name"] and folded(entry["name"]) not in self._names:
            merged["name"] = entry["name"]
            self._names.add(folded(entry["name"]))
        self._set(row, merged)
        self._report.united["state"] += 1
        return state

    def _set(self, row: Entry, merged: Entry) -> None:
        if merged != row:
            change_row(self._store, "state", "id", merged)
            row.update(merged)

    def _share(self, state: str, entry: Entry) -> int:
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
                if known and known["state_id"] not in {None, state}:
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
            columns = ("from_state", "action", "component_id", "detail", "to_state")
            row = dict(zip(columns, place, strict=True)) | dict.fromkeys(COUNTED, 0)
            row |= {name: edge[name] for name in ("recorded_at", "last_used_at")}
            row["id"] = insert_row(self._store, "transition", {**row, "status": "committed"})
            here[place] = row
        before = self._counted_elsewhere(row["id"])
        for origin, counts in shares.items():
            share = {"transition_id": row["id"], "origin_id": origin}
            self._store.execute(
                SQL.put_transition_share, share | dict(zip(COUNTED, counts, strict=True))
            )
        after = self._counted_elsewhere(row["id"])
        row |= {name: row[name] + after[name] - before[name] for name in COUNTED}
        row["recorded_at"] = min(row["recorded_at"], edge["recorded_at"])
        row["last_used_at"] = max(row["last_used_at"], edge["last_used_at"])
        change_row(self._store, "transition", "id", row)
        (self._report.united if known else self._report.added)["transition"] += 1

    def _counted_elsewhere(self, transition: int) -> Entry:
        row = self._store.row(SQL.transition_counts, {"id": transition})
        return {} if row is None else dict(row)


def _seen_first(entry: Entry, other: Entry) -> bool:
    """Return whether one of two equal screens was seen before the other."""
    order = ("first_seen_at", "img_w", "img_h")
    return [entry[name] for name in order] < [other[name] for name in order]


def _combined(row: Entry, other: Entry) -> Entry:
    """Return a row with what another of the same screen adds, but for counts and names."""
    first = other if _seen_first(other, row) else row
    merged = {**row, "img_w": first["img_w"], "img_h": first["img_h"]}
    merged["page"] = min(filter(None, (row["page"], other["page"])), default=None)
    merged["status"] = min(row["status"], other["status"])  # confirmed before provisional
    merged["known_by"] = min(row["known_by"], other["known_by"])
    merged["first_seen_at"] = min(row["first_seen_at"], other["first_seen_at"])
    merged["last_seen_at"] = max(row["last_seen_at"], other["last_seen_at"])
    if other["title"]:
        latest = max(row, other, key=lambda it: (it["last_seen_at"], it["title"] or ""))
        merged["title"] = latest["title"]
    if other["words"]:
        # The words of the whole screen before those of its components, else the earlier ones.
        best = min(
            (it for it in (row, other) if it["words"]),
            key=lambda it: (-it["words_whole"], it["first_seen_at"], it["words"]),
        )
        merged |= {name: best[name] for name in ("words", "words_whole", "look")}
    return merged
