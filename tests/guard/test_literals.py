"""What stands in every text that an expression matches, and that kinds are asked for by."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.guard.rules.literals import literals
from memctl.guard.rules.sayings import signs_of
from memctl.guard.rules.spoken_kinds import KINDS, SPOKEN_SIGNS
from memctl.guard.rules.text_view import plain_view
from tests.guard.lists import LISTS, ordinary, secrets


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("garage", {"garage"}), (r"lock\w{0,4}", {"lock"}), (r"\bpad\s?lock\b", {"lock"}), ("colou?r", {"colo"}),
        (r"por\ssms", {"sms"}), (r"(?:bike|suitcase)\slock", {"lock"}), (r"(?:front|back)", {"front", "back"}),
        ("密[码碼]", {"密"}), ("[码碼]", {"码", "碼"}), (r"(?<!de)codes?(?![rcdb])", {"code"}), (r"tape[rz]?", {"tape"}),
        ("a+b", {"b"}), ("kap\u0131", {"kap"}), ("front|back", {"front", "back"}), (r"l\.k", {"l.k"}),
    ],
)  # fmt: skip
def test_the_longest_piece_that_each_match_must_hold_is_taken(
    source: str, expected: set[str]
) -> None:
    assert literals(source) == expected


@pytest.mark.parametrize("source", [r"\w+", "[a-z]", "(?:door)?", "[^a]"])
def test_an_expression_without_a_certain_piece_is_refused(source: str) -> None:
    with pytest.raises(ValueError, match=re.escape(source)):
        literals(source)


@given(st.from_regex(r"(?:front|back|side)\s(?:door|gate)s?|pad\s?lock|caf[ée]", fullmatch=True))
def test_each_match_holds_one_of_the_pieces(text: str) -> None:
    pieces = literals(r"(?:front|back|side)\s(?:door|gate)s?|pad\s?lock|caf[ée]")
    assert any(piece in text for piece in pieces)


def test_a_section_has_a_piece_for_each_of_its_alternatives() -> None:
    assert {"garage", "домофон", "玄関"} <= signs_of("door")


@pytest.mark.parametrize("name", LISTS)
def test_no_kind_is_named_in_a_text_without_its_signs(name: str) -> None:
    views = [plain_view(one.text) for one in (*secrets(name), *ordinary(name))]
    missed = [
        (kind.rule, view.text)
        for view in views
        for kind in KINDS
        if not view.holds(kind.signs) and kind.names.search(view.text)
    ]
    assert missed == []


def test_the_signs_of_all_kinds_lead_to_them() -> None:
    assert all(kind.signs <= SPOKEN_SIGNS for kind in KINDS)
