"""Findings: what is wrong, read off a report's answers, one a cause and store.

A rule looks at the rows of one answer for one store. Where a command mends all of the cases,
it is handed out whole, with the one that shows first what it would do; where only a person
can (a name, a screenshot, whether a fact is true), words say what to do.
"""

from __future__ import annotations

import json
import shlex
from collections import defaultdict
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.base.clock import parse_time
from memctl.base.counting import counted
from memctl.reports.answers import SEVERITIES, Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from memctl.base.user_zone import UserZone
    from memctl.reports.answers import Answer, Cell, Severity

Row = dict[str, Any]
Rows = list[Row]

# Missed less often in a row than this is a popup, or a look too early.
_OFTEN_MISSED = 3
# Fewer recalls, looks or finds than this are too few to speak of a share.
_ENOUGH = 10
_MANY_EMPTY = 0.2
_FEW_RECOGNISED = 0.5
_MANY_SUSPECT = 0.1
_MUCH_OF_THE_FILE = 0.5
# Days that a fact has left, and that an act may wait.
_WEEK = 7
_WORST = 3
# Characters of a case, as a finding names it.
_SHORT = 60


class _Found(NamedTuple):
    """What a rule found in one store; of `show` and `mend` without how the commands begin."""

    subject: str
    severity: Severity
    total: int
    text: str
    worst: Sequence[str]
    since_at: str | None
    advice: str
    show: str = ""
    mend: str = ""


class _Told(NamedTuple):
    """What a rule is told beside the rows that it is about: the other answers, and the time."""

    answers: Mapping[str, Rows]
    at: str
    zone: UserZone

    def days_off(self, days: int) -> str:
        """Return the time so many days after the report was made."""
        return parse_time(datetime.fromisoformat(self.at) + timedelta(days=days))


def findings_of(
    answers: Iterable[Answer], commands: Mapping[str, str], made_at: str, zone: UserZone
) -> tuple[Finding, ...]:
    """Return the findings of a report's answers, those of the highest severity first.

    Parameters
    ----------
    commands
        How a command about each store begins: ``memctl --app A``; empty where none leads there.
    made_at, zone
        When the report was made, and whose days it tells.
    """
    stores: dict[str, dict[str, Rows]] = defaultdict(lambda: defaultdict(list))
    names = []
    for answer in answers:
        names.append(answer.name)
        if answer.name in _READ:
            for row in answer.records():
                stores[str(row["store"])][answer.name].append(row)
    found = [
        _finding(store, one, commands[store], zone)
        for name in names
        if (rule := _RULES.get(name))
        for store, held in stores.items()
        if held[name]
        for one in rule(held[name], _Told(held, made_at, zone))
    ]
    order = list(SEVERITIES)
    return tuple(sorted(found, key=lambda one: order.index(one.severity)))


def _finding(store: str, found: _Found, command: str, zone: UserZone) -> Finding:
    since = f" since {zone.day(found.since_at)}" if found.since_at else ""
    worst = tuple(found.worst[:_WORST])
    named = f": {', '.join(worst)}" if worst else ""
    if len(worst) < found.total and worst:
        named = f", worst{named}"
    return Finding(
        store=store,
        subject=found.subject,
        severity=found.severity,
        total=found.total,
        worst=worst,
        since_at=found.since_at,
        text=f"{found.text}{since}{named}",
        advice=found.advice,
        show=f"{command} {found.show}" if command and found.show else "",
        mend=f"{command} {found.mend}" if command and found.mend else "",
    )


def _first(moments: Iterable[Cell]) -> str | None:
    return min((str(one) for one in moments if one is not None), default=None)


def _quoted(text: object) -> str:
    plain = " ".join(str(text).split())
    return f'"{plain[:_SHORT]}…"' if len(plain) > _SHORT else f'"{plain}"'


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _batch(verb: str) -> dict[str, str]:
    """Return the command that mends, and the same one only tried."""
    return {"show": f"{verb} --dry-run", "mend": f"{verb} --yes"}


def _lack(rows: Rows, _: _Told) -> Iterator[_Found]:
    for row in rows:
        number = f"{row['lacking']:,} of {row['total']:,}"
        if row["lacking"] and row["lack"] == "newest features":
            yield _Found(
                "outdated looks",
                "medium",
                row["lacking"],
                f"{number} looks have no features, or older ones than others",
                (),
                row["since_at"],
                "let them be computed anew: until then they are found by slower means",
                "doctor",
                "doctor --fix",
            )
        if row["lacking"] and (row["kind"], row["lack"]) == ("states", "a name"):
            yield _Found(
                "nameless states",
                "low",
                row["lacking"],
                f"{number} states have no name and no page",
                str(row["first_ids"]).split(", "),
                row["since_at"],
                "give each the name that people call it by, with states rename",
                "states list --unnamed",
            )


