"""Shows the demo's story to people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl_cli.commands.path import show_path
from memctl_cli.output.envelope import counted

if TYPE_CHECKING:
    from memctl_cli.demo.telling import Scene, Told
    from memctl_cli.output.console import Console

__all__ = ["show_story"]


def show_story(console: Console, told: Told) -> None:
    """Print what happened scene by scene, the way that was planned, and where to look."""
    console.print("Harbor is a small invoicing app. An agent meets its screens, one by one.\n")
    console.print(f"{'screenshot':<20}{'taken for':<20}{'found':>7}{'learned':>9}{'ms':>7}")
    console.print("─" * console.width, style="dim")
    for scene in told.scenes:
        _show_scene(console, scene)
    console.print("\nThe way from the first screen to the dialog, walked 12 times, once in vain:")
    show_path(console, told.way)
    console.print(f"\nremembered: {counted(len(told.transitions), 'transition')}\n")
    console.print(f"the last screen, drawn:  {told.picture}", soft_wrap=True)
    console.print(f"all of it, in one file:  {told.store}", soft_wrap=True)
    console.print(f"as a page, in a browser: {told.page}", soft_wrap=True)
    console.print("\nAsk it yourself:")
    console.print(told.sql, soft_wrap=True)


def _show_scene(console: Console, scene: Scene) -> None:
    colour = {"a new screen": "cyan", "never seen": "yellow"}.get(scene.verdict, "green")
    console.print(f"{scene.shot:<20}", end="")
    console.print(f"{scene.verdict:<20}", end="", style=colour)
    console.print(f"{scene.found:>7}{scene.learned:>9}{scene.ms:>7.0f}")
    console.print(f"  {scene.says}", style="dim")
    if scene.note:
        console.print(f"  {scene.note}", style="bold")
