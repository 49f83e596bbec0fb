"""A run that is killed goes on, and leaves every row as if it had not been."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks.consolidation.kills import killed, rolled_back

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kills")


@pytest.mark.parametrize("seed", range(3))
def test_a_killed_run_is_completed_row_by_row(folder: Path, seed: int) -> None:
    found = killed(folder, seed)
    assert (found.different, found.again) == ((), ())


@pytest.mark.parametrize("seed", range(3))
def test_a_rollback_leaves_what_somebody_changed_and_takes_the_rest(
    folder: Path, seed: int
) -> None:
    killed(folder, 100 + seed)
    assert rolled_back(folder, seed) == ()
