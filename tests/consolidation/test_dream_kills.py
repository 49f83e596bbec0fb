"""A run that is killed goes on, and leaves every row as if it had not been; more of it: benchmarks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks.consolidation.kills import killed, rolled_back

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kills")


def test_a_killed_run_is_completed_row_by_row(folder: Path) -> None:
    found = killed(folder, 0)
    assert (found.different, found.again) == ((), ())


def test_a_rollback_leaves_what_somebody_changed_and_takes_the_rest(folder: Path) -> None:
    killed(folder, 100)
    assert rolled_back(folder, 0) == ()
