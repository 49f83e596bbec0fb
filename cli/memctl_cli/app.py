"""The program: its own options, and every command's name.

A program is made of the command that is called alone: Typer looks at every parameter of every
command that it is given, which takes longer than most commands do.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Annotated

import typer

from memctl_cli.call import Call
from memctl_cli.command import Commands, mend
from memctl_cli.commands.options import Text, Texts
from memctl_cli.completed_values import offered
from memctl_cli.output.envelope import envelope, print_json

if TYPE_CHECKING:
    from typer._click import Command

# Every command in the order of the help, under its heading there; behind the file in `commands`
# that it is in, `files: names`.
_COMMANDS = {
    "Looking at screens": "screens: learn match locate diff wait / screen_files: watch",
    "The app: components, states, transitions": (
        "components: components / graph: states transitions path"
    ),
    "Turns and episodes": (
        "talk: log remember / recall: recall feedback / talk: turns episodes"
        " / recall: recalls alias reembed"
    ),
    "Facts": "memory: memory / deciding: pending classify extract / mcp: mcp tokens",
    "The task at hand": "working: wal session context / hosts: hook / working: cache",
    "Consolidation and skills": "dream: dream / skills: skills",
    "The store": (
        "upkeep: config stores browse / ui: ui"
        " / upkeep: status schema doctor backup restore recover vacuum erase"
        " / report: report / porting: import export / fleet: fleet"
    ),
    "": "demo: demo",
}
_PLACES = {
    name: (panel, part.partition(":")[0].strip())
    for panel, parts in _COMMANDS.items()
    for part in parts.split("/")
    for name in part.partition(":")[2].split()
}
# Those that have commands of their own.
GROUPS = frozenset(
    {"components", "states", "transitions", "turns", "episodes", "recalls", "alias"}
    | {"memory", "pending", "config", "wal", "cache", "session", "hook", "dream", "skills"}
    | {"tokens", "import", "export", "fleet"}
)
_ODD = {"import": "imports"}  # a word of Python's own
# Options of the program that may stand anywhere, also behind the command.
FLAGS = ("--json",)
VALUED = ("--home", "--app", "--session", "--set")


def hoisted(words: list[str]) -> tuple[list[str], list[str]]:
    """Separate the program's own options from the other words, up to a ``--``."""
    leading: list[str] = []
    rest: list[str] = []
    pending = iter(words)
    for word in pending:
        name, equals, _ = word.partition("=")
        if word == "--":
            return leading, [*rest, word, *pending]
        if name in FLAGS or (name in VALUED and equals):
            leading.append(word)
        elif name in VALUED:
            leading += [word, *([value] if (value := next(pending, None)) is not None else [])]
        else:
            rest.append(word)
    return leading, rest


@cache
def command_of(only: str | None = None) -> Command:
    """Return the program with one of its commands; with all where `only` names none.

    The options that install completion belong to the whole program alone: its help has them,
    and where a command is given they are not taken.
    """
    whole = only not in _PLACES
    app = Commands(
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
    for name in _PLACES if whole else [str(only)]:
        panel, file = _PLACES[name]
        made = getattr(import_module(f"memctl_cli.commands.{file}"), _ODD.get(name, name))
        if name in GROUPS:
            app.add_typer(made, name=name, rich_help_panel=panel)
        else:
            app.command(name, rich_help_panel=panel or None)(made)
    command = typer.main.get_command(app)
    for parameter in command.params:  # Typer adds those of completion late
        mend(parameter)
    return command


def _print_version(context: typer.Context, asked: bool) -> None:
    if asked:
        from memctl import __version__

        if context.params.get("as_json"):
            print_json(envelope({"version": __version__}, "version", "", 0, None, {}))
        else:
            typer.echo(__version__)
        raise typer.Exit


def _begin(
    call: Call,
    home: Annotated[
        Text, typer.Option("--home", help="Folder of all stores.", envvar="MEMCTL_HOME")
    ] = None,
    address: Annotated[
        Text,
        typer.Option(
            "--app",
            help="NAME, or BROWSER/SITE where SITE may be a URL; else the site of a command's "
            "URL, or agent.",
            metavar="A",
            autocompletion=offered("app"),
        ),
    ] = None,
    session: Annotated[
        Text,
        typer.Option(
            "--session",
            help="Session of the turns and facts of this call.",
            envvar="MEMCTL_SESSION",
            autocompletion=offered("session"),
        ),
    ] = None,
    project: Annotated[
        Text,
        typer.Option(
            "--project",
            help="Turns, episodes and facts of one project alone; auto: of this folder's.",
            envvar="MEMCTL_PROJECT",
        ),
    ] = None,
    settings: Annotated[
        Texts,
        typer.Option(
            "--set",
            help="KEY=VALUE, a setting for this call only.",
            autocompletion=offered("assignment"),
        ),
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
    call.begin(home, address, session, project, settings or (), as_json)
