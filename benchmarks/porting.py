"""Measure an import: its rate against a bare insert of the same rows, and its largest memory.

    python -m benchmarks.porting [--counts 10000 30000 100000] [--kinds mixed turns]

Each figure is of a process of its own, which reads the same JSON Lines: ``memctl`` imports them,
``sqlite-utils`` (the library) inserts each as a row of one table, and inserts and indexes their texts
in FTS5. The three come one after the other, so that a busy machine slows each; the ratio is that of
their processor time.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.corpus import KINDS, write_records
from benchmarks.running import arguments, keep, print_table, timed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


# -- main ----------------------------------------------------

_TEXTS = ("text", "summary", "details")


def main(words: Sequence[str] | None = None) -> None:
    """Import, insert and index as many records as asked for; print rates, ratios and memory."""
    parser = arguments(__doc__, "porting")
    parser.add_argument("--counts", type=int, nargs="+", default=[10_000, 30_000, 100_000])
    parser.add_argument("--kinds", nargs="+", default=["mixed", "turns"], choices=KINDS)
    parser.add_argument("--one", nargs=3, help="a way, a source and a target: in this process")
    options = parser.parse_args(words)
    if options.one:
        print(json.dumps(_measured(*options.one)))
        return
    figures = [_compared(kind, count) for kind in options.kinds for count in options.counts]
    rows = [
        (
            *(one["kind"], f"{one['records']:,}", f"{one['memctl']['rate']:,.0f}"),
            *(f"{one['insert']['rate']:,.0f}", f"{one['times_insert']:.1f}"),
            *(f"{one['index']['rate']:,.0f}", f"{one['times_index']:.1f}"),
            f"{one['memctl']['mb']:.0f}",
        )
        for one in figures
    ]
    heads = ("", "records", "memctl/s", "insert/s", "times", "with FTS5", "times", "MB")
    print_table("records a second of the processor", heads, rows)
    keep("porting", figures, options.out)


def _compared(kind: str, count: int) -> dict[str, Any]:
    """Return what each way costs for the same records."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "records.jsonl"
        write_records(source, kind, count)
        each = {way: _in_a_process(way, source, Path(folder)) for way in WAYS}
    for one in each.values():
        one["rate"] = count / one["cpu_s"]
    return {
        "kind": kind,
        "records": count,
        **each,
        "times_insert": each["memctl"]["cpu_s"] / each["insert"]["cpu_s"],
        "times_index": each["memctl"]["cpu_s"] / each["index"]["cpu_s"],
    }


def _in_a_process(way: str, source: Path, folder: Path) -> dict[str, Any]:
    done = subprocess.run(  # noqa: S603  (this benchmark)
        [sys.executable, "-m", "benchmarks.porting", "--one", way, source, folder / way],
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _measured(way: str, source: str, target: str) -> dict[str, Any]:
    took, taken = timed(lambda: WAYS[way](Path(source), Path(target)))
    return {
        "wall_s": took.wall / 1000,
        "cpu_s": took.cpu / 1000,
        "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "taken": taken,
    }


def _import(source: Path, target: Path) -> dict[str, int]:
    import memctl

    with memctl.open("harbor", target) as memory:
        imported = memory.import_from(source)
    return {**imported.taken, "refused": imported.refusals}


def _insert(source: Path, target: Path, *, indexed: bool = False) -> dict[str, int]:
    from sqlite_utils import Database

    with Database(target) as database:
        table = database.table("record")
        table.insert_all(_rows(source), alter=True)
        if indexed:
            table.enable_fts([name for name in _TEXTS if name in table.columns_dict])
        return {"row": table.count}


def _index(source: Path, target: Path) -> dict[str, int]:
    return _insert(source, target, indexed=True)


def _rows(source: Path) -> Iterator[dict[str, Any]]:
    with source.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


WAYS: dict[str, Callable[[Path, Path], dict[str, int]]] = {
    "memctl": _import,
    "insert": _insert,
    "index": _index,
}


if __name__ == "__main__":
    main()
