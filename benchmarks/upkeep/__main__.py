"""Damage copies of a store at random: who answers rightly, who says so, what comes back.

    python -m benchmarks.upkeep [--copies 1000] [--kind byte|bytes|zeroed|swapped|cut]
                                [--seed 20] [--out DIR]

Each copy is asked by every command of `benchmarks.upkeep.asking`, each in this process's child,
and recovered, by memctl and by the shell of SQLite where it is installed. An answer is right when
it is that of the undamaged store; exit 5 says damaged. Raw figures go to ``benchmarks/results/``.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections import Counter
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from benchmarks.keeping import FOLDER, keep
from benchmarks.upkeep.asking import (
    QUESTIONS,
    Judged,
    Reply,
    ask,
    in_a_child,
    judge,
    load_everything,
)
from benchmarks.upkeep.bringing_back import brought_back, by_shell, recovered, rows_of
from benchmarks.upkeep.damaging import KINDS, damage
from benchmarks.upkeep.lived_in import APP, SCREENS, make_store
from memctl_cli.demo import bundle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.upkeep.bringing_back import Rows

# Thousands of files are written: in memory, where there is some, none waits for the disk.
_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108
_MADE, _ASKED = "2026-11-20T16:33:04Z", "2026-11-20T17:00:00Z"


class Bench:
    """A store, what it answers, and copies of it in one place."""

    def __init__(
        self, folder: Path, *, turns: int = 150, questions: Sequence[str] = QUESTIONS
    ) -> None:
        self.questions = questions
        os.environ.update(MEMCTL_NOW=_MADE, MEMCTL_BUSY_TIMEOUT_MS="2000")
        self.home = folder / "home"
        self.path = make_store(self.home, turns)
        os.environ["MEMCTL_NOW"] = _ASKED
        self.content = self.path.read_bytes()
        self.rows: Rows = rows_of(self.path)
        screen = folder / "screen.png"
        screen.write_bytes(bundle.shot(SCREENS[0]).png)
        self.places = {"screen": str(screen), "copy": str(folder / "copy.db")}
        self.saved = folder / "saved.db"
        load_everything()
        self.sound = self.replies(self.content)
        self.put(self.content)
        # Debian's shell of SQLite 3.40 brings nothing back, of no file: it is no rival there.
        whole = brought_back(self.rows, by_shell(self.path, self.saved))
        self.shell_recovers = whole["kept"] == whole["rows"]
        wrong = [words for words, reply in self.sound.items() if reply.code]
        if wrong:
            raise RuntimeError(f"the undamaged store fails: {[self.sound[w].line for w in wrong]}")

    def put(self, content: bytes) -> None:
        """Put a file in the place of the store, without a log."""
        for path in (self.home / "apps").iterdir():
            path.unlink()
        Path(self.places["copy"]).unlink(missing_ok=True)
        self.path.write_bytes(content)
        self.path.chmod(0o600)

    def reply(self, content: bytes, words: str) -> Reply:
        """Return the answer of a command to a file."""
        self.put(content)
        return ask(self.home, APP, words, self.places)

    def replies(self, content: bytes) -> dict[str, Reply]:
        """Return the answers of all commands to a file, each in a child where one ends them all."""
        all_at_once = in_a_child(lambda: {one: self.reply(content, one) for one in self.questions})
        if isinstance(all_at_once, dict):
            return all_at_once
        found = {}
        for words in self.questions:
            said = in_a_child(partial(self.reply, content, words))
            found[words] = (
                said if isinstance(said, Reply) else Reply(1, {"error": {"message": said}})
            )
        return found

    def judged(self, content: bytes) -> list[Judged]:
        """Return what every command says of a file."""
        replies = self.replies(content)
        seen = replies["doctor"].code != 0
        return [
            judge(words, self.sound[words], reply, seen_by_doctor=seen)
            for words, reply in replies.items()
        ]

    def saved_by(self, content: bytes) -> dict[str, dict[str, int]]:
        """Return what comes back of a file, by whom."""
        self.put(content)
        ours = in_a_child(lambda: recovered(self.home, APP, self.saved))
        figures = {"memctl": brought_back(self.rows, ours if isinstance(ours, Path) else None)}
        if self.shell_recovers:
            figures["sqlite3 .recover"] = brought_back(self.rows, by_shell(self.path, self.saved))
        return figures


def main(words: Sequence[str] | None = None) -> None:
    """Damage, ask, recover; print the table and keep the raw figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.upkeep")
    parser.add_argument("--copies", type=int, default=1000)
    parser.add_argument("--kind", choices=KINDS, help="one kind of damage; else each in turn")
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the raw figures")
    options = parser.parse_args(words)
    kinds = [options.kind] if options.kind else list(KINDS)
    with tempfile.TemporaryDirectory(prefix="memctl-upkeep-", dir=_MEMORY) as name:
        bench = Bench(Path(name))
        copies = []
        with suppress(KeyboardInterrupt):  # what was measured until then is kept
            for number in range(options.copies):
                kind = kinds[number % len(kinds)]
                content = damage(bench.content, kind, Random(f"{options.seed} {number}"))
                judged = bench.judged(content)
                copies.append({"kind": kind, "judged": judged, "saved": bench.saved_by(content)})
    figures = _figures(copies, bench)
    _show(figures)
    print(f"raw figures: {keep('upkeep', figures, options.out)}")


def _figures(copies: list[dict[str, Any]], bench: Bench) -> dict[str, Any]:
    kinds: dict[str, Any] = {}
    failures: Counter[str] = Counter()
    for copy in copies:
        of_kind = kinds.setdefault(copy["kind"], {"copies": 0, "answers": {}, "saved": {}})
        of_kind["copies"] += 1
        for one in copy["judged"]:
            verdicts = of_kind["answers"]
            verdicts[one.verdict] = verdicts.get(one.verdict, 0) + 1
            if one.verdict == "failure":
                failures[f"{copy['kind']}: {one.command}: {one.why[:160]}"] += 1
        for who, saved in copy["saved"].items():
            sums = of_kind["saved"].setdefault(who, dict.fromkeys(saved, 0) | {"nothing": 0})
            for what, number in saved.items():
                sums[what] += number
            sums["nothing"] += not saved["kept"]
    return {
        "bytes": len(bench.content),
        "commands": list(bench.questions),
        "kinds": kinds,
        "failures": dict(failures.most_common()),
    }


def _show(figures: dict[str, Any]) -> None:
    print(f"a store of {figures['bytes']:,} bytes, {len(figures['commands'])} commands a copy\n")
    print(
        f"{'kind':10}{'copies':>7}{'right':>8}{'damaged':>9}{'unseen':>8}{'failure':>9}  rows back"
    )
    for kind, of_kind in figures["kinds"].items():
        answers = [of_kind["answers"].get(v, 0) for v in ("right", "damaged", "unseen", "failure")]
        right, damaged, unseen, failure = answers
        back = ", ".join(
            f"{who} {100 * saved['kept'] / max(saved['rows'], 1):.2f} % (+{saved['other']})"
            for who, saved in of_kind["saved"].items()
        )
        line = f"{kind:10}{of_kind['copies']:7}{right:8}{damaged:9}{unseen:8}{failure:9}  {back}"
        print(line)
    for line, number in figures["failures"].items():
        print(f"  {number:5} x {line}")


if __name__ == "__main__":
    main()
