"""Tables that read at 80 columns."""

from __future__ import annotations

import io
import sys
import tempfile
from collections import Counter
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import cv2
from PIL import Image
from rich.console import Console
from rich.table import Table

import memctl
from benchmarks.apps.environment import CACHE, VERSIONS, NotInstalledError
from benchmarks.realapp.looking import CONDITIONS, LEARNED, WEB_APPS, Shot, shots, web_shots
from benchmarks.realapp.meeting import Pupil
from benchmarks.running import arguments, keep
from memctl_cli.drawing.marks import draw_match

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping, Sequence


# -- report ------------------------------------------------------

CONSOLE = Console(width=80)
Row = dict[str, Any]
_CAPTION = (
    "right: its own screen; other: taken for another; unknown: for none. found: elements of the "
    "document that are known and were found at their place; absent: there and not found; wrong: "
    "components found where the document has another label, kind or row. s: median of a match."
)


def print_learned(title: str, run: Row) -> None:
    """Print what was learned of one version, and how it is called."""
    steps, names = run["steps"], run["names"]
    good = names["understandable"]
    learned = sum(one["learned"] for one in steps)
    CONSOLE.rule(title)
    CONSOLE.print(
        f"{len(steps)} screens, {run['states']} states, {learned} components. "
        f"Interactive elements: {names['elements']}, with a component {names['with_component']}, "
        f"named by label, row or text beside {good} ({_share(good, names['elements'])} of all). "
        f"Median seconds: look {_median(steps, 'look_s')}, learn {_median(steps, 'learn_s')}.",
        highlight=False,
    )


def print_met(met: Mapping[str, Sequence[Row]]) -> None:
    """Print how the screens were met again, condition by condition."""
    table = Table(caption=_CAPTION)
    table.add_column("met again", no_wrap=True)
    for column in ("right", "other", "unknown", "found", "absent", "wrong", "s"):
        table.add_column(column, justify="right")
    for condition, rows in met.items():
        answers = Counter(row["answer"] for row in rows)
        found = sum(row["found"] for row in rows)
        absent, wrong = (sum(len(row[key]) for row in rows) for key in ("absent", "wrong"))
        table.add_row(
            condition,
            *(str(answers[one]) for one in ("right", "other", "unknown")),
            f"{found} ({_share(found, found + absent)})",
            str(absent),
            str(wrong),
            _median(rows, "match_s"),
        )
    CONSOLE.print(table)


def print_worst(met: Mapping[str, Sequence[Row]], most: int) -> None:
    """Print components that were found where the document shows something else."""
    for condition, rows in met.items():
        reasons = Counter(one["why"] for row in rows for one in row["absent"])
        CONSOLE.print(f"{condition}: absent", dict(reasons.most_common(5)), highlight=False)
        wrong = [(row["screen"], one) for row in rows for one in row["wrong"]]
        for screen, one in wrong[:most]:
            there = one["there"] or {"label": "nothing"}
            shown = f"{there.get('label', '')} {there.get('row', '')}".strip()
            CONSOLE.print(f"  {screen}: {one['name']} at {shown}", highlight=False)


def _median(rows: Sequence[Row], key: str) -> str:
    return f"{median(row[key] for row in rows):.2f}"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "-"


# -- main ----------------------------------------------------

MODES = {"with page names": True, "without page names": False}
PICTURES = (("unchanged", "notebook"), ("version 4.6", "notebook"), ("unchanged", "folder"))


def main() -> None:
    """Look at everything, learn and meet it in both modes, print, write the raw figures."""
    options = _options()
    cv2.setNumThreads(1)
    figures: dict[str, Any] = {}
    for name, (requirement, looking) in APPS.items():
        if options.app and name not in options.app.split(","):
            continue
        try:
            looks = looking(options.cache)
        except NotInstalledError as error:
            print(f"skipped: {requirement} cannot be installed from PyPI: {error}", file=sys.stderr)
            continue
        figures[name] = {"app": requirement}
        for mode, named in MODES.items():
            pictures = options.pictures if named and name == "jupyterlab" else None
            run = _run(looks, named=named, pictures=pictures)
            print_learned(f"{requirement}, learned {mode}", run)
            print_met(run["met"])
            if options.worst:
                print_worst(run["met"], options.worst)
            figures[name][mode] = run
    keep("realapp", figures, options.out)


def _options() -> argparse.Namespace:
    parser = arguments(__doc__, "realapp")
    parser.add_argument("--app", help="only these: " + ",".join(APPS))
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of the installations")
    parser.add_argument("--worst", type=int, default=0, help="wrong ones to list a condition")
    parser.add_argument("--pictures", type=Path, help="folder for pictures of what was found")
    return parser.parse_args()


def _looks(cache: Path) -> dict[str, list[Shot]]:
    """Look at all screens in all conditions before anything is measured."""
    looks = {}
    for condition in (LEARNED, *CONDITIONS):
        print(f"looking: JupyterLab {VERSIONS[condition.version]}, {condition.name}", flush=True)
        looks[condition.name] = list(shots(condition, cache))
    return looks


APPS: Mapping[str, tuple[str, Callable[[Path], dict[str, list[Shot]]]]] = {
    "jupyterlab": (f"JupyterLab {VERSIONS[LEARNED.version]}", _looks),
    **{web.app.name: (web.app.requirement, partial(web_shots, web)) for web in WEB_APPS},
}
"""App to what is installed, and to a function that looks at its screens in all conditions."""


def _run(
    looks: Mapping[str, Sequence[Shot]], *, named: bool, pictures: Path | None
) -> dict[str, Any]:
    with (
        tempfile.TemporaryDirectory(prefix="memctl-realapp-") as home,
        memctl.open("realapp", home=home) as memory,
    ):
        pupil = Pupil(memory, named)
        for shot in looks[LEARNED.name]:
            pupil.learn(shot)
        again = [name for name in looks if name != LEARNED.name]
        met = {name: [pupil.meet(shot) for shot in looks[name]] for name in again}
        if pictures is not None:
            _save_pictures(memory, looks, pictures)
        return {
            "states": len(pupil.screens),
            "steps": pupil.steps,
            "names": pupil.names(),
            "met": met,
        }


def _save_pictures(
    memory: memctl.Memory, looks: Mapping[str, Sequence[Shot]], folder: Path
) -> None:
    """Save what matches found on some screens, in 128 colours."""
    folder.mkdir(parents=True, exist_ok=True)
    for condition, screen in PICTURES:
        look = next(one.look for one in looks[condition] if one.screen == screen)
        drawn = draw_match(look.png, memory.match(look, record=False))
        file = folder / f"jupyterlab-{condition}-{screen}.png".replace(" ", "-")
        with Image.open(io.BytesIO(drawn)) as picture:
            picture.quantize(128, dither=Image.Dither.NONE).save(file, optimize=True)


if __name__ == "__main__":
    main()
