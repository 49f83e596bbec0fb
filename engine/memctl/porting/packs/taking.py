"""Takes the memory of an app out of a store: everything, or what is not personal."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from memctl.porting.packs.app_memory import COUNTED, AppMemory, Entry, Tally, key_of
from memctl.porting.packs.impersonal import (
    ImpersonalSkills,
    Personal,
    names_person,
    plain_detail,
    plain_page,
)
from memctl.porting.packs.policy import travelling
from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection

    from memctl.porting.packs.policy import Level
    from memctl.store.store import Store

SQL = statements.load("store/sharing")


def taken(
    store: Store, level: Level, without: Collection[str] = (), *, texts: bool = False
) -> AppMemory:
    """Return what a store knows of its app.

    Parameters
    ----------
    level
        ``pack``: nothing personal, as the schema says; ``store``: all that another store of
        the same person takes.
    without
        Names or labels of components that are left out of a pack.
    texts
        Whether labelled content of one screen goes into a pack.
    """
    with store.snapshot():
        personal = Personal(store, without, texts=texts) if level == "pack" else None
        return _Taking(store, level, personal).memory


class _Taking:
    """One reading of a store."""

    def __init__(self, store: Store, level: Level, personal: Personal | None) -> None:
        self._store = store
        self._level = level
        self._out = Tally()
        origins = store.rows(SQL.origins)
        own = next(row for row in origins if row["own"])
        self.memory = AppMemory(own["id"], own["address"], left_out=self._out)
        self._own = str(own["id"])
        self._personal = personal
        self._components()
        self._states()
        self._transitions()
        self._skills()
        known = {key.partition(":")[0] for entry in self._keyed() for key in entry["keys"]}
        known |= {origin for edge in self.memory.transitions for origin in edge["shares"]}
        self.memory.origins = {r["id"]: r["address"] for r in origins if r["id"] in known}

    def _keyed(self) -> list[Entry]:
        return [*self.memory.components, *self.memory.forgotten, *self.memory.states]

    # -- components ----------------------------------------------------------------------

    def _components(self) -> None:
        shares = defaultdict(list)
        for row in self._store.rows(SQL.component_shares):
            shares[row["component_id"]].append(row)
        looks = self._pictures()
        entries: list[tuple[Entry, int]] = []
        for row in self._store.rows(SQL.components):
            entry = self._component(row, shares[row["id"]], looks.get(row["id"], []))
            why = self._personal.reason(row, entry) if self._personal else None
            if self._level == "pack" and row["forgotten_at"]:
                gone = {k: entry[k] for k in ("keys", "forgotten_at", "last_seen_at")}
                self.memory.forgotten.append(gone)
            elif why:
                self._out[why] += 1
            else:
                entries.append((entry, row["id"]))
        entries.sort(key=lambda one: min(one[0]["keys"]))
        self.memory.forgotten.sort(key=lambda one: min(one["keys"]))
        self.memory.components = [entry for entry, _ in entries]
        self.memory.component_ids = [number for _, number in entries]
        self._place = {number: at for at, number in enumerate(self.memory.component_ids)}
        used = {one["sha256"] for entry, _ in entries for one in entry["pictures"]}
        self.memory.pngs = {key: png for key, png in self.memory.pngs.items() if key in used}

    def _component(self, row: sqlite3.Row, shares: list[sqlite3.Row], looks: list[Entry]) -> Entry:
        told = travelling(row, "component", self._level)
        keys = {key_of(one["origin_id"], one["number"]): one["seen_count"] for one in shares}
        own = told.pop("seen_count") - sum(keys.values())
        if own > 0 or not keys:
            keys[key_of(self._own, row["id"])] = max(own, 1)
        names = [one["name"] for one in shares if one["name"]]
        given = row["made_name"] is not None and row["name"] != row["made_name"]
        told["name"] = min([*names, *([row["name"]] if given else [])], default=None)
        entry = {**told, "keys": dict(sorted(keys.items())), "pictures": looks}
        if self._level == "pack":
            entry["page"] = plain_page(entry["page"])
        else:
            entry["row_keys"] = self._row_keys().get(row["id"], [])
        return entry

    def _pictures(self) -> dict[int, list[Entry]]:
        looks = defaultdict(list)
        for row in self._store.rows(SQL.templates):
            told = travelling(row, "template", self._level)
            self.memory.pngs.setdefault(row["sha256"], told.pop("png"))
            looks[row["component_id"]].append(told)
        return looks

    def _row_keys(self) -> dict[int, list[Entry]]:
        if not hasattr(self, "_rows"):
            self._rows: dict[int, list[Entry]] = defaultdict(list)
            for row in self._store.rows(SQL.row_keys):
                self._rows[row["component_id"]].append(travelling(row, "row_key", self._level))
        return self._rows

    # -- states and what leads from one to another ----------------------------------------

    def _states(self) -> None:
        keys, names = self._state_keys()
        on: dict[str, list[list[int]]] = defaultdict(list)
        for row in self._store.rows(SQL.state_components):
            if row["component_id"] in self._place:
                at = self._place[row["component_id"]]
                on[row["state_id"]].append([at, row["defining"], row["x"], row["y"]])
        entries: list[tuple[Entry, str]] = []
        for row in self._store.rows(SQL.states):
            told = travelling(row, "state", self._level)
            told.pop("visit_count")
            given = [*names[row["id"]], *filter(None, [row["name"]])]
            here = keys[row["id"]] or {key_of(self._own, row["id"]): 1}
            entry = {**told, "name": min(given, default=None), "keys": dict(sorted(here.items()))}
            entry["components"] = _united(on[row["id"]])
            if self._level == "pack":
                entry["page"] = plain_page(entry["page"])
                entry["name"] = None if names_person(entry["name"]) else entry["name"]
            if self._level == "pack" and not entry["components"]:
                self._out["screens of which no control goes in"] += 1
            else:
                entries.append((entry, row["id"]))
        entries.sort(key=lambda one: min(one[0]["keys"]))
        self.memory.states = [entry for entry, _ in entries]
        self.memory.state_ids = [state_id for _, state_id in entries]
        self._state = {state_id: at for at, state_id in enumerate(self.memory.state_ids)}
        if self._level == "store":
            self._texts()

    def _state_keys(self) -> tuple[dict[str, dict[str, int]], dict[str, list[str]]]:
        """Return who counted how many visits of each living state, and what others named it.

        Visits that others counted are in a state's own count, too.
        """
        self._root = {row["id"]: row["root"] for row in self._store.rows(SQL.roots)}
        visits = Counter({row["id"]: row["visit_count"] for row in self._store.rows(SQL.roots)})
        keys: dict[str, dict[str, int]] = defaultdict(dict)
        names: dict[str, list[str]] = defaultdict(list)
        for row in self._store.rows(SQL.state_shares):
            if row["state_id"] is not None:
                root = self._root[row["state_id"]]
                keys[root][key_of(row["origin_id"], row["state_there"])] = row["visit_count"]
                visits[row["state_id"]] -= row["visit_count"]
                names[root] += filter(None, [row["name"]])
        for state_id, root in self._root.items():
            if visits[state_id] > 0:
                keys[root][key_of(self._own, state_id)] = visits[state_id]
        return keys, names

    def _texts(self) -> None:
        for entry in self.memory.states:
            entry["texts"] = []
        for row in self._store.rows(SQL.state_texts):
            if row["state_id"] in self._state:
                self.memory.states[self._state[row["state_id"]]]["texts"].append(row["text"])

    def _transitions(self) -> None:
        shares = defaultdict(list)
        for row in self._store.rows(SQL.transition_shares):
            shares[row["transition_id"]].append(row)
        edges: dict[tuple[Any, ...], Entry] = {}
        for row in self._store.rows(SQL.transitions):
            edge = self._edge(row)
            if edge is None:
                continue
            place = tuple(edge[name] for name in ("from", "action", "component", "detail", "to"))
            known = edges.setdefault(place, {**edge, "shares": defaultdict(Counter)})
            known["recorded_at"] = min(known["recorded_at"], edge["recorded_at"])
            known["last_used_at"] = max(known["last_used_at"], edge["last_used_at"])
            own = Counter({name: row[name] for name in COUNTED})
            for share in shares[row["id"]]:
                counts = {name: share[name] for name in COUNTED}
                known["shares"][share["origin_id"]].update(counts)
                own.subtract(counts)
            known["shares"][self._own].update({name: max(own[name], 0) for name in COUNTED})
        for edge in edges.values():
            kept = {o: [c[name] for name in COUNTED] for o, c in sorted(edge["shares"].items())}
            edge["shares"] = {origin: counts for origin, counts in kept.items() if any(counts)}
        found = [edge for edge in edges.values() if edge["shares"]]
        self.memory.transitions = sorted(found, key=_edge_order)

    def _edge(self, row: sqlite3.Row) -> Entry | None:
        """Return a transition by places in the lists; ``None`` where it is personal."""
        start, end = (self._state.get(self._root[row[n]], -1) for n in ("from_state", "to_state"))
        on = None if row["component_id"] is None else self._place.get(row["component_id"], -1)
        if -1 in {start, end, on}:
            self._out["acts on what stays out"] += 1
            return None
        detail = row["detail"]
        if self._level == "pack":
            detail = plain_detail(row["action"], detail)
        told = travelling(row, "transition", self._level)
        ends = {"from": start, "to": end, "component": on, "detail": detail}
        return {**{n: told[n] for n in ("action", "recorded_at", "last_used_at")}, **ends}

    # -- skills --------------------------------------------------------------------------

    def _skills(self) -> None:
        steps = defaultdict(list)
        for row in self._store.rows(SQL.skill_steps):
            told = travelling(row, "skill_step", self._level)
            steps[row["skill_id"]].append(self._step(told))
        parameters: dict[str, dict[str, str]] = defaultdict(dict)
        specs: dict[str, Entry] = defaultdict(dict)
        for row in self._store.rows(SQL.skill_parameters):
            parameters[row["skill_id"]][row["name"]] = row["example"]
            spec = {"kind": row["kind"], "description": row["description"]}
            specs[row["skill_id"]][row["name"]] = {**spec, "required": bool(row["required"])}
        impersonal = ImpersonalSkills(self._out)
        found = []
        for row in self._store.rows(SQL.skills):
            told = travelling(row, "skill", self._level)
            for name in ("triggers", "facts", "verify", "aliases"):
                if name in told or name == "facts":
                    told[name] = json.loads(row[name]) if name in told else []
            told["steps"] = steps[row["id"]]
            told["parameters"] = parameters[row["id"]]
            if self._level == "store":
                told["specs"] = specs[row["id"]]
            kept = told if self._level == "store" else impersonal.kept(told, row["status"])
            if kept is not None:
                found.append(kept)
        self.memory.skills = sorted(found, key=lambda one: json.dumps([one["steps"], one["name"]]))

    def _step(self, told: Entry) -> Entry:
        on = told.pop("component_id")
        told["component"] = None if on is None else self._place.get(on, -1)
        for name in ("from_state", "to_state"):
            root = self._root.get(told[name] or "", "")
            told[name] = self._state.get(root)
        return told


def _united(places: list[list[int]]) -> list[list[int]]:
    """Return one place for each component: a merged state may hold it twice."""
    found: dict[int, list[int]] = {}
    for at, defining, x, y in places:
        known = found.get(at, [at, defining, x, y])
        top, left = min((y, x), (known[3], known[2]))
        found[at] = [at, max(defining, known[1]), left, top]
    return [found[at] for at in sorted(found)]


def _edge_order(edge: Entry) -> tuple[Any, ...]:
    component = -1 if edge["component"] is None else edge["component"]
    return edge["from"], edge["action"], component, edge["detail"] or "", edge["to"]
