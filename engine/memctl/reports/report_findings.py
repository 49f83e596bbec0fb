"""Findings: what is wrong, read off a report's answers, one a cause and store.

A rule looks at the rows of one answer for one store. Where a command mends all of the cases,
it is handed out whole, with the one that shows first what it would do; where only a person
can (a name, a screenshot, whether a fact is true), words say what to do.
"""

from __future__ import annotations

import json
import shlex
from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.base.clock import moved
from memctl.base.counting import counted
from memctl.reports.answers import SEVERITIES, Finding, shortened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

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


class _Store(NamedTuple):
    """What a rule may ask of the store that it looks at: its answers, and how commands begin."""

    name: str
    answers: Mapping[str, Rows]
    command: str
    made_at: str
    zone: UserZone

    def day_off(self, days: int) -> str:
        """Return the time so many days after the report was made."""
        return moved(self.made_at, days=days)

    def finding(
        self,
        subject: str,
        severity: Severity,
        cases: int,
        text: str,
        advice: str,
        *,
        worst: Iterable[str] = (),
        since: Iterable[Cell] = (),
        show: str = "",
        mend: str = "",
    ) -> Finding:
        """Return a finding; `since` are times of its cases, and commands begin with their verb."""
        since_at = min((str(at) for at in since if at is not None), default=None)
        shown = tuple(worst)[:_WORST]
        named = f": {', '.join(shown)}" if shown else ""
        if shown and len(shown) < cases:
            named = f", worst{named}"
        return Finding(
            store=self.name,
            subject=subject,
            severity=severity,
            total=cases,
            worst=shown,
            since_at=since_at,
            text=f"{text}{f' since {self.zone.day(since_at)}' if since_at else ''}{named}",
            advice=advice,
            show=f"{self.command} {show}" if self.command and show else "",
            mend=f"{self.command} {mend}" if self.command and mend else "",
        )


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
    findings = [
        finding
        for name in names
        if (rule := _RULES.get(name))
        for store, rows in stores.items()
        if rows[name]
        for finding in rule(rows[name], _Store(store, rows, commands[store], made_at, zone))
    ]
    order = list(SEVERITIES)
    return tuple(sorted(findings, key=lambda finding: order.index(finding.severity)))


def _quoted(text: object) -> str:
    return f'"{shortened(" ".join(str(text).split()), _SHORT)}"'


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _batch(verb: str) -> dict[str, str]:
    """Return the command that mends, and the same one only tried."""
    return {"show": f"{verb} --dry-run", "mend": f"{verb} --yes"}


def _lack(rows: Rows, store: _Store) -> Iterator[Finding]:
    for row in rows:
        number, since = f"{row['lacking']:,} of {row['total']:,}", [row["since_at"]]
        if row["lacking"] and row["lack"] == "newest features":
            yield store.finding(
                "outdated looks",
                "medium",
                row["lacking"],
                f"{number} looks have no features, or older ones than others",
                "let them be computed anew: until then they are found by slower means",
                since=since,
                show="doctor",
                mend="doctor --fix",
            )
        if row["lacking"] and (row["kind"], row["lack"]) == ("states", "a name"):
            yield store.finding(
                "nameless states",
                "low",
                row["lacking"],
                f"{number} states have no name and no page",
                "give each the name that people call it by, with states rename",
                worst=str(row["first_ids"]).split(", "),
                since=since,
                show="states list --unnamed",
            )


def _stale(rows: Rows, store: _Store) -> Iterator[Finding]:
    gone = [row for row in rows if row["misses"] >= _OFTEN_MISSED and row["pinned"] == "no"]
    if gone:
        many = counted(len(gone), "component was", "components were")
        yield store.finding(
            "stale components",
            "medium",
            len(gone),
            f"{many} not seen where expected, {_OFTEN_MISSED} times in a row or more,",
            "pin those that will come back; the others go on costing time until they are forgotten",
            worst=(f"{_quoted(row['name'])} ({_times(row['misses'])})" for row in gone),
            since=(row["last_seen_at"] for row in gone),
            **_batch(f"components forget --missed {_OFTEN_MISSED}"),
        )


