"""``memctl demo``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memctl_cli.call import Answer, Call
from memctl_cli.output.plain_table import wrapped
from memctl_cli.output.records import table_of
from memctl_cli.output.words import counted, shown

if TYPE_CHECKING:
    from memctl_cli.demo.telling import Told
    from memctl_cli.output.console import Console

_FINDINGS = 3
_TABLE = 70  # cells of a line that the table of screens needs


def demo(call: Call) -> Answer:
    """Tell the whole story on bundled screenshots; --home DIR keeps it in a home of its own.

    Without --home it is told in a new folder among the temporary ones.

    Example: memctl demo --home trial
    """
    from memctl_cli.demo.talking import answered
    from memctl_cli.demo.telling import tell

    # A home of the environment holds its user's stores.
    source = call.find_root().get_parameter_source("home")
    asked = call.home if source is not None and source.name == "COMMANDLINE" else None
    told = tell(Path(asked) if asked else None, progress=not call.as_json)
    if call.as_json:
        told = replace(told, asked=answered(told.asked, told.home))
    return Answer(told, lambda console: show_story(console, told), len(told.scenes))


def show_story(console: Console, told: Told) -> None:
    """Print what happened screen by screen, what is asked about it, and what to type next."""
    from memctl_cli.demo.talking import print_answer_to

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
        console.print(table_of("scene", spoken))
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
