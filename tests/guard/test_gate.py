# ruff: noqa: RUF001 - other scripts and their punctuation are what is tried
"""The gate is cheap and safe: what the rules would find is let through."""

from __future__ import annotations

import subprocess
import sys

from memctl.guard.secret_search import may_hold_secret
from memctl.guard.tables import heads
from tests.each import each

TALK = [
    "Let us move the launch to 3 March, Ann said that the printers need two more days.",
    "I think we should book the table for six people at half past seven.",
    "Great, thanks! I will bring the cake and Tom brings the drinks.",
    "明天下午三点在二楼开会，请准时参加。",
]


@each("name", sorted(heads("password")))
def test_every_name_of_a_password_passes_the_gate_with_one(name: str) -> None:
    assert may_hold_secret(f"the {name} R@in4471")


@each("odd", ["R@in4471", "sunflower42", "4471", "482913", "x7pZSV8YsOGf"])
def test_a_word_or_number_as_no_talk_has_passes_the_gate(odd: str) -> None:
    assert may_hold_secret(f"you get in with {odd}")


@each("text", TALK)
def test_talk_stops_at_the_gate_each_time(text: str) -> None:
    assert not may_hold_secret(text)
    assert not may_hold_secret(text)  # its words are known now


def test_the_rules_are_not_even_imported_for_talk() -> None:
    program = (
        "import sys; from memctl.guard.door import secret_rule; "
        f"assert secret_rule({TALK[0]!r}) is None; "
        "assert 'memctl.guard.told' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