def _duplicate(rows: Rows, store: _Store) -> Iterator[Finding]:
    for kind, verb in (("fact", "memory"), ("episode", "episodes")):
        twice = [row for row in rows if row["kind"] == kind]
        if twice:
            total = sum(row["copies"] - 1 for row in twice)
            yield store.finding(
                f"duplicate {kind}s",
                "medium",
                total,
                f"{counted(total, kind)} say what another one says,",
                "keep one of each: the oldest, of facts a pinned one",
                worst=(f"{_quoted(row['text'])} ({_times(row['copies'])})" for row in twice),
                since=(row["since_at"] for row in twice),
                **_batch(f"{verb} forget --duplicates"),
            )


def _orphan(rows: Rows, store: _Store) -> Iterator[Finding]:
    # The last screen of a walk has no transition, one known by its words no component, and what
    # stood on a screen that was forgotten is no loss.
    for row in rows:
        if row["stray"] and row["kind"] == "components in no state":
            yield store.finding(
                row["kind"],
                "low",
                row["stray"],
                f"{row['stray']:,} of {row['total']:,} components belong to no state",
                "learn a screenshot of their screen again, or forget those whose screen is gone",
                worst=map(_quoted, str(row["names"]).split(", ")),
                since=[row["since_at"]],
                show="components list --stateless",
            )


def _pending(rows: Rows, store: _Store) -> Iterator[Finding]:
    before = store.day_off(-_WEEK)
    acts = [row for row in rows if row["kind"] == "act" and row["since_at"] < before]
    if acts:
        yield store.finding(
            "unconfirmed acts",
            "low",
            len(acts),
            f"{counted(len(acts), 'act')} wait for longer than a week to be confirmed,",
            "commit those of which you know where they led; the others teach nothing",
            worst=(_quoted(row["text"]) for row in acts),
            since=(row["since_at"] for row in acts),
            **_batch(f"transitions discard --days {_WEEK}"),
        )
    facts = [row for row in rows if row["kind"] == "fact"]
    if facts:
        yield store.finding(
            "facts that wait",
            "low",
            len(facts),
            f"{counted(len(facts), 'fact')} wait for somebody to judge them",
            "approve those that are true, and reject the others",
            worst=(_quoted(row["text"]) for row in facts),
            since=(row["since_at"] for row in facts),
            show="pending list",
        )


def _size(rows: Rows, store: _Store) -> Iterator[Finding]:
    for row in rows:
        if row["part"] == "kept screenshots" and row["share"] > _MUCH_OF_THE_FILE:
            yield store.finding(
                "kept screenshots",
                "medium",
                1,
                f"kept screenshots are {row['share']:.0%} of the file",
                "keep fewer: lower the setting keep_screenshots, and the next learn drops the others",
                show="config get keep_screenshots",
            )


def _soon_expired(rows: Rows, store: _Store) -> Iterator[Finding]:
    soon = [row for row in rows if row["days_left"] <= _WEEK and row["expires_by"] == "category"]
    if soon:
        ending = {"expires_at": {"lte": store.day_off(_WEEK)}, "expires_by": "category"}
        filters = shlex.quote(json.dumps(ending | {"pinned": False, "immutable": False}))
        yield store.finding(
            "nearly expired",
            "low",
            len(soon),
            f"{counted(len(soon), 'fact')} expire within a week, because their category has an end",
            "pin those that go on being true",
            worst=(f"{_quoted(row['text'])} ({store.zone.day(row['expires_at'])})" for row in soon),
            show=f"memory list --filters {filters}",
        )


def _drift(rows: Rows, store: _Store) -> Iterator[Finding]:
    newest: dict[tuple[str, str], Row] = {}
    for row in sorted(rows, key=lambda row: str(row["last_at"])):
        newest[row["grouping"], row["state_id"]] = row
    # Misses above their band, and what was missed is neither back nor forgotten; a day and a
    # version may be about the same misses.
    drifting = (row for row in newest.values() if row["alarm"] == "above" and row["still"])
    now = sorted({row["state_id"]: row for row in drifting}.values(), key=lambda row: -row["value"])
    if now:
        yield store.finding(
            "drift",
            "high",
            len(now),
            f"{counted(len(now), 'screen lacks', 'screens lack')} more of what is known of it than usual",
            "learn a new screenshot of each, so that its look of today is known",
            worst=(f"{_quoted(row['screen'])} ({row['value']:.0%} missed)" for row in now),
            since=(row["last_at"] for row in now),
            show="components list --stale",
        )


