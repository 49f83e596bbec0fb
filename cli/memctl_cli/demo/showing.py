"""Shows the demo's story to people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl_cli.demo.asking import print_answer_to
from memctl_cli.output.envelope import counted, rows, shown, table
from memctl_cli.output.plain_table import wrapped

if TYPE_CHECKING:
    from memctl_cli.demo.telling import Told
    from memctl_cli.output.console import Console

_FINDINGS = 3
_TABLE = 70  # cells of a line that the table of screens needs


def show_story(console: Console, told: Told) -> None:
    """Print what happened screen by screen, what is asked about it, and what to type next."""
    if told.told_before is not None:
        console.print(
            f'"{told.home}" has the demo already, since {told.told_before}: nothing was written.'
        )
    else:
        _show_screens(console, told)
        for one in told.asked:
            console.print(f"\n{one.says}", style="bold")
            console.print(f"$ {one.command}", style="dim", soft_wrap=True)
            print_answer_to(one, told.home)
        _show_findings(console, told)
    _show_next(console, told)


def _show_screens(console: Console, told: Told) -> None:
    console.print("Harbor is a small invoicing app. An agent meets its screens, one by one:")
    spoken = [scene for scene in told.scenes if scene.says]
    if console.width < _TABLE:
        for scene in spoken:
            console.print(f"{scene.shot}: {scene.verdict}. {scene.note or scene.says}")
    else:
        numbers, names = ("found", "new"), ("screenshot", "taken for")
        made = table(*names, *numbers, "what it is", right=numbers, whole=names, tight=True)
        cells = [(s.shot, s.verdict, s.found, s.learned, s.note or s.says) for s in spoken]
        console.print(rows(made, cells))
    quiet = counted(len(told.scenes) - len(spoken), "more screen")
    clicks = counted(len(told.transitions), "click")
    console.print(f"{quiet} like these; {clicks} between them were noted")


def _show_findings(console: Console, told: Told) -> None:
    number = counted(len(told.findings), "finding")
    console.print(f"\nThe reports have {number}:", style="bold")
    for finding in told.findings[:_FINDINGS]:
        console.print(wrapped(f"- {shown(finding.text)}", console.width, hang="  "))
    console.print(f"as a page with plots: {told.page}", soft_wrap=True)
    console.print(f"the last screen, drawn: {told.picture}", soft_wrap=True)


def _show_next(console: Console, told: Told) -> None:
    console.print("\nAll of it is one file. Look around in it, and ask it yourself:", style="bold")
    for line in told.next["here"]:
        console.print(f"  {line}", soft_wrap=True)
    console.print(
        "\nNow your own app, by its address; here by that of one that came along:", style="bold"
    )
    for line in told.next["own"]:
        console.print(f"  {line}", soft_wrap=True)
