"""LongMemEval-V2 without its reader and judge: whether what is handed over holds the answer.

Beside ``questions.jsonl`` stand ``trajectories.jsonl`` and ``haystacks/lme_v2_small.json``, as its
repository prepares them. Only answers that are phrases count: a letter of a choice, or that a
premise is wrong, stands in no page.
"""

from __future__ import annotations

import json
import re
import time
from collections import defaultdict
from contextlib import closing
from statistics import fmean
from typing import TYPE_CHECKING, Any

from benchmarks.retrieval.measures import percentile
from integrations.longmemeval.memctl_memory import MemctlMemory
from memctl.base.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_HAYSTACK = "haystacks/lme_v2_small.json"
_PHRASES = "norm_phrase"  # how the functions begin that compare phrases
_ID = re.compile(rb'"id"\s*:\s*"([^"]+)"')


def run_trajectories(file: Path) -> list[dict[str, Any]]:
    """Insert each haystack once, ask its questions, print a line for each type, return the figures."""
    folder = file.parent
    for needed in ("trajectories.jsonl", _HAYSTACK):
        if not (folder / needed).exists():
            raise SystemExit(
                f'"{folder}" lacks {needed}; it is at https://github.com/xiaowu0162/LongMemEval-V2'
            )
    questions = {one["id"]: one for one in map(json.loads, file.read_text("utf-8").splitlines())}
    of_haystack: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for question, names in json.loads((folder / _HAYSTACK).read_text("utf-8")).items():
        if question in questions:
            of_haystack[tuple(names)].append(question)
    places = dict(_places(folder / "trajectories.jsonl"))
    figures = []
    for names, asked in of_haystack.items():
        with (
            closing(MemctlMemory({})) as memory,
            (folder / "trajectories.jsonl").open("rb") as lines,
        ):
            for name in names:
                lines.seek(places[name])
                memory.insert(json.loads(lines.readline()))
            figures += [_ask(memory, questions[one]) for one in asked]
    _print(figures)
    return figures


def _places(file: Path) -> Iterator[tuple[str, int]]:
    """Yield where the line of each trajectory begins: all together they do not fit in memory."""
    place = 0
    with file.open("rb") as lines:
        for line in lines:
            if found := _ID.search(line):
                yield found[1].decode(), place
            place += len(line)


def _ask(memory: MemctlMemory, question: dict[str, Any]) -> dict[str, Any]:
    started = time.process_time()
    items = memory.query(question["question"])
    ms = (time.process_time() - started) * 1000
    told = _plain(" ".join(item["value"] for item in items))
    phrases = None
    if str(question.get("eval_function", "")).startswith(_PHRASES):
        phrases = [_plain(part) for part in re.split("[,;]", str(question["answer"]))]
    return {
        "id": question["id"],
        "type": question["question_type"],
        "held": None if phrases is None else all(phrase in told for phrase in phrases),
        "rows": len(items),
        "tokens": sum(estimate_tokens(item["value"]) for item in items),
        "ms": round(ms, 2),
    }


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def _print(figures: list[dict[str, Any]]) -> None:
    print(f"{'':26}{'n':>5}{'phrases':>9}{'held, %':>9}{'rows':>7}{'tokens':>8}{'cpu ms p50':>12}")
    kinds = [*dict.fromkeys(one["type"] for one in figures), "all"]
    for kind in kinds:
        some = [one for one in figures if kind in {one["type"], "all"}]
        told = [one["held"] for one in some if one["held"] is not None]
        held = f"{100 * fmean(told):.1f}" if told else "-"
        rows, tokens = (fmean(one[name] for one in some) for name in ("rows", "tokens"))
        p50 = percentile([one["ms"] for one in some], 0.5)
        print(f"{kind:26}{len(some):5}{len(told):9}{held:>9}{rows:7.1f}{tokens:8.0f}{p50:12.1f}")