def _empty(rows: Rows, store: _Store) -> Iterator[Finding]:
    waiting = [row for row in store.answers["empty"] if row["answered_at"] is None]
    empty = sum(row["times"] for row in waiting)
    for row in rows:
        if row["recalls"] >= _ENOUGH and empty / row["recalls"] >= _MANY_EMPTY:
            yield store.finding(
                "empty recalls",
                "high",
                empty,
                f"{empty:,} of {row['recalls']:,} recalls brought nothing and were not answered later,",
                "store what was asked for, or give its words an alias that the memory has",
                worst=(
                    f"{_quoted(each['question'])} ({_times(each['times'])})" for each in waiting
                ),
                since=(each["first_asked_at"] for each in waiting),
                show="recalls list --empty",
            )


def _unknown(rows: Rows, store: _Store) -> Iterator[Finding]:
    again = [row for row in rows if row["recalls"] > 1]  # once is a slip
    if again:
        yield store.finding(
            "unknown words",
            "low",
            len(again),
            f"{counted(len(again), 'word was', 'words were')} asked for again and stand nowhere,",
            "store what they mean, or give each an alias: the word that the memory has for it",
            worst=(f"{_quoted(row['word'])} ({_times(row['recalls'])})" for row in again),
            since=(row["first_asked_at"] for row in again),
        )


def _suspect(rows: Rows, store: _Store) -> Iterator[Finding]:
    bad = [row for row in rows if row["finds"] >= _ENOUGH and row["share"] >= _MANY_SUSPECT]
    if bad:
        ids = " ".join(shlex.quote(f"#{row['component_id']}") for row in bad[:_ENOUGH])
        yield store.finding(
            "suspicious finds",
            "high",
            len(bad),
            f"{counted(len(bad), 'component was', 'components were')} found weakly and out of place",
            "compare their pictures with the screen: forget what looks like something else there",
            worst=(f"{_quoted(row['name'])} ({row['suspect']} of {row['finds']})" for row in bad),
            since=(row["since_at"] for row in bad),
            show=f"components list {ids}",
        )


def _unrecognised(rows: Rows, store: _Store) -> Iterator[Finding]:
    for row in rows:
        unknown = row["looks"] - row["recognised"] - row["created"]
        known = 1 - unknown / (row["looks"] or 1)
        if row["grouping"] == "all" and row["looks"] >= _ENOUGH and known < _FEW_RECOGNISED:
            yield store.finding(
                "unknown screens",
                "high",
                unknown,
                f"only {known:.0%} of screenshots show a known screen",
                "learn a screenshot of each screen that you look at",
                since=(
                    each["day"]
                    for each in rows
                    if each["recognised"] + each["created"] < each["looks"]
                ),
            )


def _costly(rows: Rows, store: _Store) -> Iterator[Finding]:
    dear = [row for row in rows if row["status"] == "active" and (row["high_s"] or 0) < 0]
    if dear:
        dear.sort(key=lambda row: row["each_s"])
        ids = " ".join(shlex.quote(row["skill_id"]) for row in dear)
        yield store.finding(
            "costly skills",
            "medium",
            len(dear),
            f"{counted(len(dear), 'skill costs', 'skills cost')} more than finding the way anew,",
            "put them away, or record them again by a shorter way",
            worst=(f"{_quoted(row['skill'])} ({-row['each_s']:.1f} s a run)" for row in dear),
            since=(row["since_at"] for row in dear),
            show=f"skills archive {ids} --dry-run",
            mend=f"skills archive {ids}",
        )


_RULES: Mapping[str, Callable[[Rows, _Store], Iterator[Finding]]] = {
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
