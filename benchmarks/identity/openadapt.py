"""OpenAdapt Flow on the same questions, in an environment of its own."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2

from benchmarks.identity.answers import Answer, Given, judge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.identity.notes import Noted

__all__ = ["HOW_TO_GET", "ask_openadapt"]

NAME = "openadapt-flow"
INSIDE = Path(__file__).with_name("openadapt_inside.py")
HOW_TO_GET = (
    "openadapt-flow: skipped; make an environment of its own (python -m venv DIR; DIR/bin/pip "
    "install openadapt-flow) and say --openadapt DIR/bin/python"
)
SECONDS = 60
"""At most so long for a question."""


def ask_openadapt(python: Path, some: Sequence[Noted]) -> list[Answer]:
    """Return its answers; those that it gave before it broke off, if it did."""
    with tempfile.TemporaryDirectory(prefix="identity-") as folder:
        questions = [_question(one, Path(folder, f"{i}.png")) for i, one in enumerate(some)]
        asked = "".join(json.dumps(question) + "\n" for question in questions)
        # The interpreter is the caller's own choice, and the script is ours.
        done = subprocess.run(  # noqa: S603
            [python, INSIDE],
            input=asked,
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS * len(questions),
        )
    if done.returncode:
        print(f"{NAME} broke off: {done.stderr.strip().splitlines()[-1:]}")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    return [_judged(one, answer) for one, answer in zip(some, answers, strict=False)]


def _question(one: Noted, file: Path) -> dict[str, Any]:
    """Return a question; a JPEG is handed over as the PNG of its pixels."""
    cv2.imwrite(str(file), one.shot.bgr)
    x, y, w, h = one.learned.place
    click = [x + w // 2, y + h // 2]
    return {"learned": str(one.learned.path), "click": click, "asked": str(file)}


def _judged(one: Noted, answer: dict[str, Any]) -> Answer:
    point = answer["point"]
    place = (int(point[0]), int(point[1]), 1, 1) if point else None
    optional = one.answer.there is None
    given = Given(NAME, place, answer["why"], answer["ms"])
    return judge(one.answer.asked, given, one.marked, optional=optional)
