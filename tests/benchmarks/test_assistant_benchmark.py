"""Stories of a working life are sound, and are replayed and judged as they say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import benchmarks.assistant
from benchmarks.assistant.replaying import Story, holds, plain_bm25, read_story, replayed
from tests.each import each

FILES = sorted(Path(benchmarks.assistant.__file__).parent.glob("*.jsonl"))


def prompt(hour: int, session: str, project: str, text: str, **judged: list[str]) -> dict[str, Any]:
    said = {"event": "prompt", "at": f"2026-03-02T{hour:02}:00:00+01:00", "kind": "work"}
    where = {"session": session, "project": project, "text": text}
    return {**said, **where, "need": [], "must_not": [], **judged}


TOLD = "We decided that the ferry desk opens at 07:40"
STORY = Story(
    "tiny",
    [
        {
            "at": "2026-03-02T08:00:00+01:00",
            "event": "start",
            "session": "s1",
            "project": "ferry",
            "zone": "Europe/Rome",
            "repository": False,
        },
        prompt(9, "s1", "ferry", TOLD),
        prompt(10, "s2", "ferry", "When does the ferry desk open?", need=["07:40"]),
        prompt(11, "s3", "train", "When does the desk open?", must_not=["07:40"]),
        {"at": "2026-03-02T12:00:00+01:00", "event": "facts", "hold": ["07:40"], "not": []},
    ],
)


@each("file", FILES)
def test_a_story_told_before_what_it_asks_for(file: Path) -> None:
    told: list[str] = []
    for event in read_story(file).events:
        for name in ("need", "must_not", "hold", "not"):
            for part in event.get(name, ()):
                assert any(holds(text, part) for text in told), (event["at"], name, part)
        told += [event["text"]] if "text" in event else []


def test_a_part_counts_at_borders_of_words_alone() -> None:
    assert holds("It runs on host Birch.", "host  birch")
    assert not holds("It takes 16g of it", "6g")


def test_what_hooks_bring_and_keep_is_judged(tmp_path: Path) -> None:
    found = replayed(STORY, tmp_path)
    (_, asked, elsewhere), (look,) = found.outcomes, found.looks
    assert asked.missing == []
    assert (elsewhere.wrong, elsewhere.watched) == ({}, {"07:40": "other project"})
    assert look.held == {"07:40": True}
    assert found.complaints == []


def test_the_rival_brings_earlier_prompts_of_the_project_alone() -> None:
    first, asked, elsewhere = plain_bm25(STORY)
    assert (first.lines, elsewhere.lines) == ([], [])
    assert asked.lines == [f"- {TOLD}"]
    assert (asked.good, asked.missing) == (1, [])
