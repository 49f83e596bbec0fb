"""A killed process loses no entry of the journal that it was told is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks.writes import killed

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("seed", range(3))
def test_every_acknowledged_entry_outlives_a_kill(tmp_path: Path, seed: int) -> None:
    found = killed(tmp_path, seed)
    assert found.told > 0
    assert found.lost == 0
