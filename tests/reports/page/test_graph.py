"""The state graph: what is read of it, and where it stands in its picture."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.reports.page.arrows import place_labels
from memctl.reports.page.graph import Graph, GraphTransition, Link, read_graph
from memctl.reports.page.graph_ladder import ladder_of
from memctl.reports.page.graph_layout import FEW_STATES, backbone, drawn
from memctl.visual.graph.states import State
from tests.each import each
from tests.reports.page.made import Size, fill

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory

ROOM = (0.0, 0.0, 400.0, 400.0)
AT = "2026-11-20T10:00:{:02}Z"


def transition(start: int, end: int, count: int = 1, probability: float = 0.5) -> GraphTransition:
    return GraphTransition(
        f"s{start}", "click:Go", f"s{end}", count, 0, probability, None, AT.format(0)
    )


def graph_of(states: int, links: list[Link], route: tuple[str, ...] = ()) -> Graph:
    named = tuple(
        State(f"s{n}", f"screen {n}", None, None, "confirmed", 1, 1, AT.format(0), AT.format(0))
        for n in range(states)
    )
    return Graph(named, tuple(links), route, 0, 0)


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    states = draw(st.integers(1, 30))
    ends = draw(
        st.sets(st.tuples(st.integers(0, states - 1), st.integers(0, states - 1)), max_size=60)
    )
    links = [
        Link((transition(start, end, draw(st.integers(1, 40))),), marked=False)
        for start, end in sorted(ends)
        if start != end
    ]
    route = (links[0].ends[0],) if links else ()
    return graph_of(states, links, route)


@pytest.fixture
def walked(memory: Memory, home: Path) -> Memory:
    """Login leads home, often; from there to a list, sometimes, and to the settings, once."""
    fill(home, "harbor", Size(states=4, components=4, links=0))
    for start, action, end, times in (
        ("screen 0", "click:Sign in", "screen 1", 5),
        ("screen 0", "key:Enter", "screen 1", 2),
        ("screen 1", "click:List", "screen 2", 3),
        ("screen 1", "click:Settings", "screen 3", 1),
        ("screen 2", "click:Home", "screen 1", 4),
    ):
        for _ in range(times):
            memory.transitions.record(start, action, end, elapsed_ms=200)
            memory.transitions.commit()
    return memory


def test_the_most_used_way_starts_where_the_app_was_entered(walked: Memory) -> None:
    graph = read_graph(walked.store, most_states=10, most_transitions=10)
    assert [graph.name(one) for one in graph.route] == ["screen 0", "screen 1", "screen 2"]
    marked = {link.ends for link in graph.links if link.marked}
    assert marked == {("s_000000", "s_000001"), ("s_000001", "s_000002")}


def test_acts_between_the_same_screens_are_one_arrow_named_after_the_most_used(
    walked: Memory,
) -> None:
    graph = read_graph(walked.store, most_states=10, most_transitions=10)
    link = next(link for link in graph.links if link.ends == ("s_000000", "s_000001"))
    assert [(transition.action, transition.count) for transition in link.transitions] == [
        ("click:Sign in", 5),
        ("key:Enter", 2),
    ]
    assert link.count == 7
    arrow = next(arrow for arrow in drawn(graph).arrows if arrow.link == link)
    assert arrow.lines == ("Sign in", "57% +1")


def test_what_is_beyond_the_limits_is_counted(walked: Memory) -> None:
    graph = read_graph(walked.store, most_states=3, most_transitions=2)
    assert len(graph.states) == 3
    assert graph.states_left_out == 1
    assert sum(len(link.transitions) for link in graph.links) == 2
    assert graph.transitions_left_out == 3


def test_a_graph_without_ways_has_no_route(memory: Memory, home: Path) -> None:
    fill(home, "harbor", Size(states=3, components=3, links=0))
    graph = read_graph(memory.store, most_states=10, most_transitions=10)
    assert graph.route == ()
    assert drawn(Graph(graph.states, (), (), 0, 0)).arrows == ()


@given(graphs())
def test_no_screen_is_drawn_over_another_or_outside_of_the_picture(graph: Graph) -> None:
    drawing = drawn(graph)
    assert len(drawing.places) == len(graph.states)
    for place in drawing.places:
        assert 0 <= place.x <= place.x + place.w <= drawing.width
        assert 0 <= place.y <= place.y + place.h <= drawing.height
    for one, other in combinations(drawing.places, 2):
        apart = (
            one.x + one.w <= other.x
            or other.x + other.w <= one.x
            or one.y + one.h <= other.y
            or other.y + other.h <= one.y
        )
        assert apart


@given(graphs())
def test_every_link_has_an_arrow_and_only_large_graphs_hide_some(graph: Graph) -> None:
    drawing = drawn(graph)
    assert [arrow.link for arrow in drawing.arrows] == list(graph.links)
    assert drawing.whole is False or not any(arrow.quiet for arrow in drawing.arrows)


@given(graphs())
def test_the_surest_ways_make_a_forest(graph: Graph) -> None:
    links = backbone(graph)
    parents = {link.ends[1]: link.ends[0] for link in links}
    assert len(parents) == len(links)  # one at most leads to each
    for start in parents:
        here, steps = start, 0
        while here in parents:
            here, steps = parents[here], steps + 1
            assert steps <= len(parents)


def test_the_surest_way_is_drawn_in_a_large_graph_and_others_wait() -> None:
    chain = [Link((transition(n, n + 1, 9, 0.7),), marked=False) for n in range(FEW_STATES + 4)]
    short = Link((transition(0, 5, 1, 0.2),), marked=False)
    drawing = drawn(graph_of(FEW_STATES + 5, [*chain, short], ("s0",)))
    quiet = {arrow.link.ends: arrow.quiet for arrow in drawing.arrows}
    assert quiet[short.ends] is False  # 0.2 beats five steps of 0.7: 0.17
    assert quiet["s4", "s5"] is True


@each("states", [3, 8, 12])
def test_a_small_graph_needs_no_scrolling_sideways(states: int) -> None:
    links = [Link((transition(n, n + 1, 9, 0.7),), marked=True) for n in range(states - 1)]
    drawing = drawn(graph_of(states, links, tuple(f"s{n}" for n in range(states))))
    assert drawing.whole
    assert drawing.width <= 1150


@given(graphs())
def test_a_ladder_has_every_screen_once_below_the_other_and_fits_a_phone(graph: Graph) -> None:
    ladder = ladder_of(graph)
    assert sorted(rung.number for rung in ladder.rungs) == list(range(len(graph.states)))
    tops = [rung.y for rung in ladder.rungs]
    assert tops == sorted(tops)
    assert all(two - one >= ladder.picture[1] for one, two in pairwise(tops))
    assert 0 < ladder.x <= 90
    for rung in ladder.rungs:
        assert all(len(step.text) * 6 <= 360 - ladder.x for step in rung.steps)
        assert all(rung.y < step.y < ladder.height for step in rung.steps)


def test_a_ladder_says_what_is_done_where_it_leads_and_how_surely() -> None:
    links = [
        Link((transition(0, 1, 9, 0.7), transition(0, 1, 2, 0.3)), marked=True),
        Link((transition(1, 0, 3, 0.5),), marked=False),
    ]
    first, second = ladder_of(graph_of(2, links, ("s0", "s1"))).rungs
    assert [(step.text, step.marked) for step in first.steps] == [
        ("Go (+1) \N{RIGHTWARDS ARROW} screen 1 70%", True)
    ]
    assert [step.text for step in second.steps] == ["Go \N{RIGHTWARDS ARROW} screen 0 50%"]


def test_screens_without_a_name_are_called_by_their_page_and_told_apart(memory: Memory) -> None:
    with memory.store.transaction():
        connection = memory.store.connection()
        for state_id, page in (("s_1", "invoices"), ("s_2", "invoices"), ("s_3", None)):
            connection.execute(
                """
                insert into state (id, page, status, visit_count, first_seen_at, last_seen_at,
                                   img_w, img_h, words)
                values (?, ?, 'confirmed', 1, ?, ?, 9, 9, x'')
                """,
                (state_id, page, AT.format(0), AT.format(0)),
            )
    graph = read_graph(memory.store, most_states=9, most_transitions=9)
    assert {graph.name(one.id) for one in graph.states} == {"invoices", "invoices (2)", "s_3"}


def test_labels_of_arrows_side_by_side_do_not_cover_each_other() -> None:
    lines = [[(x, 0.0), (x, 60.0)] for x in (100.0, 118.0)]
    one, other = place_labels(lines, [(90.0, 26.0)] * 2, [], (0.0, 0.0, 300.0, 60.0))
    assert one[0] > 118 + 45 or one[0] < 100  # on one side of both, or its own
    assert abs(one[0] - other[0]) >= 90 or abs(one[1] - other[1]) >= 26


def test_a_label_keeps_off_the_screens() -> None:
    line = [(50.0, 100.0), (50.0, 160.0)]
    ((x, y),) = place_labels([line], [(60.0, 26.0)], [(0.0, 0.0, 160.0, 100.0)], ROOM)
    assert y - 13 >= 100 or x - 30 >= 160


def test_a_label_stays_inside_of_the_picture() -> None:
    line = [(20.0, 0.0), (20.0, 200.0)]
    ((x, _),) = place_labels([line], [(120.0, 26.0)], [], ROOM)
    assert x - 60 >= 0


def test_a_way_that_a_hand_says_was_never_done_is_drawn() -> None:
    graph = graph_of(2, [Link((transition(0, 1, count=0),), marked=False)])
    assert len(drawn(graph).arrows) == 1
