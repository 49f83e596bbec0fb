"""Replay working lives through the hooks of memctl, beside plain BM25 over earlier prompts.

    python -m benchmarks.assistant [FILE ...] [--show] [--rounds 7] [--out DIR]

Without a FILE the two stories of this folder are replayed: an engineer in Kolkata with three
repositories, and an organiser of events in Lisbon with a folder for each client, over the change
of the clocks. The command ``memctl`` beside this Python is called, one process a hook. --show
prints each miss and each wrong line. Raw figures go to ``benchmarks/results/``.

"Needed present" counts what the prompt itself was given; "known by then" also what its session was
told before, at its start or at an earlier prompt.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.assistant.replaying import plain_bm25, prompt_ratio, read_story, replayed
from benchmarks.keeping import FOLDER, keep

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchmarks.assistant.replaying import FactsLook, Outcome, Story

_KINDS = ("own words", "other project", "stale")


def main(words: Sequence[str] | None = None) -> None:
    """Replay each story, print its figures, keep them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.assistant")
    parser.add_argument("files", type=Path, nargs="*", metavar="FILE", help="a story of JSON lines")
    parser.add_argument("--show", action="store_true", help="each miss and each wrong line too")
    parser.add_argument("--rounds", type=int, default=7, help="how often a hook's time is taken")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the raw figures")
    options = parser.parse_args(words)
    files = options.files or sorted(Path(__file__).parent.glob("*.jsonl"))
    figures = {}
    for file in files:
        story = read_story(file)
        with tempfile.TemporaryDirectory(prefix="story-", ignore_cleanup_errors=True) as folder:
            ours = replayed(story, Path(folder))
            ratio = prompt_ratio(story, Path(folder), options.rounds)
        runs = {"memctl": ours.outcomes, "bm25() top 3": plain_bm25(story)}
        figures[story.name] = {
            "prompts": {name: _counted(run) for name, run in runs.items()},
            "by kind": {kind: _counted(run) for kind, run in _by_kind(ours.outcomes).items()},
            "facts": _facts(ours.looks),
            "tokens at starts": round(sum(map(len, ours.starts)) / 4),
            "complaints": ours.complaints,
            "ratio of hook prompt": ratio,
        }
        _print(story, figures[story.name])
        if options.show:
            lines = [*_shown(ours.outcomes), *_shown_facts(ours.looks), *ours.complaints]
            print("\n".join(lines), "\n")
    print(f"raw figures: {keep('assistant', figures, options.out)}")


def _by_kind(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    kinds = sorted({str(one.prompt["kind"]) for one in outcomes})
    return {kind: [one for one in outcomes if one.prompt["kind"] == kind] for kind in kinds}


def _counted(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return the figures of prompts; a pair is so many of so many."""
    needing = [one for one in outcomes if one.prompt["need"]]
    idle = [one for one in outcomes if not one.prompt["need"]]
    wrong = Counter(kind for one in outcomes for kind in one.wrong.values())
    watched = Counter(kind for one in outcomes for kind in one.watched.values())
    return {
        "prompts": len(outcomes),
        "needed present": (sum(not one.missing for one in needing), len(needing)),
        "known by then": (sum(not one.unknown for one in needing), len(needing)),
        "precise": (sum(one.good for one in outcomes), sum(len(one.lines) for one in outcomes)),
        "silent": (sum(not one.lines for one in idle), len(idle)),
        "tokens": (
            round(statistics.median(one.tokens for one in outcomes)),
            round(sum(one.tokens for one in outcomes)),
        ),
        **{kind: (wrong[kind], watched[kind]) for kind in _KINDS},
    }


def _facts(looks: Sequence[FactsLook]) -> dict[str, Any]:
    """Return how many facts are held and how many are wrong, over all looks."""
    held = [found for look in looks for found in look.held.values()]
    wrong = [(look.kinds[part], found) for look in looks for part, found in look.wrong.items()]
    return {
        "held": (sum(held), len(held)),
        "wrong": (sum(found for _, found in wrong), len(wrong)),
        "wrong by kind": {
            kind: (sum(found for name, found in wrong if name == kind), count)
            for kind, count in sorted(Counter(name for name, _ in wrong).items())
        },
        "at the end": len(looks[-1].facts) if looks else 0,
    }


def _print(story: Story, figures: dict[str, Any]) -> None:
    heads = ("prompts", "needed present", "known by then", "precise", "silent", "tokens", *_KINDS)
    print(f"{story.name} ({story.zone})")
    print(f"{'':14}" + "".join(f"{head:>16}" for head in heads))
    for name, one in [*figures["prompts"].items(), *figures["by kind"].items()]:
        cells = (f"{one[head]:>16}" if head == "prompts" else _cell(one, head) for head in heads)
        print(f"{name:14}" + "".join(cells))
    facts = figures["facts"]
    kinds = "; ".join(f"{kind} {_share(*pair)}" for kind, pair in facts["wrong by kind"].items())
    print(f"facts held {_share(*facts['held'])}, wrong {_share(*facts['wrong'])} ({kinds})")
    print(f"active facts at the end: {facts['at the end']}", end="; ")
    print(f"tokens at starts of sessions: {figures['tokens at starts']}", end="; ")
    print(f"hooks that complained: {len(figures['complaints'])}", end="; ")
    print(f"hook prompt / python -c pass: {figures['ratio of hook prompt']:.1f} (processor time)\n")


def _cell(one: dict[str, Any], head: str) -> str:
    text = "{} / {}".format(*one[head]) if head == "tokens" else _share(*one[head])
    return f"{text:>16}"


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole} {part / whole:.0%}" if whole else f"{part}/{whole}"


def _shown(outcomes: Iterable[Outcome]) -> Iterable[str]:
    """Yield the prompts where something went wrong, with what they were given."""
    for one in outcomes:
        useless = [line for line in one.lines if not one.prompt["need"]]
        if one.missing or one.wrong or useless or one.good < len(one.lines):
            yield f"{one.prompt['at'][5:16]} {one.prompt['project']}: {one.prompt['text'][:70]!r}"
            yield f"    missing {one.missing} (untold so far {one.unknown}), wrong {dict(one.wrong)}"
            yield from (f"    {line[:150]}" for line in one.lines)


def _shown_facts(looks: Iterable[FactsLook]) -> Iterable[str]:
    for look in looks:
        yield f"{look.at[5:16]} not held: {[part for part, found in look.held.items() if not found]}"
        yield f"    wrongly held: {[part for part, found in look.wrong.items() if found]}"
        yield from (f"    fact: {' | '.join(fact.splitlines())}" for fact in look.facts)


if __name__ == "__main__":
    main()
