"""Figures of an earlier report, read back from its page or its JSON, and what has changed."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memctl.base.counting import sized
from memctl.base.errors import UnusableInputError
from memctl.reports.key_figures import key_figures
from memctl.visual.reading.input_files import quoted, read_limited

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from memctl.reports.answers import Kind, Report

__all__ = [
    "EarlierReport",
    "FigureChange",
    "ReportChanges",
    "compare",
    "plain_figures",
    "read_earlier",
]

_MOST_BYTES = 256_000_000
_IN_A_PAGE = re.compile(
    rb'<script type="application/json" id="memctl-figures">(.*?)</script>', re.DOTALL
)
_HINT = "name a page that --html wrote, or what --json printed"


@dataclass(frozen=True, slots=True)
class EarlierReport:
    """Key figures of an earlier report by their names, when it was made, and of which stores."""

    made_at: str
    stores: tuple[str, ...]
    figures: Mapping[str, float]


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
        Every figure that both have, the unchanged included.
    remark
        That it was about other stores or had fewer reports; empty where it was about the same.
    """

    made_at: str
    changes: tuple[FigureChange, ...]
    remark: str


def plain_figures(reports: Sequence[Report]) -> dict[str, Any]:
    """Return the key figures of reports as JSON holds them: what `read_earlier` reads back."""
    first = reports[0] if reports else None
    return {
        "made_at": first.made_at if first else "",
        "stores": list(first.stores) if first else [],
        "figures": {one.name: one.value for one in key_figures(reports)},
    }


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
            {str(name): float(value) for name, value in held["figures"].items()},
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UnusableInputError(f"{quoted(path)} is no report", hint=_HINT) from None


def compare(earlier: EarlierReport, reports: Sequence[Report]) -> ReportChanges:
    """Return how the key figures of these reports differ from those of an earlier one."""
    now = key_figures(reports)
    changes = [
        FigureChange(one.name, one.label, one.kind, earlier.figures[one.name], one.value)
        for one in now
        if one.name in earlier.figures
    ]
    missing = [one.label for one in now if one.name not in earlier.figures]
    stores = set(reports[0].stores) if reports else set()
    remarks = []
    if stores != set(earlier.stores):
        remarks.append(
            f"the earlier report was about other stores: {', '.join(earlier.stores) or 'none'}"
        )
    if missing:
        remarks.append(f"not in the earlier report: {', '.join(missing)}")
    return ReportChanges(earlier.made_at, tuple(changes), "; ".join(remarks))


def _figure(value: float, kind: Kind) -> str:
    if kind == "share":
        return f"{value:.1%}"
    return sized(value) if kind == "bytes" else f"{value:,.1f}".removesuffix(".0")
