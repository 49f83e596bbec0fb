"""The session of a command: its store, the form of its answer, the time it began."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from memctl.base.errors import MemctlError, OlderStoreError, RefusedError, UsageError
from memctl.base.home import parse_address
from memctl.base.scope import Scope
from memctl_cli.output.console import console
from memctl_cli.output.envelope import print_answer, show_days_of
from memctl_cli.standard_input import has_a_person

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    import typer

    from memctl.memory import Memory
    from memctl.store.store import Store
    from memctl_cli.output.console import Console

# Commands that work with a broken settings.toml: they say what is wrong, or save the rest.
_MENDING = frozenset({"config", "doctor", "backup", "restore", "recover"})


# Rows of a list that a person is shown who asks for no other number.
_SCREENFUL = 20


@dataclass(frozen=True)
class Session:
    """One call of the program.

    Parameters
    ----------
    command
        The first word behind ``memctl``.
    home, address, session
        As the options say; a URL in the address is reduced to its site.
    named
        Whether an option says the address.
    project
        ``auto``: that of the folder that the program is called in; ``none`` or ``None``: all.
    flags
        Settings for this call only.
    as_json
        Answer in JSON.
    """

    command: str
    home: str | None
    address: str
    session: str | None
    flags: dict[str, str]
    as_json: bool
    project: str | None = None
    named: bool = True
    started: float = field(default_factory=time.perf_counter)

    @classmethod
    def of(
        cls,
        command: str,
        *,
        home: str | None,
        address: str | None,
        session: str | None,
        project: str | None,
        settings: Sequence[str],
        as_json: bool,
    ) -> Session:
        """Return the session that the program's options describe."""
        flags = {}
        for pair in settings:
            key, equals, value = pair.partition("=")
            if not equals:
                raise UsageError(
                    f'--set "{pair}" is not KEY=VALUE', hint='see "memctl config list"'
                )
            flags[key] = value
        where = str(parse_address("agent" if address is None else address))
        return cls(
            command, home, where, session, flags, as_json, project, named=address is not None
        )

    def looking_at(self, source: str) -> Session:
        """Return this session, at the store of a URL's site where no option names another."""
        from memctl.drivers.live_sources import is_url

        if self.named or not is_url(source):
            return self
        from memctl.drivers.page_errors import site_of

        return replace(self, address=site_of(source))

    def memory(
        self,
        *,
        readonly: bool = False,
        reading: bool | None = None,
        existing: bool = False,
        scope: Scope | None = None,
    ) -> Memory:
        """Open the store that the options name, for everybody in it or for `scope`.

        A store of an earlier memctl is brought up to date first, by reading commands too: its
        user cannot know which command writes. `reading` says that the command answers from what is
        there, as one that is read-only does by default.

        Raises
        ------
        NotFoundError
            When it has to be `existing`, or is named and read, and is not: a misspelt address
            makes no file, and is not answered as if nothing were known.
        """
        memory = self._opened(scope or Scope(session=self.session), readonly=readonly)
        if readonly and _is_older(memory.store):
            with self._opened(Scope(), readonly=False) as elder:
                elder.store.connection()
        if existing or (self.named and (readonly if reading is None else reading)):
            memory.store.connection()
        return memory

    def _opened(self, whose: Scope, *, readonly: bool) -> Memory:
        import memctl

        memory = memctl.open(
            self.address,
            self.home,
            readonly=readonly,
            settings=self.flags,
            user=whose.user,
            agent=whose.agent,
            session=whose.session,
            subagent=whose.subagent,
            project=self._project,
        )
        if self.command not in _MENDING:
            memory.settings.check_home()
            memory.store.before_closing(lambda store: show_days_of(store.zone))
        return memory

    @property
    def _project(self) -> str | Path | None:
        if self.project == "auto":
            from pathlib import Path

            return Path.cwd()
        return None if self.project == "none" else self.project

    @property
    def unnamed_store(self) -> str:
        """The store that a call fills whose options name none; empty where they do."""
        return "" if self.named else self.address

    @property
    def told_store(self) -> str:
        """What a one-line answer says of that store: `` in "agent"``."""
        return f' in "{self.unnamed_store}"' if self.unnamed_store else ""

    def home_folder(self) -> Path:
        """Return the folder of all stores."""
        from memctl.base.home import default_home

        return default_home(self.home)

    def answer(
        self,
        data: Any,
        human: Callable[[Console], None],
        *,
        command: str = "",
        count: int | None = None,
        extra: Mapping[str, Any] | None = None,
        dry_run: bool = False,
    ) -> None:
        """Print the answer: `data` in the JSON envelope, or what `human` shows of it.

        `extra` stands beside `data` in the envelope: what is said of the whole answer; so does
        that it was only tried.
        """
        if not self.as_json:
            human(console())
            return
        print_answer(
            data,
            command=f"{self.command} {command}".strip(),
            app=self.address,
            duration_ms=(time.perf_counter() - self.started) * 1000,
            count=count,
            extra={**({"dry_run": True} if dry_run else {}), **(extra or {})},
        )

    def limit(self, asked: int | None) -> int | None:
        """Return how many rows of a list are answered: those asked for, else what fits a screen.

        In JSON, which programs read, it is all of them.
        """
        return asked if asked is not None or self.as_json else _SCREENFUL

    def confirm(self, question: str, *, yes: bool) -> None:
        """Ask before something is lost; refused where nobody can answer.

        Raises
        ------
        RefusedError
            When the answer is no, or there is nobody to ask and ``--yes`` is missing.
        """
        if yes:
            return
        if not self.as_json and has_a_person():
            import typer

            if typer.confirm(question):
                return
            raise RefusedError("nothing was done", hint="you answered no")
        raise RefusedError(f"unconfirmed: {question}", hint="add --yes")

    def choose(self, question: str, rows: Sequence[str]) -> int | None:
        """Ask a person which of some rows is meant; return its place, ``None`` for none or nobody."""
        if self.as_json or not has_a_person():
            return None
        import typer

        for number, row in enumerate(rows, start=1):
            typer.echo(f"{number}  {row}")
        said = typer.prompt(f"{question} A number, or nothing", default="", show_default=False)
        return int(said) - 1 if said.isdecimal() and 0 < int(said) <= len(rows) else None


def _is_older(store: Store) -> bool:
    """Return whether a store was written by an earlier memctl."""
    try:
        store.connection()
    except OlderStoreError:
        return True
    except MemctlError:
        return False
    return False


def session_of(context: typer.Context) -> Session:
    """Return the session that the program's callback made."""
    session = context.obj
    assert isinstance(session, Session)  # noqa: S101  (set by the callback before any command)
    return session
