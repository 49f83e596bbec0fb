"""The proposals benchmark measures what it says, and runs from the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from memctl.visual.frame import Frame
from memctl.visual.reading.image import encode_png

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[2]


@pytest.fixture
def measures(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT)
    return import_module("benchmarks.proposals.measures")


@pytest.fixture
def agreement(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(ROOT)
    return import_module("benchmarks.proposals.agreement").agreement


def test_half_an_overlap_is_found_and_a_label_inside_is_usable(measures: ModuleType) -> None:
    gray = np.full((60, 700), 255, np.uint8)
    gray[15:25, 235:265] = 0  # the label of the second element
    truth = measures.edges([(0, 0, 100, 40), (200, 0, 100, 40), (400, 0, 100, 40)])
    proposed = measures.edges([(0, 0, 100, 30), (230, 10, 40, 20), (600, 0, 10, 10)])
    score = measures.compare(truth, proposed, measures.ink_table(gray))
    assert score.found.tolist() == [True, False, False]
    assert score.usable.tolist() == [True, True, False]
    assert score.right.tolist() == [True, False, False]
    assert score.fitting.tolist() == [True, True, False]


def test_a_part_of_what_is_drawn_is_not_usable(measures: ModuleType) -> None:
    gray = np.full((100, 200), 255, np.uint8)
    gray[40:60:4, 20:180] = 0
    table = measures.ink_table(gray)
    for width, usable in ((40, False), (120, True)):
        part = measures.edges([(15, 35, width, 30)])
        score = measures.compare(measures.edges([(0, 0, 200, 100)]), part, table)
        assert score.usable.tolist() == [usable]


def test_only_boxes_among_equal_pixels_are_expected_to_recur(agreement: Any) -> None:
    before = np.full((200, 200, 3), 255, np.uint8)
    after = before.copy()
    after[150:] = 0
    one = [(50, 50, 20, 20), (60, 60, 20, 20), (50, 140, 20, 20)]
    assert agreement(Frame(before), Frame(after), one, one[:1], 0) == (1, 2)


def test_boxes_are_expected_where_they_were_scrolled_to(agreement: Any) -> None:
    before = np.random.default_rng(1).integers(0, 256, (300, 100, 3), dtype=np.uint8)
    after = np.roll(before, -40, axis=0)
    one = [(40, 100, 20, 20)]
    assert agreement(Frame(before), Frame(after), one, [(40, 60, 20, 20)], 40) == (1, 1)
    assert agreement(Frame(before), Frame(after), one, one, 40) == (0, 1)


def test_it_runs_on_a_folder_of_marked_screens_and_keeps_the_figures(tmp_path: Path) -> None:
    shot = np.full((200, 300, 3), 255, np.uint8)
    shot[80:112, 100:190] = (200, 90, 20)
    (tmp_path / "one.png").write_bytes(encode_png(shot))
    area = {"xpos": 100, "ypos": 80, "width": 90, "height": 32, "type": "match"}
    (tmp_path / "one.json").write_text(json.dumps({"area": [area]}))
    command = [sys.executable, "-m", "benchmarks.proposals"]
    command += ["--screens", str(tmp_path), "--out", str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert "desktop areas, memctl" in done.stdout
    kept = json.loads((tmp_path / "proposals.json").read_text())
    parts = {part["method"]: part for part in kept["figures"]["parts"]}
    assert sum(parts["memctl"]["found"].values()) == 1
    assert str(tmp_path) not in json.dumps(kept)


def test_a_folder_without_screens_is_a_usage_error(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "benchmarks.proposals", "--screens", str(tmp_path / "none")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "holds no screenshots" in done.stderr
