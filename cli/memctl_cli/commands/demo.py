"""``memctl demo``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl_cli.demo.telling import Told
    from memctl_cli.output.console import Console


def demo(context: typer.Context) -> None:
    """Tell the whole story on bundled screenshots; --home DIR keeps it in a home of its own.

    Without --home it is told in a new folder among the temporary ones.

    Example: memctl demo --home trial
    """
    from memctl_cli.demo.asking import answered
    from memctl_cli.demo.telling import tell

    session = session_of(context)
    told = tell(_asked_home(context), progress=not session.as_json)
    if session.as_json:
        told = replace(told, asked=answered(told.asked, told.home))
    session.answer(told, lambda console: _show(console, told), count=len(told.scenes))


def _asked_home(context: typer.Context) -> Path | None:
    """Return the folder that ``--home`` names; a home of the environment holds its user's stores."""
    root = context.find_root()
    source = root.get_parameter_source("home")
    given = root.params["home"]
    return Path(given) if given and source is not None and source.name == "COMMANDLINE" else None


def _show(console: Console, told: Told) -> None:
    from memctl_cli.demo.showing import show_story

    show_story(console, told)