def _stale(rows: Rows, _: _Told) -> Iterator[_Found]:
    gone = [row for row in rows if row["misses"] >= _OFTEN_MISSED and row["pinned"] == "no"]
    if gone:
        many = counted(len(gone), "component was", "components were")
        yield _Found(
            "stale components",
            "medium",
            len(gone),
            f"{many} not seen where expected, {_OFTEN_MISSED} times in a row or more,",
            [f"{_quoted(row['name'])} ({_times(row['misses'])})" for row in gone],
            _first(row["last_seen_at"] for row in gone),
            "pin those that will come back; the others go on costing time until they are forgotten",
            **_batch(f"components forget --missed {_OFTEN_MISSED}"),
        )


def _duplicate(rows: Rows, _: _Told) -> Iterator[_Found]:
    for kind, verb in (("fact", "memory"), ("episode", "episodes")):
        twice = [row for row in rows if row["kind"] == kind]
        if twice:
            total = sum(row["copies"] - 1 for row in twice)
            yield _Found(
                f"duplicate {kind}s",
                "medium",
                total,
                f"{counted(total, kind)} say what another one says,",
                [f"{_quoted(row['text'])} ({_times(row['copies'])})" for row in twice],
                _first(row["since_at"] for row in twice),
                "keep one of each: the oldest, of facts a pinned one",
                **_batch(f"{verb} forget --duplicates"),
            )


def _orphan(rows: Rows, _: _Told) -> Iterator[_Found]:
    # The last screen of a walk has no transition, one known by its words no component, and what
    # stood on a screen that was forgotten is no loss.
    for row in rows:
        if row["stray"] and row["kind"] == "components in no state":
            yield _Found(
                row["kind"],
                "low",
                row["stray"],
                f"{row['stray']:,} of {row['total']:,} components belong to no state",
                [_quoted(name) for name in str(row["names"]).split(", ")],
                row["since_at"],
                "learn a screenshot of their screen again, or forget those whose screen is gone",
                "components list --stateless",
            )


def _pending(rows: Rows, told: _Told) -> Iterator[_Found]:
    before = told.days_off(-_WEEK)
    acts = [row for row in rows if row["kind"] == "act" and row["since_at"] < before]
    if acts:
        yield _Found(
            "unconfirmed acts",
            "low",
            len(acts),
            f"{counted(len(acts), 'act')} wait for longer than a week to be confirmed,",
            [_quoted(row["text"]) for row in acts],
            acts[0]["since_at"],
            "commit those of which you know where they led; the others teach nothing",
            **_batch(f"transitions discard --days {_WEEK}"),
        )
    facts = [row for row in rows if row["kind"] == "fact"]
    if facts:
        yield _Found(
            "facts that wait",
            "low",
            len(facts),
            f"{counted(len(facts), 'fact')} wait for somebody to judge them",
            [_quoted(row["text"]) for row in facts],
            facts[0]["since_at"],
            "approve those that are true, and reject the others",
            "pending list",
        )


def _size(rows: Rows, _: _Told) -> Iterator[_Found]:
    for row in rows:
        if row["part"] == "kept screenshots" and row["share"] > _MUCH_OF_THE_FILE:
            yield _Found(
                "kept screenshots",
                "medium",
                1,
                f"kept screenshots are {row['share']:.0%} of the file",
                (),
                None,
                "keep fewer: lower the setting keep_screenshots, and the next learn drops the others",
                "config get keep_screenshots",
            )


def _soon_expired(rows: Rows, told: _Told) -> Iterator[_Found]:
    soon = [row for row in rows if row["days_left"] <= _WEEK and row["expires_by"] == "category"]
    if soon:
        ending = {"expires_at": {"lte": told.days_off(_WEEK)}, "expires_by": "category"}
        filters = shlex.quote(json.dumps(ending | {"pinned": False, "immutable": False}))
        yield _Found(
            "nearly expired",
            "low",
            len(soon),
            f"{counted(len(soon), 'fact')} expire within a week, because their category has an end",
            [f"{_quoted(row['text'])} ({told.zone.day(row['expires_at'])})" for row in soon],
            None,
            "pin those that go on being true",
            f"memory list --filters {filters}",
        )


