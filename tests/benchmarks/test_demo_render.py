"""The script that renders the bundled screenshots."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from memctl_cli.demo import bundle
from tests.browsers import needs_browser
from tests.docs.demo import render
from tests.each import each

if TYPE_CHECKING:
    from pathlib import Path

PAGES = sorted(path for path in render.PAGES.iterdir() if path.is_file() and path.suffix != ".json")


def shot_plan(name: str) -> render.ShotPlan:
    return next(shot for shot in render.read_plan().shots if shot.name == name)


def dumped(result: object) -> str:
    return f'<script type="application/json" id="boxes">{json.dumps(result)}</script>'


@needs_browser
def test_rendering_twice_gives_the_same_bytes_and_boxes(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        assert render.main(["invoices-hover", "--out", str(tmp_path / folder)]) == 0
    pictures = [path.read_bytes() for path in sorted(tmp_path.rglob("*.png"))]
    assert len(pictures) == 2
    assert pictures[0] == pictures[1]


@needs_browser
def test_a_rendered_page_lists_the_boxes_that_are_bundled() -> None:
    rendered = render.render(shot_plan("login"), render.read_plan())
    bundled = {box.element for box in bundle.shot("login").boxes}
    assert {box["element"] for box in rendered.boxes} == bundled


def test_the_manifest_holds_what_the_plan_asks_for() -> None:
    plan = render.read_plan()
    asked = [(shot.name, shot.page, shot.look, shot.dpr) for shot in plan.shots]
    assert asked == [(shot.name, shot.page, shot.look, shot.dpr) for shot in bundle.shots()]
    assert [step["says"] for step in plan.story] == [step.says for step in bundle.story()]
    assert (plan.path["from"], plan.path["to"]) == bundle.path_ends()


def test_the_written_manifest_is_json_with_everything_in_it() -> None:
    plan = render.read_plan()
    entries: list[dict[str, Any]] = [
        {"name": "a", "boxes": [{"x": 1}, {"x": 2}]},
        {"name": "b", "boxes": []},
    ]
    written = json.loads(render.manifest_text(entries, plan))
    assert written == {"shots": entries, "story": plan.story, "path": plan.path}


def test_a_page_that_lists_no_boxes_is_an_error_that_names_it() -> None:
    with pytest.raises(ValueError, match=r"login\.html.*no list of boxes"):
        render.boxes_of("<html></html>", shot_plan("login"))


def test_an_error_inside_the_page_is_reported_in_its_words() -> None:
    document = dumped({"error": 'Error: no element "x"'})
    with pytest.raises(ValueError, match='no element "x"'):
        render.boxes_of(document, shot_plan("login"))


def test_an_element_drawn_differently_has_another_ident() -> None:
    plan = shot_plan("login")
    drawn = [{"element": "a", "drawn": "red"}, {"element": "a", "drawn": "blue"}]
    first, second = render.boxes_of(dumped({"boxes": drawn}), plan)
    assert first["element"] == second["element"]
    assert first["ident"] != second["ident"]


def test_a_query_is_escaped_into_the_address() -> None:
    address = render.page_url("invoices.html?hover=invoices/button:New invoice")
    assert address.endswith("/pages/invoices.html?hover=invoices%2Fbutton%3ANew%20invoice")


def test_a_picture_smaller_than_the_screen_is_refused() -> None:
    with pytest.raises(ValueError, match="2000x800"):
        render.cut(bundle.shot("login").png, 2000, 800)


@each("page", PAGES)
def test_a_page_needs_no_network_no_clock_and_no_chance(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"https?:|url\(|@import|fetch\(|new Date|Date\.now|Math\.random", text)
