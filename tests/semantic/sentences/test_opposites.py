"""States of which one excludes the other, and those that do not."""

from __future__ import annotations

import pytest

from memctl.semantic.sentences.opposites import exclude_each_other, state_class


@pytest.mark.parametrize(
    ("one", "other", "excluded"),
    [
        ("married", "divorced", True),
        ("single", "divorced", False),
        ("enabled", "disabled", True),
        ("approved", "rejected", True),
    ],
)
def test_states_of_two_sides_of_a_line_exclude_each_other(
    one: str, other: str, *, excluded: bool
) -> None:
    assert state_class(one) == state_class(other)
    assert exclude_each_other(one, other) is exclude_each_other(other, one) is excluded


def test_a_state_that_no_line_has_stands_for_itself() -> None:
    assert state_class("tall") == "tall"
    assert state_class("single") != state_class("enabled")
