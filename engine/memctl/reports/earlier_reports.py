"""Figures of an earlier report, read back from its page or its JSON, and what has changed."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memctl.base.counting import sized
from memctl.base.errors import UnusableInputError
from memctl.reports.key_figures import SUMMED_UP, key_figures
from memctl.visual.reading.input_files import quoted, read_limited

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from memctl.reports.answers import Kind, Report

_MOST_BYTES = 256_000_000
_IN_A_PAGE = re.compile(
    rb'<script type="application/json" id="memctl-figures">(.*?)</script>', re.DOTALL
)
_HINT = "name a page that --html wrote, or what --json printed"


@dataclass(frozen=True, slots=True)
class EarlierReport:
    """Key figures of an earlier report by their names, when it was made, and about what.

    ``reports`` are the names of those that it was made of; empty: it does not say.
    """

    made_at: str
    stores: tuple[str, ...]
    figures: Mapping[str, float]
    reports: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None


@dataclass(frozen=True, slots=True)
class FigureChange:
    """One figure then and now; ``kind`` as of a column."""

    name: str
    label: str
    kind: Kind
    before: float
    now: float

    def told(self) -> tuple[str, str, str]:
        """Return both as people read them, and the difference: ``"+12"``, ``"-1.5 points"``.

        The difference is empty where they read alike.
        """
        before, now = (_figure(value, self.kind) for value in (self.before, self.now))
        by = self.now - self.before
        if before == now:
            return before, now, ""
        if self.kind == "share":
            return before, now, f"{100 * by:+.1f} points"
        return before, now, ("+" if by > 0 else "-") + _figure(abs(by), self.kind)


@dataclass(frozen=True, slots=True)
class ReportChanges:
    """What has changed since an earlier report.

    Parameters
    ----------
    made_at
        When the earlier one was made.
    changes
        Every figure that both have, the unchanged included; not those that add up what reports
        say, where they are made of other reports.
    remark
        That it was about other stores, another time or other reports; empty where it was about
        the same.
    """

    made_at: str
    changes: tuple[FigureChange, ...]
    remark: str


def plain_figures(reports: Sequence[Report]) -> dict[str, Any]:
    """Return the key figures of reports as JSON holds them: what `read_earlier` reads back."""
    return {**_about(reports), "figures": {one.name: one.value for one in key_figures(reports)}}


def read_earlier(path: str | os.PathLike[str]) -> EarlierReport:
    """Read the figures of an earlier report.

    Parameters
    ----------
    path
        A page, or the output of ``memctl --json report``.

    Raises
    ------
    UnusableInputError
        When there is no such file, it cannot be read, or holds no figures of a report.
    """
    data = read_limited(path, most=_MOST_BYTES, what="a report")
    found = _IN_A_PAGE.search(data)
    try:
        made = json.loads(found[1] if found else data)
        held = made if found else made["figures"]
        return EarlierReport(
            str(held["made_at"]),
            tuple(map(str, held["stores"])),
            {str(name): _finite(value) for name, value in held["figures"].items()},
            tuple(map(str, held.get("reports", ()))),
            *(str(at) if (at := held.get(end)) else None for end in ("since", "until")),
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UnusableInputError(f"{quoted(path)} is no report", hint=_HINT) from None


def compare(earlier: EarlierReport, reports: Sequence[Report]) -> ReportChanges:
    """Return how the key figures of these reports differ from those of an earlier one."""
    now = key_figures(reports)
    about = _about(reports)
    others = bool(earlier.reports) and set(earlier.reports) != set(about["reports"])
    changes = [
        FigureChange(one.name, one.label, one.kind, earlier.figures[one.name], one.value)
        for one in now
        if one.name in earlier.figures and not (others and one.name in SUMMED_UP)
    ]
    missing = [one.label for one in now if one.name not in earlier.figures]
    remarks = []
    if set(about["stores"]) != set(earlier.stores):
        remarks.append(
            f"the earlier report was about other stores: {', '.join(earlier.stores) or 'none'}"
        )
    if (earlier.since, earlier.until) != (about["since"], about["until"]):
        remarks.append(f"the earlier report was about {_span(earlier)}")
    if others:
        remarks.append(f"the earlier report was made of others: {', '.join(earlier.reports)}")
    if missing:
        remarks.append(f"not in the earlier report: {', '.join(missing)}")
    return ReportChanges(earlier.made_at, tuple(changes), "; ".join(remarks))


def _about(reports: Sequence[Report]) -> dict[str, Any]:
    """Return when reports were made, and about what."""
    first = reports[0] if reports else None
    return {
        "made_at": first.made_at if first else "",
        "stores": list(first.stores) if first else [],
        "reports": [report.name for report in reports],
        "since": first.since if first else None,
        "until": first.until if first else None,
    }


def _finite(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(value)
    return number


def _span(earlier: EarlierReport) -> str:
    ends = [("from", earlier.since), ("until", earlier.until)]
    named = [f"{word} {at[:16].replace('T', ' ')}" for word, at in ends if at]
    return f"the time {' '.join(named)}" if named else "all time"


def _figure(value: float, kind: Kind) -> str:
    if kind == "share":
        return f"{value:.1%}"
    return sized(value) if kind == "bytes" else f"{value:,.1f}".removesuffix(".0")
