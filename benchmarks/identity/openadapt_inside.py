"""Replays one recorded click on a still screenshot: run by an interpreter that has openadapt-flow.

Each line of the input is a question: ``learned`` and ``asked`` (pictures) and ``click`` (a point
of the learned one). Each line of the output tells where the replay clicked, or why it halted.
What is called: ``openadapt_flow.compiler.compile.compile_recording`` on a recording of that one
click, then ``openadapt_flow.runtime.replayer.Replayer.run`` with a backend that shows the asked
picture: template, OCR, landmarks and the identity text of the row, all as shipped; there is no
DOM. This file imports nothing of the project.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import struct
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

__all__ = ["main"]


class Still:
    """A backend whose screen never changes and which notes where it was clicked."""

    def __init__(self, png: bytes) -> None:
        self._png = png
        self.viewport = _size(png)
        self.clicks: list[tuple[int, int]] = []

    def screenshot(self) -> bytes:
        """Return the picture."""
        return self._png

    def click(self, x: int, y: int, **_how: Any) -> None:
        """Note a click."""
        self.clicks.append((x, y))

    def double_click(self, x: int, y: int) -> None:
        """Note a click."""
        self.clicks.append((x, y))

    def type_text(self, text: str) -> None:
        """Do nothing: the recording holds a click alone."""

    def press(self, key: str) -> None:
        """Do nothing."""

    def scroll(self, *how: Any) -> None:
        """Do nothing."""


def main() -> None:
    """Answer the questions of the input, one after the other."""
    compiled: dict[tuple[str, int, int], tuple[Any, Path]] = {}
    with tempfile.TemporaryDirectory(prefix="openadapt-") as folder:
        for number, line in enumerate(sys.stdin):
            question = json.loads(line)
            with contextlib.redirect_stdout(sys.stderr):
                answer = _answer(question, compiled, Path(folder, str(number)))
            print(json.dumps(answer), flush=True)


def _answer(question: dict[str, Any], compiled: dict[Any, Any], folder: Path) -> dict[str, Any]:
    started = time.perf_counter()
    try:
        key = (question["learned"], *question["click"])
        if key not in compiled:
            compiled[key] = _compile(question, folder)
        workflow, bundle = compiled[key]
        started = time.perf_counter()
        still = Still(Path(question["asked"]).read_bytes())
        replayer = importlib.import_module("openadapt_flow.runtime.replayer").Replayer(still)
        report = replayer.run(workflow, bundle_dir=bundle, run_dir=folder / "run")
        why = _why(report)
    except Exception as error:  # noqa: BLE001 - a refusal of the other package is an answer
        return {"point": None, "why": f"{type(error).__name__}: {error}"[:200], "ms": _ms(started)}
    return {"point": still.clicks[0] if still.clicks else None, "why": why, "ms": _ms(started)}


def _compile(question: dict[str, Any], folder: Path) -> tuple[Any, Path]:
    recording, bundle = folder / "recording", folder / "bundle"
    (recording / "frames").mkdir(parents=True)
    png = Path(question["learned"]).read_bytes()
    for moment in ("before", "after"):
        (recording / "frames" / f"0000_{moment}.png").write_bytes(png)
    meta = {
        "id": "one",
        "created_at": "2026-01-01T00:00:00",
        "viewport": _size(png),
        "coordinate_space": "page",
        "app_url": "about:blank",
        "params": {},
    }
    x, y = question["click"]
    event = {"i": 0, "kind": "click", "x": x, "y": y, "t": 1.0}
    (recording / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
    (recording / "events.jsonl").write_text(json.dumps(event) + "\n", encoding="utf-8")
    compiler = importlib.import_module("openadapt_flow.compiler.compile")
    return compiler.compile_recording(recording, bundle, name="one"), bundle


def _why(report: Any) -> str:
    result = report.results[0] if report.results else None
    rung = getattr(getattr(result, "resolution", None), "rung", None)
    identity = getattr(getattr(result, "identity", None), "status", None)
    error = getattr(result, "error", None) or ""
    return f"{rung or 'unresolved'}, identity {identity or 'not asked'}. {error}"[:200]


def _size(png: bytes) -> tuple[int, int]:
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def _ms(started: float) -> float:
    return (time.perf_counter() - started) * 1000


if __name__ == "__main__":
    main()
