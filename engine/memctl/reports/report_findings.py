"""Findings: defects read off a report's answers, each with the command that mends it.

A rule looks at one answer and names, for every store, the worst case. Words in capitals are
the reader's to fill in.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from memctl.reports.answers import Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from memctl.reports.answers import Answer

__all__ = ["findings_of"]

Row = dict[str, Any]

# Said of a component or fact only when its end is this near.
_FEW_MISSES = 3
_FEW_DAYS = 7
# Fewer recalls, looks or finds than this are too few to speak of a share.
_ENOUGH = 10
_MANY_EMPTY = 0.2
_FEW_RECOGNISED = 0.5
_MANY_SUSPECT = 0.1
_MUCH_OF_THE_FILE = 0.5


def findings_of(answers: Iterable[Answer], commands: Mapping[str, str]) -> tuple[Finding, ...]:
    """Return the findings of a report's answers, in their order.

    Parameters
    ----------
    commands
        How a command about each store begins: ``memctl --app A``.
    """
    return tuple(
        Finding(row["store"], subject, text, f"{commands[row['store']]} {mend}")
        for answer in answers
        if (rule := _RULES.get(answer.name))
        for row, (subject, text, mend) in _first_of_each_store(rule, answer)
    )


def _first_of_each_store(
    rule: Callable[[Row], tuple[str, str, str] | None], answer: Answer
) -> Iterator[tuple[Row, tuple[str, str, str]]]:
    said: set[tuple[str, str]] = set()
    for row in answer.records():
        found = rule(row)
        if found and (row["store"], found[0]) not in said:
            said.add((str(row["store"]), found[0]))
            yield row, found


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _lack(row: Row) -> tuple[str, str, str] | None:
    if not row["lacking"]:
        return None
    number = f"{row['lacking']} of {row['total']}"
    if row["lack"] == "newest features":
        return (
            "outdated looks",
            f"{number} looks have no features, or older ones than others",
            "doctor --fix",
        )
    if (row["kind"], row["lack"]) == ("states", "a name"):
        return (
            "nameless states",
            f"{number} states have no name",
            (f"states rename {row['first_id']} NAME"),
        )
    return None


def _stale(row: Row) -> tuple[str, str, str] | None:
    if row["pinned"] == "yes":
        return None
    text = f'"{row["name"]}" was missed {_times(row["misses"])} in a row; pin it if it is wanted'
    return "stale components", text, f"components pin {row['component_id']}"


def _duplicate(row: Row) -> tuple[str, str, str]:
    last = row["ids"].rpartition(", ")[2]
    forget = "memory forget" if row["kind"] == "fact" else "episodes forget"
    text = f'"{row["text"]}" is remembered {_times(row["copies"])}'
    return f"duplicate {row['kind']}s", text, f"{forget} {last}"


def _orphan(row: Row) -> tuple[str, str, str] | None:
    if not row["orphans"] or row["kind"] == "states without a transition":
        return None  # the last screen of a walk is one, and nothing is wrong with it
    text = f"{row['orphans']} {row['kind']}: learn a screenshot of their screen again"
    return row["kind"], text, "learn IMAGE"


def _too_much(row: Row) -> tuple[str, str, str] | None:
    if row["what"] != "all facts that hold" or row["least_id"] is None:
        return None
    if row["items"] <= row["limit_items"] and row["tokens"] <= row["limit_tokens"]:
        return None
    text = (
        f"{row['items']} facts of {row['tokens']} tokens: more than anybody looks after; "
        "begin with the least important"
    )
    return "too many facts", text, f"memory forget {row['least_id']}"


def _pending(row: Row) -> tuple[str, str, str]:
    if row["kind"] == "act":
        text = f"the act {row['text']} waits since {row['since_at']}: confirm or discard it"
        return "unconfirmed acts", text, f"transitions commit {row['id']}"
    text = f'"{row["text"]}" waits since {row["since_at"]}: approve or reject it'
    return "facts that wait", text, f"pending approve {row['id']}"


def _size(row: Row) -> tuple[str, str, str] | None:
    if row["part"] != "kept screenshots" or row["share"] <= _MUCH_OF_THE_FILE:
        return None
    text = f"kept screenshots are {row['share']:.0%} of the file: keep fewer from the next on"
    return "kept screenshots", text, "config set keep_screenshots 0"


def _soon_forgotten(row: Row) -> tuple[str, str, str] | None:
    if row["misses_left"] > _FEW_MISSES:
        return None
    text = f'"{row["name"]}" is forgotten once it was missed {_times(row["misses_left"])} more'
    return "nearly forgotten", text, f"components pin {row['component_id']}"


def _soon_expired(row: Row) -> tuple[str, str, str] | None:
    if row["days_left"] > _FEW_DAYS:
        return None
    text = f'"{row["text"][:60]}" expires at {row["expires_at"]}'
    return "nearly expired", text, f"memory update {row['fact_id']} --expires-at never"


def _drift(row: Row) -> tuple[str, str, str] | None:
    if row["alarm"] != "above":
        return None
    where = f"{row['grouping']} {row['group']}"
    text = (
        f'on "{row["screen"]}" {row["value"]:.0%} was missed at {where}, '
        f"{row['centre']:.0%} is usual: learn how it looks now"
    )
    return f"drift by {row['grouping']}", text, "learn IMAGE"


def _empty(row: Row) -> tuple[str, str, str] | None:
    if row["recalls"] < _ENOUGH or row["empty_share"] < _MANY_EMPTY or row["with_fallback"]:
        return None
    text = f"{row['empty_share']:.0%} of recalls bring nothing, and no vectors are asked"
    return "empty recalls", text, "config set fallback store"


def _unknown(row: Row) -> tuple[str, str, str] | None:
    if row["recalls"] < 2:  # noqa: PLR2004  (once is a slip)
        return None
    text = f'"{row["word"]}" was asked for {row["recalls"]} times and stands nowhere'
    return "unknown words", text, f"alias add {shlex.quote(row['word'])} WORD"


def _suspect(row: Row) -> tuple[str, str, str] | None:
    if row["finds"] < _ENOUGH or row["share"] < _MANY_SUSPECT:
        return None
    text = f'"{row["name"]}" was found {_times(row["suspect"])} weakly and out of place: look at it'
    return "suspicious finds", text, f"components show {row['component_id']}"


def _unrecognised(row: Row) -> tuple[str, str, str] | None:
    few = row["recognised_share"] < _FEW_RECOGNISED
    if row["grouping"] != "all" or row["looks"] < _ENOUGH or not few:
        return None
    text = f"only {row['recognised_share']:.0%} of screenshots show a known screen: learn them"
    return "unknown screens", text, "learn IMAGE"


def _costly(row: Row) -> tuple[str, str, str] | None:
    if row["status"] != "active" or row["high_s"] is None or row["high_s"] >= 0:
        return None
    text = (
        f'"{row["skill"]}" costs {-row["each_s"]:.1f} s a run more than finding the way anew: '
        "put it away, or record it again"
    )
    return "costly skills", text, f"skills archive {row['skill_id']}"


_RULES: Mapping[str, Callable[[Row], tuple[str, str, str] | None]] = {
    "coverage": _lack,
    "stale": _stale,
    "duplicates": _duplicate,
    "orphans": _orphan,
    "tokens": _too_much,
    "pending": _pending,
    "sizes": _size,
    "next_forgotten": _soon_forgotten,
    "next_expired": _soon_expired,
    "drift": _drift,
    "recalls": _empty,
    "unknown_words": _unknown,
    "suspects": _suspect,
    "hit_rate": _unrecognised,
    "skills_worth": _costly,
}
