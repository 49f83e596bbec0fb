"""Texts are compared whole and folded; places in them take values, and what changes by itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.scenes.effects import Effects, seen
from memctl.scenes.scene_boxes import scene_of_boxes
from memctl.scenes.targets import describe, find
from memctl.scenes.wording import in_words, is_changing, loosened, says, with_names

ANN = {"who": "Ann Berg"}


@pytest.mark.parametrize(
    ("text", "template", "fits"),
    [
        ("Ann Berg", "{who}", True),
        ("  ann   BERG ", "{who}", True),
        ("Ann Bergman", "{who}", False),
        ("Ann Berg Larsen", "{who}", False),
        ("Remove Ann Berg", "Remove {who}", True),
        ("12 files", "{#} files", True),
        ("many files", "{#} files", False),
        ("1,204 files", "{#} files", True),
        ("Anything at all", "{~}", True),
        ("Order a-7 sent", "Order {*} sent", True),
        ("Order a 7 sent", "Order {*} sent", False),
        ("a.b", "a.b", True),
        ("axb", "a.b", False),
        ("\u212bngstr\u00f6m", "\u00c5ngstr\u00f6m", True),
    ],
)
def test_a_text_says_a_template_whole_or_not_at_all(text: str, template: str, fits: bool) -> None:
    assert says(text, template, ANN) is fits


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Remove Ann Berg now", "Remove {who} now"),
        ("Remove Ann Bergman", "Remove Ann Bergman"),
        ("Joann Berg", "Joann Berg"),
        ("Ann-Berg", "Ann-Berg"),
        ("Ann Berg-Larsen", "Ann Berg-Larsen"),
        ("ann berg", "{who}"),
    ],
)
def test_a_value_is_named_where_it_stands_as_whole_words(text: str, named: str) -> None:
    assert with_names(text, ANN) == named


def test_the_longest_value_is_named_first() -> None:
    assert (
        with_names("Ann Berg Larsen", {"short": "Ann Berg", "long": "Ann Berg Larsen"}) == "{long}"
    )


def test_a_value_that_is_a_name_of_another_parameter_is_no_place() -> None:
    assert with_names("who and when", {"a": "who", "who": "when"}) == "{a} and {who}"


@given(st.text(alphabet="aB ({.*+?#~}9\u00e9\u4e2d", min_size=1, max_size=12).filter(str.strip))
def test_any_value_says_itself_and_nothing_longer(value: str) -> None:
    assert says(value, "{who}", {"who": value})
    assert not says(f"{value} x", "{who}", {"who": value})


@pytest.mark.parametrize(
    "text", ["3 minutes ago", "12:30", "7", "(3)", "1.2 MB", "yesterday", "85 %"]
)
def test_what_a_clock_or_a_counter_writes_names_nothing(text: str) -> None:
    assert is_changing(text)


@pytest.mark.parametrize("text", ["May", "Ann", "Order 7", "Sector 9 north", "Day shift"])
def test_a_name_does_not_change_by_itself(text: str) -> None:
    assert not is_changing(text)


def test_words_that_the_like_lacks_are_places() -> None:
    like = ["Bob Cole, 3 orders", "Cy Dunn, 9 orders"]
    assert loosened("Ann Berg, 12 orders", like) == "{*} {*} {#} orders"
    assert in_words("{*} {*} {#} orders") == "\u2026 orders"


# -- on screenshots --------------------------------------------------------------------------


def boxes(*names: str) -> list[dict[str, object]]:
    """Return a list of people as boxes of a screenshot: a name, and a button beside it."""
    return [
        {"x": x, "y": 40 * at, "w": 80, "h": 20, "label": label, "type": kind}
        for at, name in enumerate(names)
        for x, label, kind in ((0, name, "text"), (200, "Remove", "button"))
    ]


def test_on_a_screenshot_what_stands_as_high_is_a_row() -> None:
    before = scene_of_boxes(boxes("Ann Berg", "Bob Cole", "Cy Dunn"), (400, 300))
    button = next(one.at for one in before.nodes if one.kind and one.box[1] == 40)
    target = describe(before, button, {"who": "Bob Cole"})
    assert target.words() == "Remove in the row that says {who}"
    after = scene_of_boxes(boxes("Cy Dunn", "Zoe Lund", "Ann Berg"), (400, 300))
    found = find(after, target, ANN)
    assert found.node is not None
    assert after.nodes[found.node].box == (200, 80, 80, 20)
    assert find(after, target, {"who": "Bob Cole"}).why == 'nothing says "Bob Cole"'
    twice = scene_of_boxes(boxes("Ann Berg", "Ann Berg"), (400, 300))
    assert find(twice, target, ANN).why.startswith('2 fit that say "Ann Berg"')


@pytest.mark.parametrize(
    ("names", "there"),
    [(("Bob Cole",), True), (("Ann Berg", "Bob Cole"), False), (("Ann Berg",), False)],
)
def test_an_effect_is_there_when_what_should_go_went(names: tuple[str, ...], there: bool) -> None:
    before = scene_of_boxes(boxes("Ann Berg", "Bob Cole"), (400, 300))
    now = scene_of_boxes(boxes(*names), (400, 300))
    told = seen(Effects(gone=("{who}",)), before, now, None, None, ANN)
    assert told.there is there


def test_what_stood_there_before_is_no_effect() -> None:
    scene = scene_of_boxes(boxes("Ann Berg"), (400, 300))
    assert not seen(Effects(came=("{who}",)), scene, scene, None, None, ANN).there
    assert not seen(Effects(shown=("{who}",)), scene, scene, None, None, ANN).there
