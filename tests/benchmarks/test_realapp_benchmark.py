from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from benchmarks.realapp.environment import NotInstalledError, interpreter
from benchmarks.realapp.jupyterlab import SCREENS, write_workspace
from benchmarks.realapp.meeting import Element
from memctl.visual.boxes import Box

if TYPE_CHECKING:
    from pathlib import Path

DELETE = Element(Box(400, 100, 60, 20), "button", "Delete", "Ann Berg")


def test_there_are_twelve_screens_of_different_names() -> None:
    assert len({screen.name for screen in SCREENS}) == 12


def test_a_button_of_another_row_is_another_element() -> None:
    other = Element(Box(400, 140, 60, 20), "button", "Delete", "Tom Weil")
    assert not DELETE.same(other)
    assert DELETE.same(Element(Box(400, 140, 60, 20), "button", "Delete"))


def test_a_place_in_the_middle_of_an_element_is_its_own() -> None:
    cell = Element(Box(0, 0, 200, 20), "button", "notes")
    assert cell.stands_at(Box(80, 4, 40, 12))
    assert not cell.stands_at(Box(190, 16, 60, 40))


def test_the_files_are_written_anew(tmp_path: Path) -> None:
    write_workspace(tmp_path / "files")
    tmp_path.joinpath("files", "Untitled.ipynb").touch()
    write_workspace(tmp_path / "files")
    names = {path.name for path in (tmp_path / "files").iterdir()}
    assert "Untitled.ipynb" not in names
    assert len(list((tmp_path / "files" / "reports").iterdir())) == 20
    assert json.loads((tmp_path / "files" / "analysis.ipynb").read_text())["nbformat"] == 4


def test_without_an_index_the_app_is_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    with pytest.raises(NotInstalledError, match="jupyterlab"):
        interpreter("4.1", tmp_path)
