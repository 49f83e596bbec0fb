"""The state graph: what is read of it, and how it is laid out and listed."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memctl.reports.page.graph import MOST_ARROWS, Graph, Link, graph_view, read_graph
from memctl.visual.graph.states import State
from memctl.visual.graph.transitions import Transition
from tests.each import each
from tests.reports.page.made import Size, fill

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory
    from memctl.reports.page.graph import GraphView

AT = "2026-11-20T10:00:00Z"


def link(start: int, end: int, count: int = 1, *, acts: int = 1, marked: bool = False) -> Link:
    way = Transition(
        *(None, f"s{start}", "click:Go", f"s{end}", None, "committed"), *(count, count, 0, None, AT)
    )
    return Link((way,) * acts, marked)


def graph_of(states: int, links: list[Link], route: tuple[str, ...] = ()) -> Graph:
    named = tuple(
        State(f"s{n}", f"screen {n}", None, None, "confirmed", 1, 1, AT, AT) for n in range(states)
    )
    return Graph(named, tuple(links), route, {one.id: str(one.name) for one in named}, 0, 0)


def drawn(graph: Graph) -> GraphView:
    ids = [state.id for state in graph.states]
    return graph_view(graph, dict.fromkeys(ids), dict.fromkeys(ids, "there"), "memctl --app a")


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


def test_the_most_used_route_starts_where_the_app_was_entered(walked: Memory) -> None:
    graph = read_graph(walked.store, most_states=10, most_transitions=10)
    assert [graph.names[one] for one in graph.route] == ["screen 0", "screen 1", "screen 2"]
    marked = {each.ends for each in graph.links if each.marked}
    assert marked == {("s_000000", "s_000001"), ("s_000001", "s_000002")}


def test_acts_between_the_same_screens_are_one_arrow_named_after_the_most_used(
    walked: Memory,
) -> None:
    graph = read_graph(walked.store, most_states=10, most_transitions=10)
    first = next(each for each in graph.links if each.ends == ("s_000000", "s_000001"))
    assert [(way.action, way.count) for way in first.transitions] == [
        ("click:Sign in", 5),
        ("key:Enter", 2),
    ]
    assert (first.act, first.chance) == ("Sign in", "57% +1")


def test_what_is_beyond_the_limits_is_counted_with_the_command_that_lists_it(
    walked: Memory,
) -> None:
    graph = read_graph(walked.store, most_states=3, most_transitions=2)
    assert (len(graph.states), graph.states_left_out) == (3, 1)
    assert sum(len(each.transitions) for each in graph.links) == 2
    assert graph.transitions_left_out == 3
    about = drawn(graph).about
    assert "1 more screen: memctl --app a states list." in about
    assert "3 more transitions: memctl --app a transitions list." in about


def test_screens_without_a_name_are_called_by_their_page_and_told_apart(memory: Memory) -> None:
    with memory.store.transaction():
        for state_id, page in (("s_1", "invoices"), ("s_2", "invoices"), ("s_3", None)):
            memory.store.connection().execute(
                """
                insert into state (id, page, status, visit_count, first_seen_at, last_seen_at,
                                   img_w, img_h, words)
                values (?, ?, 'confirmed', 1, ?, ?, 9, 9, x'')
                """,
                (state_id, page, AT, AT),
            )
    graph = read_graph(memory.store, most_states=9, most_transitions=9)
    assert set(graph.names.values()) == {"invoices", "invoices (2)", "s_3"}
    assert graph.route == ()


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    states = draw(st.integers(1, 24))
    end = st.integers(0, states - 1)
    ends = draw(st.sets(st.tuples(end, end), max_size=40))
    return graph_of(states, [link(*each, draw(st.integers(0, 40))) for each in sorted(ends)])


@given(graphs())
@settings(max_examples=25)
def test_no_screen_lies_on_another_and_screens_and_labels_are_inside_of_the_picture(
    graph: Graph,
) -> None:
    view = drawn(graph)
    (width, height), caption = view.room, view.caption
    assert len(view.nodes) == len(graph.states)
    assert len(view.arrows) == len(graph.links)
    for node in view.nodes:
        assert 0 <= node.x <= node.x + width <= view.width
        assert 0 <= node.y <= node.y + height + caption <= view.height
    for one, other in combinations(view.nodes, 2):
        assert abs(one.x - other.x) >= width or abs(one.y - other.y) >= height + caption
    for arrow in view.arrows:
        assert arrow.x - arrow.link.label_size[0] / 2 > 0
        assert arrow.x + arrow.link.label_size[0] / 2 < view.width


@each("states", [3, 8, 12])
def test_a_small_graph_needs_no_scrolling_sideways(states: int) -> None:
    chain = [link(n, n + 1, 9, marked=True) for n in range(states - 1)]
    assert drawn(graph_of(states, chain)).width <= 1150


def test_of_many_arrows_those_of_the_route_and_one_to_each_screen_are_drawn() -> None:
    busy = [link(start, end, 9) for start in range(9) for end in range(8) if start != end]
    rare = [link(1, 9, 1, marked=True), link(2, 8, 1)]
    view = drawn(graph_of(10, [*busy, *rare]))
    assert len(view.arrows) == MOST_ARROWS
    assert {each.ends for each in rare} <= {arrow.link.ends for arrow in view.arrows}
    assert "6 less used arrows: in the table below." in view.about


def test_the_list_begins_with_the_route_and_tells_what_leads_on() -> None:
    links = [link(2, 1, 9, acts=2, marked=True), link(1, 2, 3)]
    view = drawn(graph_of(3, links, ("s2", "s1")))
    assert [node.name for node in view.listed] == ["screen 2", "screen 1", "screen 0"]
    first, _, last = view.listed
    assert first.label == "screen 2, 1 visit; leads to screen 1 by Go, 70% +1"
    assert last.label == "screen 0, 1 visit; leads to no other screen"
