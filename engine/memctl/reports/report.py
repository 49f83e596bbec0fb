"""Makes reports: loads what their questions need, once, and asks them in DuckDB."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from memctl.base import clock
from memctl.base.errors import MemctlError, UsageError
from memctl.base.home import Address, parse_address
from memctl.base.near_words import one_of
from memctl.base.user_zone import UserZone
from memctl.reports.answers import Report
from memctl.reports.loading import engine, load, put_request
from memctl.reports.questions import REPORTS, ask, left_out, make_step, needed, questions_of
from memctl.reports.report_findings import findings_of
from memctl.reports.sources import Source, distinct
from memctl.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    import duckdb

    from memctl.base.clock import When
    from memctl.config.setting import Value
    from memctl.reports.answers import Skipped
    from memctl.reports.questions import Question


def make_report(
    name: str,
    sources: Source | Iterable[Source],
    *,
    since: When | None = None,
    until: When | None = None,
    now: When | None = None,
    settings: Mapping[str, Value] | None = None,
) -> Report:
    """Return one report; see `make_reports`."""
    return make_reports([name], sources, since=since, until=until, now=now, settings=settings)[0]


def make_reports(
    names: Iterable[str],
    sources: Source | Iterable[Source],
    *,
    since: When | None = None,
    until: When | None = None,
    now: When | None = None,
    settings: Mapping[str, Value] | None = None,
    progress: Callable[[str], object] = bool,
    memory_limit: str | None = None,
) -> tuple[Report, ...]:
    """Return several reports over the same stores, loaded once.

    Parameters
    ----------
    names
        Of `REPORTS`.
    sources
        One store or many: `sources.store_at`, `sources.stores_at`, `sources.files_in`.
    since, until
        Times: what happened from `since`, up to and without `until`. What a store holds
        (components, states, facts) is always what it holds now.
    now
        What ages are counted to; the clock's time where nothing is said.
    settings
        Values that win over those in force in each store.
    progress
        Called with what is done next, before it is done: once a store, and once a report.
    memory_limit
        How much memory DuckDB takes at most: ``"500MB"``; the rest lies in a private folder
        meanwhile. Four fifths of the machine's by default.

    Raises
    ------
    UsageError
        When there is no such report, or the times are none or backwards.
    MemctlError
        When one store alone is asked and cannot be read. Of several, those that cannot are
        listed in `Report.skipped`.
    """
    request = Request.of(names, since, until, now)
    asked = distinct([sources] if isinstance(sources, Source) else sources)
    zone = zone_of(asked, settings or {})
    window_of(since, until, zone)  # refused before the stores are read
    with engine(memory_limit) as connection:
        began = time.perf_counter()
        read, skipped = load(
            connection, asked, request.columns, progress, settings=settings, alone=len(asked) == 1
        )
        loaded = Loaded(asked, read, skipped, zone, _ms_since(began))
        return ask_reports(connection, request, loaded, progress)


class Request(NamedTuple):
    """What is asked for: reports with their questions, the columns that these need, and times."""

    questions: Mapping[str, Sequence[Question]]
    columns: Mapping[str, tuple[str, ...]]
    steps: Sequence[Question]
    since: When | None
    until: When | None
    made_at: str

    @classmethod
    def of(
        cls, names: Iterable[str], since: When | None, until: When | None, now: When | None
    ) -> Request:
        """Read a request; raises UsageError when there is no such report, or a time is none."""
        asked = {_known(name): questions_of(name) for name in names}
        columns, steps = needed([question for each in asked.values() for question in each])
        for what, when in (("since", since), ("until", until)):
            if when:
                UserZone().told(when, what=what)  # refused before anything is read
        made_at = clock.parse_time(now) if now else clock.now()
        return cls(asked, columns, steps, since, until, made_at)


class Loaded(NamedTuple):
    """Filled tables: rows of these stores, the zone whose days are counted, whether texts are in."""

    sources: Sequence[Source]
    read: tuple[str, ...]
    skipped: tuple[Skipped, ...]
    zone: UserZone
    ms: float
    texts: bool = True


def ask_reports(
    connection: duckdb.DuckDBPyConnection,
    request: Request,
    loaded: Loaded,
    progress: Callable[[str], object] = bool,
) -> tuple[Report, ...]:
    """Return the reports of a request, asked of tables that are filled.

    Raises UsageError when the times are backwards in the zone of the stores.
    """
    window = window_of(request.since, request.until, loaded.zone)
    began = time.perf_counter()
    put_request(connection, request.made_at, window, loaded.zone)
    for step in request.steps:
        make_step(connection, step)
    loading = round(loaded.ms + _ms_since(began), 3)
    commands = _commands(connection, loaded.sources)
    made = []
    for name, questions in request.questions.items():
        progress(f"asking for {name}")
        answers, ms = [], {"load": loading}
        for question in questions:
            began = time.perf_counter()
            answers.append(
                left_out(question)
                if question.needs_texts and not loaded.texts
                else ask(connection, question)
            )
            ms[question.name] = _ms_since(began)
        findings = findings_of(answers, commands, request.made_at, loaded.zone)
        made.append(
            Report(
                name,
                request.made_at,
                *window,
                loaded.read,
                loaded.skipped,
                tuple(answers),
                findings,
                ms,
            )
        )
    return tuple(made)


def _commands(connection: duckdb.DuckDBPyConnection, sources: Iterable[Source]) -> dict[str, str]:
    """Return how a command about each store begins; empty where no address leads to its file."""
    # The row that says what a file is the memory of may have been removed by hand.
    addresses = dict(connection.execute("from origin where address is not null").fetchall())
    return {
        source.name: source.command or _command_of(addresses.get(source.name), source.path)
        for source in sources
    }


def _command_of(address: str | None, path: Path) -> str:
    """Return how a command about a file of a folder begins, where it lies in a home."""
    try:
        return parse_address(address or "").command(path.absolute())
    except UsageError:  # written by hand
        return ""


def zone_of(sources: Sequence[Source], settings: Mapping[str, Value]) -> UserZone:
    """Return the zone whose days are counted: that of the first store which can be read."""
    for source in sources:
        with (
            suppress(MemctlError),
            Store(source.path, Address(source.name), readonly=True) as store,
        ):
            store.flags = {key: str(value) for key, value in settings.items()}
            name = store.said("timezone")
            break
    else:
        name = None
    return UserZone(name or "")


def window_of(
    since: When | None, until: When | None, zone: UserZone
) -> tuple[str | None, str | None]:
    """Return a window of time in UTC; raises UsageError when it is none, or backwards."""
    start = zone.told(since, what="since").at if since else None
    end = zone.told(until, what="until").at if until else None
    if start and end and start >= end:
        raise UsageError(
            f'since "{start}" is not before until "{end}"', hint="name the earlier time first"
        )
    return start, end


def _known(name: str) -> str:
    if name not in REPORTS:
        raise UsageError(f'there is no report "{name}"', hint=one_of(name, REPORTS))
    return name


def _ms_since(began: float) -> float:
    return round((time.perf_counter() - began) * 1000, 3)
