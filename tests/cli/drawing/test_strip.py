"""A run is drawn: each step's screen with the place of its act, and how it went."""

from __future__ import annotations

import io
from dataclasses import replace

from PIL import Image, ImageColor

from memctl.procedural.skill_records import SkillRun, WatchedStep
from memctl_cli.drawing.pen import COLOURS, RULE
from memctl_cli.drawing.sheets import draw_run

RUN = SkillRun(
    id=3, skill_id="k_1", status="done", step=2, params={}, outputs={}, predicted=0.5, why="",
    looks=0, seconds=1.5, started_at="2026-01-01T00:00:00Z", ended_at="2026-01-01T00:00:02Z",
)  # fmt: skip


def screen(colour: str = "white") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (880, 400), colour).save(out, "PNG")
    return out.getvalue()


STEP = WatchedStep(1, "click Save", "done", "", 0.4, screen(), 440.0, 200.0)


def drawn(*steps: WatchedStep, run: SkillRun = RUN, last: bytes | None = None) -> Image.Image:
    made = draw_run("save-it", run, steps, screen("navy") if last is None else last)
    return Image.open(io.BytesIO(made)).convert("RGB")


def colours(picture: Image.Image) -> set[str]:
    pixels = set(zip(*[iter(picture.tobytes())] * 3, strict=True))
    return {f"#{r:02x}{g:02x}{b:02x}" for r, g, b in pixels}


def test_each_step_has_a_panel_and_the_end_has_one() -> None:
    one, four = drawn(STEP), drawn(*[STEP] * 4)
    assert four.width > one.width
    assert four.height > one.height
    assert "#000080" in colours(one)


def test_the_place_of_an_act_is_ringed_in_the_colour_of_its_outcome() -> None:
    kept = {name: colours(drawn(replace(STEP, outcome=name))) for name in ("recovered", "failed")}
    assert COLOURS["new"] in kept["recovered"]
    assert COLOURS["absent"] in kept["failed"]


def test_a_run_that_stopped_at_once_is_drawn_with_its_reason() -> None:
    told = replace(RUN, status="halted", why="it is not known that Ann agreed " * 20)
    long, short = drawn(run=told), drawn()
    assert (long.width, long.height > short.height) == (short.width, True)


def test_a_step_without_a_picture_or_a_place_is_drawn_all_the_same() -> None:
    blank = WatchedStep(2, "key Enter", "failed", "the page is gone", 0.1, b"")
    assert drawn(blank, last=b"").getpixel((240, 150)) == ImageColor.getrgb(RULE)
