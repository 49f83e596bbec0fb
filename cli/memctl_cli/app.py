"""The program: its own options, and every command's name.

A program is made of the command that is called alone: Typer looks at every parameter of every
command that it is given, which takes longer than most commands do.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Annotated

import typer

from memctl_cli.help_words import spell_parameters
from memctl_cli.json_help import answer_help_in_json
from memctl_cli.output.envelope import print_answer
from memctl_cli.plain_values import read_plain_values
from memctl_cli.session import Session

if TYPE_CHECKING:
    from typer._click import Command

_LOOK = "Looking at screens"
_GRAPH = "The app: components, states, transitions"
_WORDS = "Turns and episodes"
_FACTS = "Facts"
_WORK = "The task at hand"
_DREAM = "Consolidation and skills"
_STORE = "The store"

# Every command, in the order of the help, with its panel there. Each is a file in `commands`.
_PANELS = {
    "learn": _LOOK,
    "match": _LOOK,
    "locate": _LOOK,
    "diff": _LOOK,
    "wait": _LOOK,
    "components": _GRAPH,
    "states": _GRAPH,
    "transitions": _GRAPH,
    "path": _GRAPH,
    "log": _WORDS,
    "remember": _WORDS,
    "recall": _WORDS,
    "feedback": _WORDS,
    "turns": _WORDS,
    "episodes": _WORDS,
    "recalls": _WORDS,
    "alias": _WORDS,
    "reembed": _WORDS,
    "memory": _FACTS,
    "pending": _FACTS,
    "classify": _FACTS,
    "extract": _FACTS,
    "mcp": _FACTS,
    "wal": _WORK,
    "session": _WORK,
    "context": _WORK,
    "hook": _WORK,
    "cache": _WORK,
    "dream": _DREAM,
    "skills": _DREAM,
    "config": _STORE,
    "stores": _STORE,
    "browse": _STORE,
    "status": _STORE,
    "schema": _STORE,
    "doctor": _STORE,
    "backup": _STORE,
    "restore": _STORE,
    "recover": _STORE,
    "vacuum": _STORE,
    "erase": _STORE,
    "report": _STORE,
    "import": _STORE,
    "export": _STORE,
    "demo": None,
}
# Those that have commands of their own.
GROUPS = frozenset(
    {"components", "states", "transitions", "turns", "episodes", "recalls", "alias"}
    | {"memory", "pending", "config", "wal", "cache", "session", "hook", "dream", "skills"}
    | {"import", "export"}
)
# Commands whose names are Python's own words, or would be, with their file.
_FILES = {"import": "importing", "export": "exporting"}


def program(only: str | None = None) -> typer.Typer:
    """Return the program with one of its commands; with all where `only` names none.

    The options that install completion belong to the whole program alone: they stand in its
    help, and where a command is given they are not taken.
    """
    whole = only not in _PANELS
    app = typer.Typer(
        name="memctl",
        help="The memory of an agent that uses apps: one SQLite file per app or site.",
        epilog="Start with: memctl demo",
        no_args_is_help=True,
        add_completion=whole,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        callback=_begin,
    )
    for name in [only] if only in _PANELS else _PANELS:
        _add(app, name)
    return app


@cache
def command_of(only: str | None = None) -> Command:
    """Return the program as a command that can be called, as often as wanted."""
    command = typer.main.get_command(program(only))
    spell_parameters(command)
    read_plain_values(command)
    answer_help_in_json(command)
    return command


def _add(app: typer.Typer, name: str) -> None:
    module = import_module(f"memctl_cli.commands.{_FILES.get(name, name)}")
    if name in GROUPS:
        app.add_typer(module.app, name=name, rich_help_panel=_PANELS[name])
    else:
        app.command(name, rich_help_panel=_PANELS[name])(getattr(module, name))


def _print_version(context: typer.Context, asked: bool) -> None:
    if asked:
        from memctl import __version__

        if context.params.get("as_json"):
            data = {"version": __version__}
            print_answer(data, command="version", app="", duration_ms=0, count=None)
        else:
            typer.echo(__version__)
        raise typer.Exit


def _begin(
    context: typer.Context,
    home: Annotated[
        str | None, typer.Option("--home", help="Folder of all stores.", envvar="MEMCTL_HOME")
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(
            "--app",
            help="NAME, or BROWSER/SITE where SITE may be a URL; else the site of a command's "
            "URL, or agent.",
            metavar="A",
        ),
    ] = None,
    session: Annotated[
        str | None,
        typer.Option(
            "--session",
            help="Session of the turns and facts of this call.",
            envvar="MEMCTL_SESSION",
        ),
    ] = None,
    project: Annotated[
        str | None,
        typer.Option(
            "--project",
            help="Turns, episodes and facts of one project alone; auto: of this folder's.",
            envvar="MEMCTL_PROJECT",
        ),
    ] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="KEY=VALUE, a setting for this call only.")
    ] = None,
    as_json: Annotated[  # eager: the version asks for it
        bool, typer.Option("--json", help="Answer in JSON, errors too.", is_eager=True)
    ] = False,
    version: Annotated[  # noqa: ARG001  (its callback answers)
        bool,
        typer.Option(
            "--version", help="Print the version and leave.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Remember apps: what is on the screen, which screen it is, where a click leads."""
    context.obj = Session.of(
        context.invoked_subcommand or "",
        home=home,
        address=address,
        session=session,
        project=project,
        settings=settings or (),
        as_json=as_json,
    )
