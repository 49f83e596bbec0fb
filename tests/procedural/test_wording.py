"""Texts are compared whole and folded; places in them take values, and what changes by itself."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memctl.scenes.wording import in_words, is_changing, loosened, says, with_names
from tests.each import each

ANN = {"who": "Ann Berg"}


@each(
    ("text", "template", "fits"),
    [
        ("  ann   BERG ", "{who}", True),
        ("Ann Bergman", "{who}", False),
        ("Ann Berg Larsen", "{who}", False),
        ("Remove Ann Berg", "Remove {who}", True),
        ("1,204 files", "{#} files", True),
        ("many files", "{#} files", False),
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


@given(st.text(alphabet="aB ({.*+?#~}9\u00e9\u4e2d", min_size=1, max_size=12).filter(str.strip))
def test_any_value_says_itself_and_nothing_longer(value: str) -> None:
    assert says(value, "{who}", {"who": value})
    assert not says(f"{value} x", "{who}", {"who": value})


@each(
    ("text", "values", "named"),
    [
        ("Remove Ann Berg now", ANN, "Remove {who} now"),
        ("ann berg", ANN, "{who}"),
        ("Remove Ann Bergman", ANN, "Remove Ann Bergman"),
        ("Joann Berg", ANN, "Joann Berg"),
        ("Ann-Berg", ANN, "Ann-Berg"),
        ("Ann Berg-Larsen", ANN, "Ann Berg-Larsen"),
        ("Ann Berg Larsen", {"short": "Ann Berg", "long": "Ann Berg Larsen"}, "{long}"),
        ("who and when", {"a": "who", "who": "when"}, "{a} and {who}"),
    ],
)
def test_a_value_is_named_where_it_stands_as_whole_words(
    text: str, values: dict[str, str], named: str
) -> None:
    assert with_names(text, values) == named


@each(
    ("text", "changing"),
    [
        *((text, True) for text in ("3 minutes ago", "12:30", "7", "(3)", "1.2 MB", "yesterday")),
        *((text, False) for text in ("May", "Ann", "Order 7", "Sector 9 north", "Day shift")),
    ],
)
def test_what_a_clock_or_a_counter_writes_names_nothing(text: str, changing: bool) -> None:
    assert is_changing(text) is changing


def test_words_that_the_like_lacks_are_places() -> None:
    like = ["Bob Cole, 3 orders", "Cy Dunn, 9 orders"]
    assert loosened("Ann Berg, 12 orders", like) == "{*} {*} {#} orders"
    assert in_words("{*} {*} {#} orders") == "\u2026 orders"
