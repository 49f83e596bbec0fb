"""Learn real screenshots and meet them again, by the shipped API alone.

    python -m benchmarks.screens --screens DIR --parts looks
    python -m benchmarks.screens --kde DIR --gnome DIR --needles DIR ... --parts again

``--screens`` has rendered pages with the boxes of their DOM; ten looks of each are made, and met by a
store that knows the page and by one that does not. The others have screens of desktops, which are
learned without boxes and met as JPEG, in other sizes, with another clock, on another wallpaper.
Thresholds were chosen on every other page of each app, by name ("tuned on"); the others are "held
out". One thread.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import cv2

from benchmarks.running import arguments, keep, print_table
from benchmarks.screens.desktop import met_again
from benchmarks.screens.rendered import meet_looks
from benchmarks.screens.shots import PageShot, page_shots

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

BOXES = ("DOM", "none")
HALVES = ("tuned on", "held out")
Row = dict[str, Any]


def main(words: Sequence[str] | None = None) -> None:
    """Run what there is data for, print the tables, write the raw figures."""
    parser = arguments(__doc__, "screens")
    parser.add_argument("--screens", type=Path, help="folder of rendered pages")
    parser.add_argument("--kde", type=Path, help="folder of a desktop")
    parser.add_argument("--gnome", type=Path, help="folder of another")
    parser.add_argument("--needles", type=Path, nargs="*", default=[], help="further ones")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=[*PARTS])
    parser.add_argument("--few", type=int, help="so many shots of each folder, to try it")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(words)
    cv2.setNumThreads(1)
    for part in options.parts:
        keep(f"screens-{part}", PARTS[part](options), options.out)


def _looks(options: Any) -> Row:
    apps, runs = _apps(options), dict[str, list[Row]]()
    for boxes in BOXES:
        rows = runs[boxes] = []
        for app, shots in apps.items():
            others = [
                shot for name in apps if name != app for shot in apps[name] if shot.kind == "base"
            ]
            rows += meet_looks(shots, others or shots, with_boxes=boxes == "DOM")
        _print_looks(f"Made looks, boxes: {boxes}", rows)
    return runs


def _again(options: Any) -> Row:
    """Meet each desktop's screens again; those of the others are strangers."""
    shots = _desktops([*options.needles, options.gnome, options.kde], options)
    runs = {}
    for name, own in shots.items():
        others = [shot for key in shots if key != name for shot in shots[key]]
        runs[name] = met_again(own, others, seed=options.seed)
        _print_looks(f"Learned screens met again: {name}", runs[name])
    return runs


PARTS = {
    "looks": _looks,
    "again": _again,
}


def _apps(options: Any) -> dict[str, list[PageShot]]:
    if not options.screens or not (options.screens / "manifest.json").is_file():
        print(f"skipped: no rendered pages in {options.screens or '--screens DIR'}")
        return {}
    shots = page_shots(options.screens)
    by_app = {app: [s for s in shots if s.app == app] for app in sorted({s.app for s in shots})}
    if options.few:
        few = {app: {s.page: 0 for s in some} for app, some in by_app.items()}
        chosen = {app: [*pages][: options.few] for app, pages in few.items()}
        by_app = {a: [s for s in some if s.page in chosen[a]] for a, some in by_app.items()}
    return by_app


def _desktops(folders: Iterable[Path], options: Any) -> dict[str, list[Path]]:
    """Return the shots of each folder that has some."""
    found = {}
    for folder in filter(None, folders):
        if shots := sorted(folder.glob("*.png"))[: options.few]:
            found[folder.name] = shots
        else:
            print(f'skipped: no desktop shots in "{folder}"')
    if not found:
        print("skipped: no desktop shots; see --kde, --gnome and --needles DIR")
    return found


def _print_looks(title: str, rows: Sequence[Row]) -> None:
    """Print how many looks of each kind were recognised, and how many strangers were taken."""
    counts: dict[str, dict[tuple[str, bool], Counter[str]]] = {}
    for row in rows:
        of_look = counts.setdefault(row["look"], {})
        of_look.setdefault((row["half"], row["stranger"]), Counter())[row["answer"]] += 1
    cells = [
        [
            look,
            *(
                _right(of.get((half, strange), Counter()), "none" if strange else "right")
                for half in HALVES
                for strange in (False, True)
            ),
        ]
        for look, of in counts.items()
    ]
    caption = (
        "+n: taken for another page. strangers: refused, by a store that knows all others and "
        "never met them."
    )
    heads = ("look", *(head for half in HALVES for head in (half, "strangers")))
    print_table(title, heads, cells, caption)
    if rows:
        print(f"median ms of a match: {median(row['ms'] for row in rows):.0f}")


def _right(answers: Counter[str], wanted: str) -> str:
    taken = answers["other"]
    return f"{answers[wanted]}/{answers.total()}" + (f" +{taken}" if taken else "")


if __name__ == "__main__":
    main()
