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
        ("fact", memory.facts.count(status="pending"), "waits for a decision"),
        ("pair", len(memory.facts.undecided()), "of which the newer may replace the older"),
        ("fact", len(memory.facts.doubtful()), "to be checked: what it rests on has changed"),
    )
    return view.page(
        "start.html",
        held=held,
        waiting=[(count, noun, why) for noun, count, why in waiting if count],
        newest=memory.facts.list(after="", limit=5),
        moments=memory.turns.timeline(limit=5),
    )


PAGES = (Route("", start),)
