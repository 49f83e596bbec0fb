"""Codes in rows below a heading that calls them codes for an emergency."""

from __future__ import annotations

import pytest

from memctl.guard.rules import find_secret, mask_secrets

ROWS = "6885 4636\n7959 3779\n7180 7905"


@pytest.mark.parametrize(
    "heading",
    ["backup codes for google", "Wiederherstellungscodes:", "códigos de respaldo", "codes de secours", "备用验证码", "バックアップコード"],
)  # fmt: skip
def test_rows_of_codes_below_their_name_are_refused(heading: str) -> None:
    assert find_secret(f"{heading}\n{ROWS}") == "one-time-code"


def test_every_row_is_masked() -> None:
    masked = mask_secrets("recovery codes\n- 5c1f0-9ab2e\n- 77d10-3fe4c\n\nprinted")
    assert masked == "recovery codes\n- [secret:one-time-code]\n\nprinted"


@pytest.mark.parametrize(
    "text",
    [
        "backup codes for google\nare in the safe", f"opening hours of the branches\n{ROWS}",
        "backup codes: printed and put away\n\nsize 6885 4636", "recovery codes\nprinted-twice\nstored-safely",
    ],
)  # fmt: skip
def test_what_is_no_row_of_codes_is_let_through(text: str) -> None:
    assert find_secret(text) is None
