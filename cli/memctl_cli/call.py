"""A call of the program as its commands get it: the store, the answer, the time it began."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer

from memctl.base.errors import (
    MemctlError,
    OlderStoreError,
    RefusedError,
    UnusableInputError,
    UsageError,
)
from memctl.base.home import parse_address
from memctl.base.scope import Scope
from memctl.base.steps import remarks_made
from memctl_cli.output.console import Console
from memctl_cli.output.envelope import envelope, print_json
from memctl_cli.output.words import show_days_of, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from memctl.memory import Memory
    from memctl.store.store import Store

# Commands that work with a broken settings.toml: they name the mistake, or save the rest.
_MENDING = frozenset({"config", "doctor", "backup", "restore", "recover"})
# Rows of a list for a person who asks for no other number.
_SCREENFUL = 20
# Characters; more than any call keeps. A pipe may never end.
_MOST_INPUT = 16_000_000


@dataclass(frozen=True)
class Answer:
    """What a command answers; it is printed once the command has closed its store.

    Parameters
    ----------
    data
        The data of the JSON envelope.
    human
        What people read, or what prints it.
    count
        How many there are, where `data` is no list of them.
    extra
        What stands beside `data` in the envelope.
    dry_run
        Whether it was only tried.
    exit_code
        What the process ends with.
    command
        The command's name, where it is not the one that was typed.
    """

    data: Any
    human: str | Callable[[Console], None]
    count: int | None = None
    extra: Mapping[str, Any] | None = None
    dry_run: bool = False
    exit_code: int = 0
    command: str | None = None


class Call(typer.Context):
    """One call of a command.

    Attributes
    ----------
    home, address, session
        As the options name them; a URL in the address is reduced to its site.
    named
        Whether an option names the address.
    project
        ``auto``: that of the folder that the program is called in; ``none`` or ``None``: all.
    flags
        Settings for this call only.
    as_json
        Whether the answer is JSON.
    """

    home: str | None = None
    address: str = "agent"
    session: str | None = None
    project: str | None = None
    named: bool = False
    as_json: bool = False

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.started = time.perf_counter()
        self.flags: dict[str, str] = {}
        above = self.parent
        if isinstance(above, Call):
            for name in ("home", "address", "session", "project", "named", "as_json", "flags"):
                setattr(self, name, getattr(above, name))

    def begin(
        self,
        home: str | None,
        address: str | None,
        session: str | None,
        project: str | None,
        settings: Sequence[str],
        as_json: bool,
    ) -> None:
        """Take over the program's options."""
        for pair in settings:
            key, equals, value = pair.partition("=")
            if not equals:
                raise UsageError(
                    f'--set "{pair}" is not KEY=VALUE', hint='see "memctl config list"'
                )
            self.flags[key] = value
        self.home, self.session, self.project, self.as_json = home, session, project, as_json
        self.address = str(parse_address("agent" if address is None else address))
        self.named = address is not None

    @property
    def words(self) -> str:
        """The words of the command: ``learn``, ``config set``."""
        return self.command_path.partition(" ")[2]

    def working_in(self, project: str | None = None) -> str | Path | None:
        """Return a project, else that of the call, as `memctl.open` takes it: a name or a folder."""
        named = project or self.project
        if named == "auto":
            from pathlib import Path

            return Path.cwd()
        return None if named == "none" else named

    def look_at(self, source: str) -> None:
        """Work on the store of a URL's site, where no option names another."""
        from memctl.drivers.live_sources import is_url

        if not self.named and is_url(source):
            from memctl.drivers.page_errors import site_of

            self.address = site_of(source)

    def memory(
        self,
        *,
        readonly: bool = False,
        reading: bool | None = None,
        existing: bool = False,
        scope: Scope | None = None,
        address: str | None = None,
    ) -> Memory:
        """Open the store of this call, for everybody in it or for `scope`.

        A store of an earlier memctl is brought up to date first, by reading commands too: its
        user cannot know which command writes.

        Parameters
        ----------
        reading
            Whether the command answers from what is there; one that is read-only does by default.
        address
            Another store.

        Raises
        ------
        NotFoundError
            When the store has to be `existing`, or is named and read, and is not there: a misspelt
            address makes no file, and is not answered as if nothing were known.
        """
        named = address or self.address
        memory = self._opened(named, scope or Scope(session=self.session), readonly=readonly)
        if readonly and _is_older(memory.store):
            with self._opened(named, Scope(), readonly=False) as elder:
                elder.store.connection()
        reads = readonly if reading is None else reading
        if existing or ((self.named or address is not None) and reads):
            memory.store.connection()
        return memory

    def _opened(self, address: str, whose: Scope, *, readonly: bool) -> Memory:
        import memctl

        memory = memctl.open(
            address,
            self.home,
            readonly=readonly,
            settings=self.flags,
            user=whose.user,
            agent=whose.agent,
            session=whose.session,
            subagent=whose.subagent,
            project=self.working_in(whose.project),
        )
        memory.store.unsealed = self.words == "doctor"
        if self.words.partition(" ")[0] not in _MENDING:
            memory.settings.check_home()
            memory.store.before_closing(lambda store: show_days_of(store.zone))
        return memory

    @property
    def home_folder(self) -> Path:
        """The folder of all stores."""
        from memctl.base.home import default_home

        return default_home(self.home)

    @property
    def in_store(self) -> str:
        """`` in "agent"``, where no option names the store that a call fills."""
        return "" if self.named else f' in "{self.address}"'

    def limit(self, asked: int | None) -> int | None:
        """Return the most rows of a list: those asked for, else a screenful; in JSON all of them."""
        return asked if asked is not None or self.as_json else _SCREENFUL

    def print(self, answer: Answer) -> None:
        """Print an answer: the JSON envelope, or what people read."""
        if self.as_json:
            extra = {**({"dry_run": True} if answer.dry_run else {}), **(answer.extra or {})}
            if warnings := remarks_made():
                extra["warnings"] = warnings
            ms = (time.perf_counter() - self.started) * 1000
            command = self.words if answer.command is None else answer.command
            print_json(envelope(answer.data, command, self.address, ms, answer.count, extra))
        elif isinstance(answer.human, str):
            Console().print(shown(answer.human), soft_wrap=True)
        else:
            answer.human(Console())

    def confirm(self, question: str, *, yes: bool) -> None:
        """Ask before something is lost.

        Raises
        ------
        RefusedError
            When the answer is no, or nobody can answer and ``--yes`` is missing.
        """
        if yes:
            return
        if self.as_json or not has_a_person():
            raise RefusedError(f"unconfirmed: {question}", hint="add --yes")
        if not typer.confirm(question):
            raise RefusedError("nothing was done", hint="you answered no")

    def pick(self, question: str, rows: Sequence[str], *, hint: str) -> list[int]:
        """Ask a person which of some rows are meant, all at once or one by one; return their places.

        Raises
        ------
        RefusedError
            When the answer is none, or nobody can answer.
        """
        if self.as_json or not has_a_person():
            raise RefusedError(f"unconfirmed: {question}", hint=hint)
        answer = typer.prompt(f"{question} y: all, n: none, s: select", default="n").strip().lower()
        if answer in {"y", "yes"}:
            return [*range(len(rows))]
        if answer not in {"s", "select"}:
            raise RefusedError("nothing was done", hint="you answered no")
        return [place for place, row in enumerate(rows) if typer.confirm(row)]

    def choose(self, question: str, rows: Sequence[str]) -> int | None:
        """Ask a person which of some rows is meant; return its place, ``None`` for none or nobody."""
        if self.as_json or not has_a_person():
            return None
        for number, row in enumerate(rows, start=1):
            typer.echo(f"{number}  {row}")
        typed = typer.prompt(f"{question} A number, or nothing", default="", show_default=False)
        return int(typed) - 1 if typed.isdecimal() and 0 < int(typed) <= len(rows) else None


def read_input(hint: str) -> str:
    """Return the text that is sent to standard input.

    Raises
    ------
    UnusableInputError
        When it is closed or does not end; `hint` names what to send.
    """
    if sys.stdin is None:
        raise UnusableInputError("standard input is closed", hint=hint)
    text = sys.stdin.read(_MOST_INPUT + 1)
    if len(text) > _MOST_INPUT:
        raise UnusableInputError(
            f"standard input is too large: over {_MOST_INPUT:,} characters", hint=hint
        )
    return text


def has_a_person() -> bool:
    """Return whether somebody is there to answer a question."""
    return sys.stdin is not None and sys.stdin.isatty()


def _is_older(store: Store) -> bool:
    try:
        store.connection()
    except OlderStoreError:
        return True
    except MemctlError:
        return False
    return False
