"""``memctl mcp`` and ``tokens``: the memory for agents, and whose it is over HTTP."""

from __future__ import annotations

import signal
import sys
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from memctl.base.clock import now
from memctl.base.errors import UsageError
from memctl.base.projects import project_of
from memctl.base.scope import Scope
from memctl.store.pages import page_of
from memctl.working.session_names import session_in
from memctl_cli.access_tokens import Grant, NamedTokens, digest_of, new_token, own_token
from memctl_cli.call import Answer, Call
from memctl_cli.command import Commands
from memctl_cli.commands.options import Agent, Limited, Text, Tools, User
from memctl_cli.completed_values import offered
from memctl_cli.output.records import listed
from memctl_cli.serving import Gate, check_url, listen, serve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl_cli.mcp.server import MemoryServer

tokens = Commands(help="Bearer tokens of mcp --http: add, list, revoke.")

TokenName = Annotated[str, Argument(help="A token's name: the agent that gets it.", metavar="NAME")]


def mcp(
    call: Call,
    user: User = None,
    agent: Agent = None,
    tools: Tools = None,
    also: Annotated[
        Text,
        Option(help="A store whose facts the context reads along.", autocompletion=offered("app")),
    ] = None,
    session_key: Annotated[
        Text, Option(help="A host's key, agent:NAME:CHANNEL; it sets agent and session.")
    ] = None,
    subagent: Annotated[
        bool, Option("--subagent", help="Read-only: every change is refused.")
    ] = False,
    http: Annotated[
        Text,
        Option(metavar="HOST:PORT", help="Serve many agents over HTTP instead; port 0: any free."),
    ] = None,
    allow_remote: Annotated[
        bool, Option("--allow-remote", help="Let other machines reach --http, too.")
    ] = False,
    public_url: Annotated[
        Text, Option(metavar="URL", help="The URL of a proxy before --http, with its own host.")
    ] = None,
) -> None:
    """Serve the memory to an agent over standard input and output, or to many over HTTP.

    Over HTTP each request bears a token: that of MEMCTL_TOKEN, else that in the file mcp-token of
    the home, which the first start makes; or one that "memctl tokens add" has made.
    It needs the extra "mcp" of memctl-engine.

    Example: memctl --app agent mcp --user ann

    Example: memctl --app chromium/united.com mcp --tools screens --also agent

    Example: memctl --app agent mcp --http 127.0.0.1:8765
    """
    if find_spec("mcp") is None:  # it takes a second to import
        raise UsageError(
            "the MCP server is not installed", hint="install it: pip install 'memctl-engine[mcp]'"
        )
    scope = Scope(user, agent, call.session, subagent)
    if session_key is not None:
        scope = Scope.of_session_key(session_key, user=user)
    started = Served(call, scope, tools, also, over_http=http is not None)
    if http is not None:
        _serve_http(started, http, public_url, allow_remote=allow_remote)
    elif public_url is not None or allow_remote:
        raise UsageError("--public-url and --allow-remote are of --http", hint="add --http")
    else:
        _serve_host(started)


@dataclass(frozen=True, slots=True)
class Served:
    """What a server was started with, and opens for who asks it."""

    call: Call
    scope: Scope
    tools: str | None
    also: str | None
    over_http: bool

    @contextmanager
    def open(self, grant: Grant) -> Iterator[MemoryServer]:
        """Open the memory that a token reaches, and a server for it.

        Raises
        ------
        OutOfScopeError
            When the token is for another user, agent, session or project than the server is.
        """
        from memctl_cli.mcp.build import build, profile_of

        call, project = self.call, self.call.project
        profile = profile_of(grant.app or call.address, grant.tools or self.tools)
        if project is None and profile == "memory" and not self.over_http:
            project = "auto"
        scope = replace(self.scope, project=None if project == "none" else project).narrowed(
            user=grant.user, agent=grant.agent, session=grant.session, project=grant.project
        )
        if scope.session is None and self.over_http and scope.project is None:
            # Nobody knows in which of the sessions of all projects they take part who ask.
            scope = replace(scope, session=session_in(scope, None))
        readonly = grant.readonly or scope.subagent
        beside = replace(Scope(grant.user, grant.agent), session=call.session)
        with (
            call.memory(scope=scope, readonly=grant.readonly, address=grant.app) as memory,
            call.memory(
                scope=beside, readonly=readonly, reading=call.named and readonly, address=self.also
            )
            if self.also
            else nullcontext() as other,
        ):
            yield build(memory, profile=profile, also=other, takes_part=scope.session is None)