def _drift(rows: Rows, _: _Told) -> Iterator[_Found]:
    newest: dict[tuple[str, str], Row] = {}
    for row in sorted(rows, key=lambda row: str(row["last_at"])):
        newest[row["grouping"], row["state_id"]] = row
    # A day and a version may tell of the same misses.
    now = {row["state_id"]: row for row in newest.values() if _is_drifting(row)}
    if now:
        worst = sorted(now.values(), key=lambda row: -row["value"])
        yield _Found(
            "drift",
            "high",
            len(now),
            f"{counted(len(now), 'screen lacks', 'screens lack')} more of what is known of it than usual",
            [f"{_quoted(one['screen'])} ({one['value']:.0%} missed)" for one in worst],
            _first(row["last_at"] for row in now.values()),
            "learn a new screenshot of each, so that its look of today is known",
            "components list --stale",
        )


def _is_drifting(row: Row) -> bool:
    """Return whether misses are above their band, and what was missed is neither back nor forgotten."""
    return bool(row["alarm"] == "above" and row["still"])


def _empty(rows: Rows, told: _Told) -> Iterator[_Found]:
    waiting = [row for row in told.answers["empty"] if row["answered_at"] is None]
    empty = sum(row["times"] for row in waiting)
    for row in rows:
        if row["recalls"] >= _ENOUGH and empty / row["recalls"] >= _MANY_EMPTY:
            yield _Found(
                "empty recalls",
                "high",
                empty,
                f"{empty:,} of {row['recalls']:,} recalls brought nothing and were not answered later,",
                [f"{_quoted(one['question'])} ({_times(one['times'])})" for one in waiting],
                _first(one["first_asked_at"] for one in waiting),
                "store what was asked for, or give its words an alias that the memory has",
                "recalls list --empty",
            )


def _unknown(rows: Rows, _: _Told) -> Iterator[_Found]:
    again = [row for row in rows if row["recalls"] > 1]  # once is a slip
    if again:
        yield _Found(
            "unknown words",
            "low",
            len(again),
            f"{counted(len(again), 'word was', 'words were')} asked for again and stand nowhere,",
            [f"{_quoted(row['word'])} ({_times(row['recalls'])})" for row in again],
            _first(row["first_asked_at"] for row in again),
            "store what they mean, or give each an alias: the word that the memory has for it",
        )


def _suspect(rows: Rows, _: _Told) -> Iterator[_Found]:
    bad = [row for row in rows if row["finds"] >= _ENOUGH and row["share"] >= _MANY_SUSPECT]
    if bad:
        ids = " ".join(shlex.quote(f"#{row['component_id']}") for row in bad[:_ENOUGH])
        yield _Found(
            "suspicious finds",
            "high",
            len(bad),
            f"{counted(len(bad), 'component was', 'components were')} found weakly and out of place",
            [f"{_quoted(row['name'])} ({row['suspect']} of {row['finds']})" for row in bad],
            _first(row["since_at"] for row in bad),
            "compare their pictures with the screen: forget what looks like something else there",
            f"components list {ids}",
        )


def _unrecognised(rows: Rows, _: _Told) -> Iterator[_Found]:
    for row in rows:
        unknown = row["looks"] - row["recognised"] - row["created"]
        known = 1 - unknown / (row["looks"] or 1)
        if row["grouping"] == "all" and row["looks"] >= _ENOUGH and known < _FEW_RECOGNISED:
            days = (one["day"] for one in rows if one["recognised"] + one["created"] < one["looks"])
            yield _Found(
                "unknown screens",
                "high",
                unknown,
                f"only {known:.0%} of screenshots show a known screen",
                (),
                _first(days),
                "learn a screenshot of each screen that you look at",
            )


def _costly(rows: Rows, _: _Told) -> Iterator[_Found]:
    dear = [row for row in rows if row["status"] == "active" and (row["high_s"] or 0) < 0]
    if dear:
        dear.sort(key=lambda row: row["each_s"])
        ids = " ".join(shlex.quote(row["skill_id"]) for row in dear)
        yield _Found(
            "costly skills",
            "medium",
            len(dear),
            f"{counted(len(dear), 'skill costs', 'skills cost')} more than finding the way anew,",
            [f"{_quoted(row['skill'])} ({-row['each_s']:.1f} s a run)" for row in dear],
            _first(row["since_at"] for row in dear),
            "put them away, or record them again by a shorter way",
            f"skills archive {ids} --dry-run",
            f"skills archive {ids}",
        )


_RULES: Mapping[str, Callable[[Rows, _Told], Iterator[_Found]]] = {
    "coverage": _lack,
    "stale": _stale,
    "duplicates": _duplicate,
    "orphans": _orphan,
    "pending": _pending,
    "sizes": _size,
    "next_expired": _soon_expired,
    "drift": _drift,
    "recalls": _empty,
    "unknown_words": _unknown,
    "suspects": _suspect,
    "hit_rate": _unrecognised,
    "skills_worth": _costly,
}
_READ = {*_RULES, "empty"}
