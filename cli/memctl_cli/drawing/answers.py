"""A match drawn on its screenshot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.visual.boxes import Box

if TYPE_CHECKING:
    from memctl.drivers.look import Look
    from memctl.visual.match_results import Match


def draw_match(image: str | bytes | Look, answer: Match) -> bytes:
    """Return the screenshot as a PNG with what was found and what is absent drawn on it."""
    from memctl.visual.reading.image import encode_png, load_frame
    from memctl_cli.drawing.marks import Mark, draw_marks

    picture = image if isinstance(image, (str, bytes)) else image.png
    marks = [Mark(Box(one.x, one.y, one.w, one.h), one.name, "found") for one in answer.sightings]
    state = answer.state
    title = f"state {state.name or state.id}" if state else "unknown state"
    return draw_marks(encode_png(load_frame(picture).bgr), marks, title=title)
