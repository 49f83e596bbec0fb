from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from benchmarks.matching.shots import Shot, crops, filling, half_of, shots
from benchmarks.matching.speed import measure, truths
from memctl.visual.match_results import DEFAULT
from tests.visual.matching.screens import Screen, draw

ROOT = Path(__file__).parents[2]


def save(folder: Path, name: str, screen: Screen, ratio: float = 1.0) -> None:
    cv2.imwrite(str(folder / f"{name}.png"), screen.frame.bgr)
    rows = [
        {"x": b.x / ratio, "y": b.y / ratio, "w": b.w / ratio, "h": b.h / ratio, "ident": str(i)}
        for i, b in enumerate(screen.boxes)
    ]
    (folder / f"{name}.json").write_text(json.dumps(rows))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for page, seed in [("first", 1), ("second", 2), ("third", 3)]:
        save(tmp_path, f"app__{page}__base__1920x1080@1", draw(seed))
    save(tmp_path, "app__first__scroll__1920x1080@1", draw(1, shift=17))
    return tmp_path


def named(folder: Path, page: str, state: str = "base") -> Shot:
    return next(shot for shot in shots(folder) if (shot.page, shot.state) == (page, state))


def test_every_other_page_by_name_is_for_tuning(folder: Path) -> None:
    listed = shots(folder)
    halves = {shot.page: half_of(shot, listed) for shot in listed}
    assert halves == {"first": "tune", "second": "report", "third": "tune"}


def test_shots_that_the_manifest_calls_unusable_are_left_out(folder: Path) -> None:
    row = {"file": "app__second__base__1920x1080@1.png", "usable": False}
    (folder / "manifest.json").write_text(json.dumps([row]))
    assert {shot.page for shot in shots(folder)} == {"first", "third"}


@pytest.mark.parametrize("ratio", [1.0, 2.0], ids=["image pixels", "CSS pixels"])
def test_boxes_come_in_image_pixels_whichever_the_file_has(tmp_path: Path, ratio: float) -> None:
    screen = draw(1)
    save(tmp_path, "app__first__base__1920x1080@2", screen, ratio)
    shot = shots(tmp_path)[0]
    assert [box for box, _ in shot.boxes(shot.frame)] == list(screen.boxes)


def test_a_memory_is_made_of_distinct_looks(folder: Path) -> None:
    found = crops(shots(folder))
    assert len({crop.bgr.tobytes() for crop in found}) == len(found)
    assert len(found) == sum(len(draw(seed).boxes) for seed in (1, 2, 3))


def test_other_pictures_fill_the_memory(folder: Path) -> None:
    assert len(filling(folder, 7)) == 7
    assert filling(folder / "nowhere", 7) == []


def test_the_table_counts_what_was_found(folder: Path) -> None:
    memory, shot = crops(shots(folder)), named(folder, "first", "scroll")
    truth = truths([shot], memory)
    row = measure([shot], memory, truth, ("default", DEFAULT), warm=False)
    assert (row.n, row.extra) == (len(memory), 0)
    assert row.identical_found == row.identical > 10
    assert row.expected - 1 <= row.found <= row.expected
    assert f"{row.identical}/{row.identical}" in row.cells()


def test_missing_data_is_named_and_skipped(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "benchmarks.matching", "--screens", str(tmp_path)]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert str(tmp_path) in answer.stderr
    assert "Skipped" in answer.stderr
