"""Recordings and bundles of OpenAdapt Flow: screens, ways between them, and a draft."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from tests.porting.gui_app import HOME, drawn, home_screen, put, travel_screen, write_crop

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory
    from memctl_cli.demo.bundle import Shot

SEARCH = {"Where_to": (200, 200, 100, 20), "Find": (420, 200, 50, 20), "Go_back": (60, 500, 80, 20)}


def recording(folder: Path, events: list[dict[str, Any]], screens: list[Any]) -> Path:
    """Write a recording: event n leads from screen n to screen n + 1."""
    (folder / "frames").mkdir(parents=True)
    lines = []
    for number, event in enumerate(events):
        for side, screen in (("before", screens[number]), ("after", screens[number + 1])):
            cv2.imwrite(str(folder / "frames" / f"{number:04d}_{side}.png"), screen)
        lines.append({"i": number, **event, "t": round(1.25 * (number + 1), 3)})
    meta = {
        "id": "5f1c",
        "created_at": "2026-03-24T10:05:00+00:00",
        "viewport": [800, 600],
        "coordinate_space": "page",
        "app_url": "https://united.com/en",
        "params": {"city": "Lima"} if any("param" in event for event in events) else {},
        "secret_params": ["password"],
    }
    put(folder, "meta.json", meta)
    (folder / "events.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n", "utf-8")
    return folder


@pytest.fixture
def shown(tmp_path: Path) -> Path:
    """A click that opens a page, a click that opens another, a typed parameter, a chord."""
    events: list[dict[str, Any]] = [
        {"kind": "click", "x": 460, "y": 40},
        {"kind": "click", "x": 225, "y": 40},
        {"kind": "type", "text": "Lima", "param": "city"},
        {"kind": "hotkey", "modifiers": ["Control"], "key": "s"},
        {"kind": "wait"},
    ]
    search = drawn(SEARCH)
    screens = [home_screen(), travel_screen(), search, search, search, search]
    return recording(tmp_path / "travel info", events, screens)


def test_frames_become_screens_events_ways_and_a_draft(memory: Memory, shown: Path) -> None:
    imported = memory.import_from(shown)
    assert (imported.source, imported.taken) == ("openadapt", {"recording": 1})
    assert ['"wait" is no act on a screen' in remark for remark in imported.remarks] == [True]
    (skill,) = memory.skills
    assert (skill.name, skill.status, skill.url) == (
        "travel-info", "draft", "https://united.com/en",
    )  # fmt: skip
    assert [(step.action, step.detail) for step in skill.steps] == [
        ("click", None), ("click", None), ("type", "{city}"), ("key", "Control+s"),
    ]  # fmt: skip
    assert skill.parameters == {"city": "Lima"}
    assert [step.mean_ms for step in skill.steps] == [1250.0] * 4
    assert len(memory.states) == 3


def test_the_component_at_the_clicks_place_is_what_the_way_acts_on(
    memory: Memory, harbor: dict[str, Shot], tmp_path: Path
) -> None:
    login, dashboard = harbor["login"], harbor["dashboard"]
    button = next(box for box in login.boxes if box.label == "Sign in")
    x, y = button.x + button.w // 2, button.y + button.h // 2
    screens = [cv2.imdecode(np.frombuffer(one.png, np.uint8), 1) for one in (login, dashboard)]
    click = {"kind": "click", "x": x, "y": y, "title_after": "Harbor: dashboard"}
    memory.import_from(recording(tmp_path / "sign in", [click], screens))
    start, end = (memory.match(shot.png).state for shot in (login, dashboard))
    assert start is not None
    assert end is not None
    (step,) = memory.transitions.path(start.id, end.id).steps
    assert step.component_id is not None
    pressed = memory.components.get(step.component_id)
    assert pressed.rel_x <= x <= pressed.rel_x + pressed.w
    assert pressed.rel_y <= y <= pressed.rel_y + pressed.h
    assert memory.states.get(end.id).title == "Harbor: dashboard"


def test_importing_again_adds_nothing(memory: Memory, shown: Path) -> None:
    memory.import_from(shown)
    assert memory.import_from(shown / "events.jsonl").written == 0
    assert [way.count for way in memory.transitions] == [1] * len(memory.transitions)


def test_a_secret_event_leaves_a_parameter(memory: Memory, tmp_path: Path) -> None:
    events = [{"kind": "type", "param": "password", "secret": True}]
    login = recording(tmp_path / "login", events, [drawn(SEARCH)] * 2)
    put(login, "meta.json", {"id": "5f1c", "app_url": "https://united.com/en"})
    memory.import_from(login)
    assert [step.detail for step in next(iter(memory.skills)).steps] == ["{password}"]


@pytest.mark.parametrize("broken", ["missing", "text", "json", "place", "link"])
def test_a_recording_that_lacks_an_act_is_named_and_not_taken(
    memory: Memory, shown: Path, broken: str
) -> None:
    frame, events = shown / "frames" / "0001_after.png", shown / "events.jsonl"
    if broken == "json":
        events.write_text(events.read_text("utf-8") + "{", "utf-8")
    elif broken == "place":
        events.write_text('{"i": 0, "kind": "click", "t": 1}\n', "utf-8")
    elif broken == "text":
        frame.write_text("no picture")
    else:
        frame.rename(shown.parent / "outside.png")
        if broken == "link":
            frame.symlink_to(shown.parent / "outside.png")
    imported = memory.import_from(shown)
    assert (imported.refusals, imported.written) == (1, 0)
    assert len(memory.skills) == len(memory.states) == len(memory.transitions) == 0


def test_a_bundle_becomes_components_and_a_draft(memory: Memory, tmp_path: Path) -> None:
    bundle = tmp_path / "bundle"
    (bundle / "templates").mkdir(parents=True)
    write_crop(tmp_path, home_screen(), HOME["Travel_info"], "step_000")
    (tmp_path / "components" / "step_000.png").rename(bundle / "templates" / "step_000.png")
    anchor = {
        "template": "templates/step_000.png",
        "region": [416, 26, 88, 28],
        "click_point": [460, 40],
        "ocr_text": "Travel info",
    }
    steps = [
        {"id": "step_000", "intent": "open travel info", "action": "click", "anchor": anchor},
        {"id": "step_001", "intent": "type the city", "action": "type", "param": "city"},
        {"id": "step_002", "intent": "look", "action": "click", "anchor": {"template": "gone.png"}},
    ]
    flow = {"schema_version": 2, "name": "Travel info", "params": {"city": "Lima"}, "steps": steps}
    put(bundle, "workflow.json", flow)
    imported = memory.import_from(bundle)
    assert imported.taken == {"component": 1, "skill": 1}
    assert [one.where for one in imported.refused] == ["workflow.json: step 3"]
    (skill,) = memory.skills
    first = skill.steps[0]
    assert (first.words, skill.steps[1].words) == ("click Travel_info", "type {city}")
    assert first.component_id == memory.components.get("Travel_info").id
    assert [one.name for one in memory.match(home_screen()).sightings] == ["Travel_info"]
