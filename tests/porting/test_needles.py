"""Needles of openQA: screenshots with the areas that make a screen what it is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from memctl.base.errors import UsageError
from tests.visual.drawn import Drawn, numbered

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory

SCREEN = numbered("Login", 15)
CLOCK = {"xpos": 300, "ypos": 250, "width": 180, "height": 70, "type": "exclude"}


def area(x: int, y: int, w: int = 90, h: int = 28, kind: str = "match", **more: Any) -> Any:
    return {"xpos": x, "ypos": y, "width": w, "height": h, "type": kind, **more}


def needle(
    folder: Path, name: str, areas: Any, *tags: str, screen: Drawn | None = SCREEN, **more: Any
) -> None:
    path = folder / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    about = {"area": areas, "tags": tags, "properties": [], **more}
    path.write_text(json.dumps(about), "utf-8")
    if screen is not None:
        cv2.imwrite(str(path.with_suffix(".png")), screen.image)


def test_a_needle_becomes_a_page_with_components_and_an_area_that_does_not_count(
    memory: Memory, tmp_path: Path
) -> None:
    areas = [area(20, 20, match=96, margin=50), area(170, 70), CLOCK]
    needle(tmp_path, "sub/login-20260101", areas, "ENV-DESKTOP-kde", "login_screen")
    imported = memory.import_from(tmp_path)
    assert (imported.source, imported.taken, imported.remarks) == ("needles", {"needle": 1}, [])
    assert [(c.name, c.rel_x, c.rel_y, c.w, c.h) for c in memory.components] == [
        ("login_screen", 20, 20, 90, 28),
        ("login_screen_2", 170, 70, 90, 28),
    ]
    (state,) = memory.states
    assert memory.states.get(state.id).ignored == [(300, 250, 180, 70)]
    later = SCREEN.image
    later[250:, 300:] = np.random.default_rng(1).integers(0, 255, (70, 180, 3), np.uint8)
    found = memory.match(later)
    assert found.state is not None
    assert (found.state.page, len(found.sightings)) == ("login_screen", 2)


def test_a_second_import_brings_only_what_is_new(memory: Memory, tmp_path: Path) -> None:
    needle(tmp_path, "login", [area(20, 20)], "login")
    memory.import_from(tmp_path, "needles")
    needle(tmp_path, "menu", [area(20, 20)], "menu", screen=numbered("Menu", 12))
    again = memory.import_from(tmp_path, "needles")
    assert (again.taken, again.known) == ({"needle": 1}, 1)
    assert memory.import_from(tmp_path, "needles").taken == {}
    assert {state.page for state in memory.states} == {"login", "menu"}


def test_a_text_to_read_is_a_label_and_what_has_no_place_here_is_said(
    memory: Memory, tmp_path: Path
) -> None:
    point = {"xpos": 5, "ypos": 6}
    areas = [
        area(20, 20, click_point={"xpos": 45, "ypos": 14}),
        area(170, 20, click_point=point),
        area(320, 20, kind="ocr", refstr="Sign in"),
        area(20, 70, kind="ocr"),
    ]
    needle(tmp_path, "login", areas, "login", "first", "second")
    imported = memory.import_from(tmp_path)
    assert memory.components.get("Sign in").label == "Sign in"
    first, second = imported.remarks
    assert first == "login.json: area 4 says no text to read"
    assert "not kept: 2 further tags, 1 click point (an act clicks" in second


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (area(500, 20), "area 2 at 500,20,90,28 lies outside of the 480 x 320 picture"),
        (area(20, 20, 0), "area 2 is empty"),
        (area(20, 20, 90, -4), "area 2 is empty"),
        (area(20, 20, kind="guess"), 'area 2 is of the unknown type "guess"'),
        ({"type": "match"}, "area 2 is empty"),
        ("20,20", "area 2 is no object"),
        (area(290, 220, 90, 60), "area 2 shows what is excluded: no component is made of it"),
        (area(0, 0, 480, 240), "area 0,0,480,240 is no component: covers more than a quarter"),
    ],
)
def test_an_area_that_cannot_be_used_is_named_and_the_rest_comes_in(
    memory: Memory, tmp_path: Path, bad: Any, why: str
) -> None:
    needle(tmp_path, "login", [area(170, 70), bad, CLOCK], "login")
    imported = memory.import_from(tmp_path / "login.json")
    assert imported.taken == {"needle": 1}
    assert len(imported.remarks) == 1
    assert why in imported.remarks[0]
    assert [component.name for component in memory.components] == ["login"]


def test_a_needle_that_cannot_be_used_is_refused_and_the_others_come_in(
    memory: Memory, tmp_path: Path
) -> None:
    needle(tmp_path, "good", [area(20, 20)], "good")
    needle(tmp_path, "lonely", [area(20, 20)], "lonely", screen=None)
    needle(tmp_path, "nothing", [CLOCK], "nothing")
    needle(tmp_path, "secret", [area(20, 20)], "password: hunter2-Xk49z")
    needle(tmp_path, "shapeless", {"xpos": 1}, "shapeless")
    needle(tmp_path, "torn", [area(20, 20)], "torn")
    (tmp_path / "torn.png").write_bytes(b"\x89PNG\r\n\x1a\n torn")
    (tmp_path / "broken.json").write_text('{"area": [', "utf-8")
    imported = memory.import_from(tmp_path)
    assert (imported.met, imported.taken) == (7, {"needle": 1})
    refused = {one.where: one.why for one in imported.refused}
    assert refused.keys() == {
        f"{name}.json" for name in ("broken", "lonely", "nothing", "secret", "shapeless", "torn")
    }
    assert refused["nothing.json"] == "it has no area to match"
    assert "list of areas" in refused["shapeless.json"]
    assert "hunter2" not in str(refused)


def test_a_dry_run_learns_nothing(memory: Memory, tmp_path: Path) -> None:
    needle(tmp_path, "login", [area(20, 20)], "login")
    assert memory.import_from(tmp_path, dry_run=True).taken == {"needle": 1}
    assert len(memory.states) == 0


def test_json_beside_a_picture_that_is_no_needle_is_not_taken_for_one(
    memory: Memory, tmp_path: Path
) -> None:
    needle(tmp_path, "notes", "here", "notes")
    with pytest.raises(UsageError, match="holds 2 arrays"):
        memory.import_from(tmp_path / "notes.json")
