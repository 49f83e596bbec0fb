"""How components get their names."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.base.errors import UsageError
from memctl.visual.boxes import Box
from memctl.visual.graph.naming import (
    MAX_LABEL_NAME,
    MAX_NAME,
    NamesInUse,
    check_name,
    component_name,
    cut,
)
from tests.each import each

BOX = Box(100, 40, 41, 17)


def name(label: str, nearest_text: str = "") -> str:
    return component_name(label, kind="icon", box=BOX, nearest_text=nearest_text)


@each(
    ("label", "expected"),
    [
        ("Save", "Save"),
        ("Save as...", "Save_as..."),
        ("  Open \t\n  Recent ", "Open_Recent"),
        ("A/B test", "A-B_test"),
        ("设置", "设置"),
        ("a\x07b\x1b[0m", "ab[0m"),
        ("..", ".."),
        ("a|b", "a|b"),
        ("con", "con"),
        ("<", "<"),
        ("--force", "force"),
        ("- Item", "Item"),
        ("__init__.py", "__init__.py"),
        ("no\u200bbreak", "nobreak"),
        ("\ud800x", "x"),
    ],
)
def test_a_label_becomes_a_name(label: str, expected: str) -> None:
    assert name(label) == expected


@each("label", ["", "   ", "\n", "\uf0c9", "--", "_", "\u0301", "\u200b"])
def test_a_label_that_shows_nothing_gives_way_to_the_place(label: str) -> None:
    assert name(label) == "icon_at_120_48"


def test_the_text_beside_it_lends_its_name_to_a_component_without_label() -> None:
    assert name("", "Volume") == "icon_by_Volume"
    assert name("Mute", "Volume") == "Mute"


def test_a_long_label_is_cut() -> None:
    assert name("word " * 50) == "_".join(["word"] * 8)


@given(st.text())
def test_every_label_gives_a_name_that_a_person_could_have_given(label: str) -> None:
    given_name = name(label)
    assert check_name(given_name) == given_name
    assert len(given_name) <= MAX_LABEL_NAME


@each(
    ("text", "most", "expected"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "abc"),
        ("ne\u0301e", 2, "n"),  # an e and its accent stay together
        ("a\U0001f468\u200d\U0001f469\u200d\U0001f467", 3, "a"),  # a family is one character
        ("a\U0001f44d\U0001f3fd", 2, "a"),  # a thumb and its skin tone
        ("a\U0001f1e9\U0001f1ea", 2, "a"),  # the two letters of a flag
        ("\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7", 2, "\U0001f1e9\U0001f1ea"),
        ("a\u2764\ufe0f", 2, "a"),  # a heart and its variation selector
        ("e" + "\u0301" * 9, 4, "e\u0301\u0301\u0301"),  # there is nowhere else to cut
    ],
)
def test_a_cut_never_breaks_a_character(text: str, most: int, expected: str) -> None:
    assert cut(text, most) == expected


def test_a_taken_name_gets_the_next_number() -> None:
    assert NamesInUse({"Delete"}).claim("Delete") == "Delete_2"
    assert NamesInUse({"Delete", "Delete_2", "Delete_3"}).claim("Delete") == "Delete_4"


def test_the_unicode_form_makes_no_second_name() -> None:
    composed = "Caf\u00e9"
    assert NamesInUse({unicodedata.normalize("NFD", composed)}).claim(composed) == f"{composed}_2"


def test_a_numbered_name_keeps_within_the_length() -> None:
    longest = "x" * MAX_NAME
    assert NamesInUse({longest}).claim(longest) == "x" * (MAX_NAME - 2) + "_2"


def test_names_in_use_remember_what_they_gave() -> None:
    names = NamesInUse(["Tab"])
    assert [names.claim(wanted) for wanted in ("tab", "TAB", "Tab_3", "New")] == [
        "tab_2",
        "TAB_3",
        "Tab_3_2",
        "New",
    ]


@each("chosen", ["Save", "..", "a|b", "con", "Öffnen", "x" * MAX_NAME, "a-b"])
def test_a_persons_name_is_taken_as_it_is(chosen: str) -> None:
    assert check_name(chosen) == chosen


@each(
    ("chosen", "words"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("a\nb", "control"),
        ("a\x1b[2Jb", "control"),
        ("a\u202eb", "control"),
        ("\ud800", "control"),
        ("-x", 'starts with "-"'),
        ("x" * (MAX_NAME + 1), "81 characters"),
    ],
)
def test_a_name_that_cannot_be_used_is_refused(chosen: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        check_name(chosen)
    assert caught.value.message.isprintable()
