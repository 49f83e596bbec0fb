"""The start page of a store: its figures, its newest rows, and decisions that wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl_cli.ui.view import Route, View

if TYPE_CHECKING:
    from starlette.responses import Response


def start(view: View) -> Response:
    """Show the start page."""
    memory = view.memory
    held = memory.status()
    waiting = (
        ("fact", memory.facts.count(status="pending"), "to be decided on", "waiting"),
        ("pair", len(memory.facts.undecided()), "where the newer may replace the older", "waiting"),
        (
            "fact",
            len(memory.facts.doubtful()),
            "to be checked: what it rests on has changed",
            "waiting",
        ),
        (
            "skill",
            memory.skills.list("draft", limit=1).total,
            "to be approved",
            "skills?status=draft",
        ),
    )
    return view.page(
        "start.html",
        held=held,
        waiting=[row for row in waiting if row[1]],
        newest=memory.facts.list(after="", limit=5),
        moments=memory.turns.timeline(limit=5),
    )


PAGES = (Route("", start),)
