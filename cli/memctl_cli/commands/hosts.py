"""``memctl hook``, ``mcp`` and ``tokens``: what a host calls, and the lines that make it do so."""

from __future__ import annotations

import shlex
import signal
import sys
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from memctl.base.errors import UsageError
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

    from memctl_cli.hooks.host_files import HostFile
    from memctl_cli.mcp.server import MemoryServer
    from memctl_cli.output.console import Console

hook = Commands(
    help="What a host (Claude Code, Codex, Cursor, OpenClaw) calls at each turn; JSON on standard input. "
    "Silent where there is nothing to say, and never an error that blocks a host."
)

Host = Annotated[
    str,
    Argument(help="claude-code, codex, cursor or openclaw.", autocompletion=offered("host")),
]
DryRun = Annotated[bool, Option("--dry-run", help="Show what would change; change nothing.")]

_EVENTS = {
    "prompt": "Answer a prompt with its context, and log it.",
    "reply": "Log a reply.",
    "tool": "Keep what a tool was called with, and how it went.",
    "compact": "Keep a snapshot of the journal before a compaction.",
    "start": "Begin a session; answer with what is going on.",
    "end": "End a session.",
}


@dataclass(frozen=True, slots=True)
class HostChanges:
    """What was changed in a host's files, or would be: differences, the scope, remarks."""

    host: str
    written: bool
    files: tuple[HostFile, ...]
    scope: str
    remarks: tuple[str, ...]


@hook.command()
def install(
    call: Call,
    host: Host,
    write: Annotated[
        bool, Option("--write", help="Write them into the host's files; backups are kept.")
    ] = False,
    dry_run: DryRun = False,
    project: Annotated[
        Text, Option(help="Whose project: NAME, auto (of each folder) or none.")
    ] = None,
) -> Answer:
    """Print the lines that a host's configuration needs, or write them into it.

    Example: memctl hook install claude-code

    Example: memctl hook install claude-code --write --project auto
    """
    from memctl_cli.hooks.install import lines_for

    call.project = project or call.project
    if write or dry_run:
        return _change(call, host, write=not dry_run)
    made = lines_for(host, shlex.join(["memctl", *_options(call)]))
    return Answer(made, f"Into {made.file}:\n\n{made.text}")


@hook.command()
def uninstall(call: Call, host: Host, dry_run: DryRun = False) -> Answer:
    """Take back what "install --write" has put into a host's configuration.

    Example: memctl hook uninstall claude-code
    """
    return _change(call, host, write=not dry_run, away=True)


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
            When the token is for a user or an agent that the server was not started for.
        """
        from memctl_cli.mcp.build import build, profile_of

        call = self.call
        profile = profile_of(grant.app or call.address, grant.tools or self.tools)
        project = grant.project or call.project
        if project is None and profile == "memory" and not self.over_http:
            project = "auto"
        project = None if project == "none" else project
        scope = self.scope.narrowed(user=grant.user, agent=grant.agent)
        scope = replace(scope, session=grant.session or scope.session, project=project)
        if scope.session is None and self.over_http and project is None:
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


tokens = Commands(help="Bearer tokens of mcp --http: add, list, revoke.")

TokenName = Annotated[str, Argument(help="A token's name: the agent that gets it.", metavar="NAME")]


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
    from memctl.base.clock import now
    from memctl.base.projects import project_of

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


def _program() -> list[str]:
    """Return the words that call memctl from any folder, whatever PATH a host has."""
    called = Path(sys.argv[0]).absolute()
    if called.stem == "memctl" and called.is_file():
        return [str(called)]
    found = which("memctl")
    return [found] if found else [sys.executable, "-m", "memctl"]


def _options(call: Call) -> list[str]:
    """Return the options of the program that a hook of this call has, too."""
    # A host calls it from any folder.
    home = ["--home", str(Path(call.home).expanduser().absolute())] if call.home else []
    project = ["--project", call.project] if call.project else []
    return [*home, *project, *(["--app", call.address] if call.named else [])]


def _change(call: Call, host: str, *, write: bool, away: bool = False) -> Answer:
    """Change a host's files, or take that back; answer with the differences and the project."""
    from memctl.base.home import usual_home
    from memctl_cli.hooks.host_files import install_in, uninstall_from
    from memctl_cli.hooks.install import NEXT, changes_for, scope_of

    command = shlex.join([*_program(), *_options(call)])
    # A host is its user's, whatever store it is given.
    receipt = usual_home() / "hosts" / f"{host}.json"
    change = uninstall_from if away else install_in
    files, remarks = change(changes_for(host, command), receipt, write=write)
    scope = "" if away else scope_of(host, call.project)
    if not away and host in NEXT:
        remarks.append(NEXT[host])

    def show(console: Console) -> None:
        for file in files:
            console.print(file.difference, soft_wrap=True)
            if write and file.backup:
                console.print(f"before: {file.backup}", soft_wrap=True)
        nothing = [] if files else ["nothing to change"]
        for line in (*nothing, *remarks, *filter(None, [scope])):
            console.print(line, soft_wrap=True)

    return Answer(HostChanges(host, write, tuple(files), scope, tuple(remarks)), show)


def _add_event(name: str, summary: str) -> None:
    def event(call: Call) -> None:
        from memctl_cli.hooks.run import run_hook

        call.named = True
        settings = [f"--set={key}={value}" for key, value in call.flags.items()]
        sys.exit(run_hook([*settings, *_options(call), "hook", name]))

    event.__doc__ = f"{summary}\n\n    Example: memctl hook {name} < call.json\n"
    hook.command(name)(event)


for _name, _summary in _EVENTS.items():
    _add_event(_name, _summary)