def _serve_host(served: Served) -> None:
    if sys.stdin is None or sys.stdout is None:
        raise UsageError(
            "standard input or output is closed", hint="a host starts this and talks through them"
        )
    # The thread that waits for the host's next line cannot be interrupted in any other way.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    with served.open(Grant()) as server:
        try:
            server.run()
        except BaseExceptionGroup as failed:
            if failed.split(BrokenPipeError)[1] is not None:
                raise
            raise BrokenPipeError from failed  # the host has gone away


def _serve_http(
    served: Served, address: str, public_url: str | None, *, allow_remote: bool
) -> None:
    call, home = served.call, served.call.home_folder
    urls = [f"http://{address}", *([check_url(public_url)] if public_url else [])]
    named = NamedTokens(home)
    with listen(address, allow_remote=allow_remote) as listening:
        token = own_token(home / "mcp-token", make=not named.list())
        from memctl_cli.mcp.over_http import PATH, TokenServers, application

        with served.open(Grant()):  # what is wrong with the store is told before anybody asks
            servers = TokenServers(named, digest_of(token) if token else "", served.open)

        def started(url: str) -> None:
            said = f"{url.rstrip('/')}{PATH}"
            call.print(Answer({"address": said}, said))
            sys.stdout.flush()

        serve(Gate(application(servers), *urls), listening, started)


@tokens.command()
def add(
    call: Call,
    name: TokenName,
    user: User = None,
    agent: Agent = None,
    tools: Tools = None,
    readonly: Annotated[bool, Option("--readonly", help="Every change is refused.")] = False,
) -> Answer:
    """Make a token for one agent, and show it this once: its digest alone is kept.

    It reaches the facts of the agent NAME, if neither --user nor --agent says otherwise; with
    --app, --session or --project, of that store, session or project alone. It holds at once.

    Example: memctl tokens add kai

    Example: memctl --app chromium/united.com tokens add clerk --readonly
    """
    if tools is not None:
        from memctl_cli.mcp.build import profile_of

        profile_of(call.address, tools)
    token = new_token()
    grant = Grant(
        name=name,
        app=call.address if call.named else None,
        user=user,
        agent=name if user is None and agent is None else agent,
        session=call.session,
        # That of this folder: the server is in another one.
        project=project_of(Path.cwd()) if call.project == "auto" else call.project,
        tools=tools,
        readonly=readonly,
        added_at=now(),
        digest=digest_of(token),
    )
    NamedTokens(call.home_folder).add(grant)
    return Answer({"token": token, **grant.described()}, token)


@tokens.command("list")
def list_tokens(call: Call, limit: Limited = None) -> Answer:
    """List the tokens and what each reaches, what was added last first; no token itself is kept.

    Example: memctl tokens list
    """
    newest = sorted(NamedTokens(call.home_folder).list(), key=lambda one: one.added_at)[::-1]
    rows = page_of([grant.described() for grant in newest], call.limit(limit))
    return Answer(rows, listed("token", rows))


@tokens.command()
def revoke(call: Call, name: TokenName) -> Answer:
    """Revoke a token: a server that runs refuses it from the next request on.

    Example: memctl tokens revoke kai
    """
    NamedTokens(call.home_folder).revoke(name)
    return Answer({"name": name}, f"Revoked: {name}")
