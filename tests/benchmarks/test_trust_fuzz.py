"""Each public door takes hostile input: a slice of what benchmarks.trust gives it for hours."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from benchmarks.trust.fuzz import DOORS, Trials, random_bytes
from benchmarks.trust.fuzz_doors import stocked

if TYPE_CHECKING:
    from collections.abc import Iterator


SEED = 43
# Inputs of a door: those that open a store or look at pictures take their time.
DEAR = {"screens": 3, "mcp": 6, "commands": 12, "texts": 8, "times": 8, "markdown": 12, "recall": 8, "hooks": 12, "settings": 12}  # fmt: skip


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    before, folder = dict(os.environ), Path.cwd()
    yield stocked(tmp_path_factory.mktemp("fuzz"))
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(before)


@pytest.mark.parametrize("name", DOORS)
def test_a_door_takes_hostile_input(home: Path, tmp_path: Path, name: str) -> None:
    trials = Trials(name, tmp_path, home=home)
    for number in range(DEAR.get(name, 40)):
        data = random_bytes(SEED, name, number)
        assert trials.give(data, number) == "", (number, trials.made, trials.trace)
