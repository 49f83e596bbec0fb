"""Whatever is learned, matched, renamed, deleted, merged and restored, in whatever order."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections import Counter
from typing import Any
from unittest.mock import patch

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import memctl
from memctl.base.errors import NotFoundError, UsageError
from memctl.visual.graph.naming import folded
from tests.visual.drawn import Drawn, Widget

LABELS = ["Save", "Open", "Close", "Help", "Delete"]
SPOTS = [(10, 10), (130, 10), (10, 60), (130, 60), (10, 110), (130, 110)]
POLICIES = [
    {"forgetting": "expected"},
    {"forgetting": "everywhere"},
    {"forgetting": "expected", "state_match": "0.9", "state_merge": "0.3"},
]
NUMBERS = st.integers(0, 7)


@st.composite
def screens(draw: st.DrawFn) -> Drawn:
    labels = draw(st.lists(st.sampled_from([*LABELS, "Delete"]), min_size=1, max_size=4))
    places = draw(st.permutations(SPOTS))[: len(labels)]
    widgets = (Widget(label, *place) for label, place in zip(labels, places, strict=True))
    return Drawn(tuple(widgets), width=240, height=150)


class VisualMemory(RuleBasedStateMachine):
    """A memory under arbitrary use, held against what must always be true of its file."""

    @initialize(policy=st.sampled_from(POLICIES))
    def create(self, policy: dict[str, str]) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.clock = patch.dict(os.environ, {"MEMCTL_NOW": "2026-01-02T03:04:05Z"})
        self.clock.start()
        flags = {"forget_threshold": "2", **policy}
        self.memory = memctl.open("app", home=self.folder.name, settings=flags)
        self.memory.learn(*Drawn((Widget("Save", 10, 10),), width=240, height=150).given)
        self.seen: dict[int, int] = {}
        self.visits = 0
        self.tries = 0

    def teardown(self) -> None:
        if hasattr(self, "memory"):
            self.memory.close()
            self.folder.cleanup()
            self.clock.stop()

    # -- what may happen -----------------------------------------------------------------

    @rule(screen=screens(), page=st.sampled_from([None, None, "inbox", "settings"]))
    def learn(self, screen: Drawn, page: str | None) -> None:
        answer = self.memory.learn(*screen.given, page=page)
        assert answer.state is not None
        again = self.memory.match(screen.image, page=page)
        assert len(again.sightings) == len(screen.widgets)

    @rule(screen=screens())
    def match(self, screen: Drawn) -> None:
        answer = self.memory.match(screen.image)
        places = [(one.x, one.y) for one in answer.sightings]
        assert len(places) == len(set(places))
        assert set(places) <= {(one.x, one.y) for one in screen.widgets}

    @rule(number=NUMBERS, name=st.sampled_from(["Save", "SAVE", "x", "..", "a|b", "Löschen"]))
    def rename_component(self, number: int, name: str) -> None:
        with contextlib.suppress(UsageError):
            self.memory.components.rename(self.component(number), name)

    @rule(number=NUMBERS)
    def delete_component(self, number: int) -> None:
        gone = self.memory.components.erase(self.component(number))
        self.seen.pop(gone.component_id, None)
        self.tries = 0
        for erased in {place.id for place in self.memory.components.erased()}:
            self.memory.components.lift(erased)  # else it is never learned again

    @rule(number=NUMBERS, pinned=st.booleans())
    def pin(self, number: int, pinned: bool) -> None:
        act = self.memory.components.pin if pinned else self.memory.components.unpin
        act(self.component(number))

    @rule(number=NUMBERS)
    def restore_component(self, number: int) -> None:
        forgotten = self.memory.components.list(forgotten=True)
        if forgotten:
            self.memory.components.restore(forgotten[number % len(forgotten)].id)

    @rule(number=NUMBERS, name=st.sampled_from(["Inbox", "inbox", "Start", "Übersicht"]))
    def rename_state(self, number: int, name: str) -> None:
        with contextlib.suppress(UsageError, NotFoundError):
            self.memory.states.rename(self.state(number), name)

    @rule(one=NUMBERS, other=NUMBERS)
    def merge_states(self, one: int, other: int) -> None:
        with contextlib.suppress(UsageError, NotFoundError):
            self.memory.states.merge(self.state(one), self.state(other))

    @rule(number=NUMBERS)
    def restore_state(self, number: int) -> None:
        with contextlib.suppress(UsageError):
            self.memory.states.restore(self.state(number))

    @rule(
        one=NUMBERS,
        other=NUMBERS,
        action=st.sampled_from(["click:Save", "click:Delete_2", "key:1", "wait"]),
        elapsed=st.sampled_from([None, 0, 120.5]),
    )
    def record(self, one: int, other: int, action: str, elapsed: float | None) -> None:
        with contextlib.suppress(UsageError, NotFoundError):
            self.memory.transitions.record(
                self.state(one), action, self.state(other), elapsed_ms=elapsed
            )

    @rule(failed=st.booleans())
    def commit(self, failed: bool) -> None:
        self.memory.transitions.commit(failed=failed)
        assert self.memory.transitions.pending() == []

    @rule()
    def discard(self) -> None:
        pending = len(self.memory.transitions.pending())
        assert self.memory.transitions.discard() == pending
        assert self.memory.transitions.pending() == []

    def component(self, number: int) -> int:
        """Return the id of some component, living or forgotten; learn one where there is none."""
        ids = [row[0] for row in self.memory.store.rows("select id from component order by id")]
        if not ids:
            self.memory.learn(*Drawn((Widget("Save", 10, 10),), width=240, height=150).given)
            return self.component(number)
        return int(ids[number % len(ids)])

    def state(self, number: int) -> str:
        """Return the id of some state, living, merged or forgotten."""
        rows = self.memory.store.rows("select id from state order by rowid")
        return str(rows[number % len(rows)][0])

    # -- what must hold ------------------------------------------------------------------

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in self.memory.store.rows(sql)]

    @invariant()
    def no_reference_dangles(self) -> None:
        assert self.rows("pragma foreign_key_check") == []

    @invariant()
    def every_defining_component_exists_and_lives(self) -> None:
        living = {component.id for component in self.memory.components.list()}
        assert {key for (key,) in self.rows("select component_id from state_definition")} <= living

    @invariant()
    def every_living_state_is_defined_by_something(self) -> None:
        words = self.rows("select id from state where known_by = 'words'")
        without = {(s.id,) for s in self.memory.states.list() if s.component_count == 0}
        assert without <= set(words)

    @invariant()
    def every_living_component_has_a_look(self) -> None:
        assert [c for c in self.memory.components.list() if c.looks == 0] == []

    @invariant()
    def transitions_join_two_living_states(self) -> None:
        living = {state.id for state in self.memory.states.list()}
        for edge in self.memory.transitions.list():
            assert {edge.from_state, edge.to_state} <= living
            assert edge.count == edge.successes + edge.failures > 0

    @invariant()
    def names_are_unique(self) -> None:
        for names in (
            [folded(c.name) for c in self.memory.components.list()],
            [folded(s.name) for s in self.memory.states.list() if s.name],
        ):
            assert len(names) == len(set(names))

    @invariant()
    def every_name_leads_to_its_bearer(self) -> None:
        for component in self.memory.components.list():
            assert self.memory.components.get(component.name).id == component.id
        for state in self.memory.states.list():
            assert self.memory.states.resolve(state.name or state.id) == state.id

    @invariant()
    def counts_never_shrink(self) -> None:
        now = dict(self.rows("select id, seen_count from component"))
        assert self.seen.keys() <= now.keys()
        assert all(now[key] >= count for key, count in self.seen.items())
        self.seen = now
        visits = self.rows("select coalesce(sum(visit_count), 0) from state")[0][0]
        assert visits >= self.visits
        self.visits = visits
        tries = self.rows("select coalesce(sum(successes + failures), 0) from transition")[0][0]
        assert tries >= self.tries
        self.tries = tries

    @invariant()
    def sightings_add_up(self) -> None:
        counted = self.rows("select component_id, count(*) from sighting where found group by 1")
        assert dict(counted) == dict(self.rows("select id, seen_count from component"))

    @invariant()
    def visits_add_up(self) -> None:
        learned = "select count(*) from observation where kind = 'learn' and state_id is not null"
        assert self.rows("select sum(visit_count) from state") == self.rows(learned)

    @invariant()
    def a_merge_keeps_the_sums(self) -> None:
        parent = dict(self.rows("select id, merged_into from state"))
        gone = {key for (key,) in self.rows("select id from state where forgotten_at is not null")}

        def root(key: str) -> str:
            return key if parent[key] is None else root(str(parent[key]))

        visits: Counter[str] = Counter()
        for key, count in self.rows("select id, visit_count from state"):
            if root(key) not in gone:
                visits[root(key)] += count
        assert {s.id: s.visit_count for s in self.memory.states.list()} == dict(visits)
        tries: Counter[tuple[str, str]] = Counter()
        # What leads to the state that its own was merged with, leads nowhere any more.
        for start, end, count in self.rows(
            "select from_state, to_state, successes + failures from transition "
            "left join component on component.id = component_id "
            "where status = 'committed' and forgotten_at is null"
        ):
            ends = root(start), root(end)
            if (ends[0] != ends[1] or start == end) and not gone & set(ends):
                tries[ends] += count
        shown: Counter[tuple[str, str]] = Counter()
        for edge in self.memory.transitions.list():
            shown[edge.from_state, edge.to_state] += edge.count
        assert shown == tries


TestVisualMemory = VisualMemory.TestCase
TestVisualMemory.settings = settings(
    max_examples=6,
    stateful_step_count=14,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
