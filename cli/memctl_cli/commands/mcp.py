"""``memctl mcp``."""

from __future__ import annotations

import signal
import sys
from contextlib import nullcontext
from dataclasses import replace
from typing import Annotated

import typer

from memctl.base.errors import UsageError
from memctl.base.scope import Scope
from memctl_cli.commands.options import Agent, User
from memctl_cli.session import session_of


def mcp(
    context: typer.Context,
    user: User = None,
    agent: Agent = None,
    tools: Annotated[
        str | None,
        typer.Option("--tools", help="memory, screens or all; by default by the store."),
    ] = None,
    also: Annotated[
        str | None, typer.Option("--also", help="A store whose facts the context reads along.")
    ] = None,
    session_key: Annotated[
        str | None,
        typer.Option(
            "--session-key", help="A host's key, agent:NAME:CHANNEL; it sets agent and session."
        ),
    ] = None,
    subagent: Annotated[
        bool, typer.Option("--subagent", help="Read-only: every change is refused.")
    ] = False,
) -> None:
    """Serve the memory to an agent over standard input and output.

    It needs the extra "mcp" of memctl-engine.

    Example: memctl --app agent mcp --user ann

    Example: memctl --app chromium/united.com mcp --tools screens --also agent
    """
    session = session_of(context)
    try:
        from memctl_cli.mcp.build import build, profile_of
    except ModuleNotFoundError as error:
        if error.name and error.name.split(".")[0] in {"mcp", "mcp_types"}:
            raise UsageError(
                "the MCP server is not installed",
                hint="install it: pip install 'memctl-engine[mcp]'",
            ) from None
        raise
    scope = Scope(user, agent, session.session, subagent)
    if session_key is not None:
        scope = Scope.of_session_key(session_key, user=user)
    if sys.stdin is None or sys.stdout is None:
        raise UsageError(
            "standard input or output is closed", hint="a host starts this and talks through them"
        )
    # The thread that waits for the host's next line cannot be interrupted in any other way.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    profile = profile_of(session.address, tools)
    beside = (
        replace(session, address=also).memory(readonly=scope.subagent) if also else nullcontext()
    )
    if session.project is None and profile == "memory":
        session = replace(session, project="auto")
    with session.memory(scope=scope) as memory, beside as other:
        try:
            alone = scope.session is None
            build(memory, profile=profile, also=other, takes_part=alone).run()
        except BaseExceptionGroup as failed:
            if failed.split(BrokenPipeError)[1] is not None:
                raise
            raise BrokenPipeError from failed  # the host has gone away
