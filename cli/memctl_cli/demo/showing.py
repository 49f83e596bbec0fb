"""Shows the demo's story to people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl_cli.commands.path import show_path
from memctl_cli.output import rows, table

if TYPE_CHECKING:
    from rich.console import Console

    from memctl_cli.demo.telling import Scene, Told

__all__ = ["show_story"]


def show_story(console: Console, told: Told) -> None:
    """Print what happened scene by scene, the way that was planned, and where to look."""
    console.print("Harbor is a small invoicing app; these are its screenshots, in order.\n")
    made = table("screenshot", "state", "found", "new", "ms", "", right=("found", "new", "ms"))
    console.print(rows(made, [_cells(scene) for scene in told.scenes]))
    console.print("The most likely way from the first screen to the dialog:\n")
    show_path(console, told.way)
    console.print(f"\n{len(told.transitions)} transitions are remembered.")
    console.print(f"\nthe last screen, drawn   {told.picture}", soft_wrap=True)
    console.print(f"all of it, one file      {told.store}", soft_wrap=True)
    console.print("\nask it yourself:", soft_wrap=True)
    console.print(told.sql, soft_wrap=True)


def _cells(scene: Scene) -> tuple[object, ...]:
    known = "unknown" if scene.state is None else scene.state
    return (
        scene.shot,
        known,
        scene.found,
        scene.learned,
        f"{scene.ms:.0f}",
        scene.note or scene.says,
    )
