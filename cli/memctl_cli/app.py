"""The program: its own options, and every command's name."""

from __future__ import annotations

from typing import Annotated

import typer

from memctl_cli.commands import (
    alias,
    components,
    config,
    demo,
    doctor,
    episodes,
    feedback,
    learn,
    locate,
    log,
    match,
    mcp,
    memory,
    path,
    pending,
    recall,
    reembed,
    remember,
    report,
    schema,
    states,
    status,
    stores,
    transitions,
    turns,
)
from memctl_cli.output import print_answer
from memctl_cli.session import Session

__all__ = ["app"]

app = typer.Typer(
    name="memctl",
    help="The memory of an agent that uses apps: one SQLite file per app or site.",
    epilog="Start with: memctl demo",
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_LOOK = "Looking at screens"
_GRAPH = "What is remembered of the app"
_WORDS = "What was said and what happened"
_FACTS = "What is true"
_STORE = "The store"

app.command("learn", rich_help_panel=_LOOK)(learn.learn)
app.command("match", rich_help_panel=_LOOK)(match.match)
app.command("locate", rich_help_panel=_LOOK)(locate.locate)
app.add_typer(components.app, name="components", rich_help_panel=_GRAPH)
app.add_typer(states.app, name="states", rich_help_panel=_GRAPH)
app.add_typer(transitions.app, name="transitions", rich_help_panel=_GRAPH)
app.command("path", rich_help_panel=_GRAPH)(path.path)
app.command("log", rich_help_panel=_WORDS)(log.log)
app.command("remember", rich_help_panel=_WORDS)(remember.remember)
app.command("recall", rich_help_panel=_WORDS)(recall.recall)
app.command("feedback", rich_help_panel=_WORDS)(feedback.feedback)
app.add_typer(turns.app, name="turns", rich_help_panel=_WORDS)
app.add_typer(episodes.app, name="episodes", rich_help_panel=_WORDS)
app.add_typer(alias.app, name="alias", rich_help_panel=_WORDS)
app.command("reembed", rich_help_panel=_WORDS)(reembed.reembed)
app.add_typer(memory.app, name="memory", rich_help_panel=_FACTS)
app.add_typer(pending.app, name="pending", rich_help_panel=_FACTS)
app.command("mcp", rich_help_panel=_FACTS)(mcp.mcp)
app.add_typer(config.app, name="config", rich_help_panel=_STORE)
app.command("stores", rich_help_panel=_STORE)(stores.stores)
app.command("status", rich_help_panel=_STORE)(status.status)
app.command("schema", rich_help_panel=_STORE)(schema.schema)
app.command("doctor", rich_help_panel=_STORE)(doctor.doctor)
app.command("report", rich_help_panel=_STORE)(report.report)
app.command("demo")(demo.demo)


def _print_version(context: typer.Context, asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        if context.params.get("as_json"):
            data = {"version": version("memctl")}
            print_answer(data, command="version", app="", duration_ms=0, count=None)
        else:
            typer.echo(version("memctl"))
        raise typer.Exit


@app.callback()
def program(
    context: typer.Context,
    home: Annotated[
        str | None, typer.Option("--home", help="Folder of all stores.", envvar="MEMCTL_HOME")
    ] = None,
    address: Annotated[
        str,
        typer.Option("--app", help="NAME, or BROWSER/SITE where SITE may be a URL.", metavar="A"),
    ] = "agent",
    session: Annotated[
        str | None,
        typer.Option("--session", help="The session this belongs to.", envvar="MEMCTL_SESSION"),
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
        settings=settings or (),
        as_json=as_json,
    )
