"""The memory of an app as it travels: its components, screens, edges and skills, free of a file's ids.

Components and states are numbered by their places in lists, which are sorted by smallest key: a key
is the origin that knows a thing, and its id there. So stores that know the same make the same lists,
whichever of them was merged into the other. What is personal stays out of a pack.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from memctl.porting.packs.impersonal import (
    ImpersonalSkills,
    Personal,
    is_unlabelled,
    plain_detail,
    plain_page,
    shows_address,
)
from memctl.store import schema_text, statements
from memctl.store.results import Result

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Collection, Mapping

    from memctl.store.store import Store

SQL = statements.load("store/sharing")
STATES = statements.load("store/state")

Entry = dict[str, Any]
Level = Literal["pack", "store"]

SHARED = ("decision", "rule", "technical", "lesson")
"""Categories of facts that a pack may carry; what the others say is of a person, or of some weeks."""

COUNTED = ("successes", "failures", "total_ms", "timed")
"""Counts of a transition."""


class Tally(dict[str, int]):
    """Counts by name; 0 for what was not counted."""

    def __missing__(self, key: str) -> int:
        return 0


@dataclass
class AppMemory:
    """What a store or a pack knows of an app.

    Parameters
    ----------
    origin, address
        The store that it was read from, and the app or site.
    origins
        Every store whose counts are in it, with its address.
    components
        ``keys`` (key to the number of sightings), columns, ``name`` (``None``: nobody named it),
        and ``pictures``.
    forgotten
        Keys and times of components that were forgotten; nothing else of them.
    states
        ``keys``, columns, and ``components``: lists of place in `components`, whether it defines
        the state, x and y at scale 1.
    transitions
        ``from``, ``to`` and ``component`` as places in the lists, and ``shares``: origin to counts.
    skills
        Each with its ``steps``.
    facts, shared_at
        The facts that a person let into a pack, and when; ``None``: the pack says nothing of facts.
    pngs
        SHA-256 of a picture's pixels to the picture.
    component_ids, state_ids
        Ids in the file that it was read from, by place in the list; a pack has none.
    left_out
        Why something stays out of a pack, and how much of it.
    """

    origin: str
    address: str
    origins: Mapping[str, str] = field(default_factory=dict)
    components: list[Entry] = field(default_factory=list)
    forgotten: list[Entry] = field(default_factory=list)
    states: list[Entry] = field(default_factory=list)
    transitions: list[Entry] = field(default_factory=list)
    skills: list[Entry] = field(default_factory=list)
    facts: list[Entry] | None = None
    shared_at: str = ""
    pngs: dict[str, bytes] = field(default_factory=dict)
    component_ids: list[int] = field(default_factory=list)
    state_ids: list[str] = field(default_factory=list)
    left_out: Tally = field(default_factory=Tally)

    @property
    def lists(self) -> dict[str, list[Entry]]:
        """Everything in it but pictures and ids, as plain objects."""
        names = ("components", "forgotten", "states", "transitions", "skills")
        lists = {name: getattr(self, name) for name in names}
        return lists if self.facts is None else {**lists, "facts": self.facts}


@dataclass(frozen=True, slots=True)
class OfferedFact(Result):
    """A fact that may go into a pack, or why it stays out.

    Parameters
    ----------
    text
        What it says; a secret in it is masked.
    project
        Where it holds; empty: everywhere.
    why
        The rule that keeps it out; empty where none does.
    """

    id: str
    text: str
    category: str
    project: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Conflict(Result):
    """A difference between two memories; both rows are kept, or one waits.

    ``kind`` is component, state, skill or fact; ``name`` what it is called here.
    """

    kind: str
    name: str
    why: str


@dataclass(frozen=True, slots=True)
class MergeReport(Result):
    """The report of a merge.

    Parameters
    ----------
    source
        The file that was merged.
    address, origin
        The app or site that it is the memory of, and the store that wrote it.
    signed_by
        The public key that signed it, in Base64; ``None`` for a store or an unsigned pack.
    added, united
        How many of each kind are new here, and how many were one with what is here.
    refused
        What stayed out, and how much of it: what looks like a secret, what was erased here.
    conflicts
        What both know, differently.
    withdrawn
        Shared facts that hold no more, since the last pack of their store does not carry them: id and text.
    written
        False for a dry run: nothing was kept.
    """

    source: str
    address: str = ""
    origin: str = ""
    signed_by: str | None = None
    added: dict[str, int] = field(default_factory=Tally)
    united: dict[str, int] = field(default_factory=Tally)
    refused: dict[str, int] = field(default_factory=Tally)
    conflicts: list[Conflict] = field(default_factory=list)
    withdrawn: dict[str, str] = field(default_factory=dict)
    written: bool = True

    def conflict(self, kind: str, name: str, why: str) -> None:
        """Add what both know, differently."""
        self.conflicts.append(Conflict(kind, name, why))


def travelling(row: sqlite3.Row, table: str, level: Level) -> Entry:
    """Return the columns of a row that may leave the file, as the schema declares them."""
    here = row.keys()
    return {name: row[name] for name in schema_text.travelling(table, level) if name in here}


def key_of(origin: str, number: object) -> str:
    """Return the key of a thing: who knows it, and its id there."""
    return f"{origin}:{number}"


def parts_of(key: str) -> tuple[str, str]:
    """Return the origin of a key, and the id there."""
    origin, _, number = key.partition(":")
    return origin, number


def read_memory(
    store: Store,
    level: Level,
    without: Collection[str] = (),
    *,
    texts: bool = False,
    counts: bool = True,
) -> AppMemory:
    """Read what a store knows of its app.

    Parameters
    ----------
    level
        ``pack``: nothing personal; ``store``: all that another store of the same person takes.
    without
        Names or labels of components that are left out of a pack.
    texts
        Whether labelled content of one screen goes into a pack.
    counts
        Whether what the store itself counted goes in; not where it only took in what others know.
    """
    with store.snapshot():
        personal = Personal(store, without, texts=texts) if level == "pack" else None
        return _AppReading(store, level, personal, counts=counts).memory


class _AppReading:
    """One reading of a store."""

    def __init__(
        self, store: Store, level: Level, personal: Personal | None, *, counts: bool
    ) -> None:
        self._store = store
        self._counts = counts
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
        lists = (self.memory.components, self.memory.forgotten, self.memory.states)
        known = {
            parts_of(key)[0] for entries in lists for entry in entries for key in entry["keys"]
        }
        known |= {origin for edge in self.memory.transitions for origin in edge["shares"]}
        self.memory.origins = {r["id"]: r["address"] for r in origins if r["id"] in known}

    # -- components ----------------------------------------------------------------------

    def _components(self) -> None:
        rows = self._store.rows(SQL.components)
        living = {row["id"] for row in rows if not row["forgotten_at"]}
        shares = defaultdict(list)
        absorbed = set()
        for share in self._store.rows(SQL.component_shares):
            own = share["origin_id"] == self._own
            gone = own and share["number"] not in living
            absorbed |= {share["number"]} if gone else set()
            if not own or (gone and self._counts):
                shares[share["component_id"]].append(share)
        pictures = self._pictures()
        row_keys = self._grouped(SQL.row_keys, "row_key")
        entries: list[tuple[Entry, int]] = []
        torn: set[int] = set()
        for row in rows:
            if row["id"] in absorbed:
                continue
            entry = self._component(row, shares[row["id"]])
            entry["pictures"] = pictures[row["id"]]
            if self._level == "store":
                entry["row_keys"] = row_keys[row["id"]]
            why = self._personal.reason(row, entry) if self._personal else None
            if self._personal and row["forgotten_at"]:
                gone = {k: entry[k] for k in ("keys", "forgotten_at", "last_seen_at")}
                self.memory.forgotten.append(gone)
            elif why:
                self._out[why] += 1
                torn |= {row["id"]} if is_unlabelled(row) else set()
            else:
                entries.append((entry, row["id"]))
        entries = self._complete(entries, torn)
        entries.sort(key=lambda pair: min(pair[0]["keys"]))
        self.memory.forgotten.sort(key=lambda entry: min(entry["keys"]))
        self.memory.components = [entry for entry, _ in entries]
        self.memory.component_ids = [number for _, number in entries]
        self._place = {number: at for at, number in enumerate(self.memory.component_ids)}
        used = {look["sha256"] for entry, _ in entries for look in entry["pictures"]}
        self.memory.pngs = {key: png for key, png in self.memory.pngs.items() if key in used}

    def _complete(self, entries: list[tuple[Entry, int]], out: set[int]) -> list[tuple[Entry, int]]:
        """Return components without such that have no label, beside others that stay out.

        Elsewhere they are known by their order alone, which is then not known.
        """
        places = self._store.rows(SQL.state_components)
        self._torn = {row["state_id"] for row in places if row["component_id"] in out}
        whole = {row["component_id"] for row in places if row["state_id"] not in self._torn}
        kept = [pair for pair in entries if pair[1] in whole or not is_unlabelled(pair[0])]
        if self._torn and len(kept) < len(entries):
            self._out["without a label, beside what stays out"] += len(entries) - len(kept)
        return kept if self._torn else entries

    def _component(self, row: sqlite3.Row, shares: list[sqlite3.Row]) -> Entry:
        entry = travelling(row, "component", self._level)
        keys = {
            key_of(share["origin_id"], share["number"]): share["seen_count"] for share in shares
        }
        own = entry.pop("seen_count") - sum(keys.values())
        if (own > 0 and self._counts) or not keys:
            keys[key_of(self._own, row["id"])] = max(own, 1)
        names = [share["name"] for share in shares if share["name"]]
        given = row["made_name"] is not None and row["name"] != row["made_name"]
        entry["name"] = min([*names, *([row["name"]] if given else [])], default=None)
        if self._level == "pack":
            entry["page"] = plain_page(entry["page"])
        return {**entry, "keys": dict(sorted(keys.items()))}

    def _pictures(self) -> dict[int, list[Entry]]:
        looks = self._grouped(SQL.templates, "template")
        for look in (look for pictures in looks.values() for look in pictures):
            self.memory.pngs.setdefault(look["sha256"], look.pop("png"))
        return looks

    def _grouped(self, sql: str, table: str) -> dict[int, list[Entry]]:
        result: dict[int, list[Entry]] = defaultdict(list)
        for row in self._store.rows(sql):
            result[row["component_id"]].append(travelling(row, table, self._level))
        return result

    # -- states and what leads from one to another ----------------------------------------

    def _states(self) -> None:
        keys, names = self._state_keys()
        on: dict[str, dict[int, list[int]]] = defaultdict(dict)
        for row in self._store.rows(SQL.state_components):
            at = self._place.get(row["component_id"])
            torn = row["state_id"] in self._torn
            if at is not None and not (torn and is_unlabelled(self.memory.components[at])):
                # A merged state may show a component twice: at the first place in reading order.
                known = on[row["state_id"]].get(at, [at, 0, row["x"], row["y"]])
                y, x = min((row["y"], row["x"]), (known[3], known[2]))
                on[row["state_id"]][at] = [at, max(row["defining"], known[1]), x, y]
        entries: list[tuple[Entry, str]] = []
        for row in self._store.rows(SQL.states):
            entry = travelling(row, "state", self._level)
            entry.pop("visit_count")
            entry["name"] = min([*names[row["id"]], *filter(None, [row["name"]])], default=None)
            here = keys[row["id"]] or {key_of(self._own, row["id"]): 1}
            entry["keys"] = dict(sorted(here.items()))
            entry["components"] = [place for _, place in sorted(on[row["id"]].items())]
            if self._level == "pack":
                entry["page"] = plain_page(entry["page"])
                entry["name"] = None if shows_address(entry["name"]) else entry["name"]
            if self._level == "pack" and not entry["components"]:
                self._out["screens of which no control goes in"] += 1
            else:
                entries.append((entry, row["id"]))
        entries.sort(key=lambda pair: min(pair[0]["keys"]))
        self.memory.states = [entry for entry, _ in entries]
        self.memory.state_ids = [state_id for _, state_id in entries]
        self._state = {state_id: at for at, state_id in enumerate(self.memory.state_ids)}
        if self._level == "store":
            for state in self.memory.states:
                state.update(texts=[], ignored=[])
            self._on_states(SQL.state_texts, "texts", lambda row: row["text"])
            area = partial(travelling, table="ignored_area", level=self._level)
            self._on_states(STATES.ignored, "ignored", area)

    def _on_states(self, sql: str, name: str, made: Callable[[sqlite3.Row], Any]) -> None:
        """Add what is made of each row to a list of its state."""
        for row in self._store.rows(sql, {"id": None}):
            if row["state_id"] in self._state:
                self.memory.states[self._state[row["state_id"]]][name].append(made(row))

    def _state_keys(self) -> tuple[dict[str, dict[str, int]], dict[str, list[str]]]:
        """Return who counted how many visits of each living state, and what others named it.

        A state's own count includes the visits that others counted.
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
            if visits[state_id] > 0 and (self._counts or not keys[root]):
                keys[root][key_of(self._own, state_id)] = visits[state_id]
        return keys, names

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
            if self._counts:
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
        kept = {name: row[name] for name in ("action", "recorded_at", "last_used_at")}
        return {**kept, "from": start, "to": end, "component": on, "detail": detail}

    # -- skills --------------------------------------------------------------------------

    def _skills(self) -> None:
        steps = defaultdict(list)
        for row in self._store.rows(SQL.skill_steps):
            steps[row["skill_id"]].append(self._step(travelling(row, "skill_step", self._level)))
        parameters: dict[str, dict[str, str]] = defaultdict(dict)
        specs: dict[str, Entry] = defaultdict(dict)
        for row in self._store.rows(SQL.skill_parameters):
            parameters[row["skill_id"]][row["name"]] = row["example"]
            spec = {"kind": row["kind"], "description": row["description"]}
            specs[row["skill_id"]][row["name"]] = {**spec, "required": bool(row["required"])}
        impersonal = ImpersonalSkills(self._out)
        found = []
        for row in self._store.rows(SQL.skills):
            skill = {"facts": [], **travelling(row, "skill", self._level)}
            for name in {"triggers", "facts", "verify", "aliases"} & skill.keys():
                skill[name] = json.loads(skill[name]) if skill[name] else []
            skill["steps"] = steps[row["id"]]
            skill["parameters"] = parameters[row["id"]]
            if self._level == "store":
                found.append({**skill, "specs": specs[row["id"]]})
            elif (kept := impersonal.kept(skill, row["status"])) is not None:
                found.append(kept)
        self.memory.skills = sorted(found, key=lambda it: json.dumps([it["steps"], it["name"]]))

    def _step(self, step: Entry) -> Entry:
        on = step.pop("component_id")
        step["component"] = None if on is None else self._place.get(on, -1)
        for name in ("from_state", "to_state"):
            root = self._root.get(step[name] or "", "")
            step[name] = self._state.get(root)
        return step


def _edge_order(edge: Entry) -> tuple[Any, ...]:
    component = -1 if edge["component"] is None else edge["component"]
    return edge["from"], edge["action"], component, edge["detail"] or "", edge["to"]
