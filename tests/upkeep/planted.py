"""Two lives in one store: rows of every table, and a needle in every column that holds a text."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from memctl.search.erased_cells import QUOTING, rules

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

__all__ = ["MEMORIES", "plant", "rows_of"]

DAY = "2026-01-0{n}T12:00:00Z"
# Tables whose rows are chosen by themselves; all others go along, or quote one of these.
MEMORIES = ("log", "episode", "fact", "component", "state")
_GOING_ALONG: tuple[str, ...] = (
    "embedding",
    "fact_history",
    "fact_support",
    "screenshot",
    "state_text",
)
_GOING_ALONG += ("ignored_area", "template", "row_key", "skill", "skill_run_step", "embedding_word")

# Each row with what is not planted; {n} is 1 in the one life and 2 in the other.
ROWS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("log", {"id": "{n}", "seq": "1", "logged_at": DAY, "archived_at": DAY}),
    ("episode", {"id": "{n}", "happened_at": DAY, "archived_at": DAY}),
    ("fact", {"number": "{n}", "id": "f_{n}", "created_at": DAY, "updated_at": DAY, "valid_from": DAY}),
    ("fact_history", {"fact_id": "f_{n}", "event": "ADD", "changed_at": DAY}),
    ("fact_support", {"fact_id": "f_{n}", "supported_at": DAY}),
    ("fact_use", {"number": "{n}", "used_at": DAY}),
    ("alias", {"added_at": DAY}),
    ("cache", {"session": "s", "set_at": DAY}),
    ("candidate", {"id": "{n}", "keep_score": "1", "standing_order": "0", "status": "staged",
                   "first_said_at": DAY, "last_said_at": DAY}),
    ("candidate_word", {"candidate_id": "{n}"}),
    ("dream_run", {"id": "{n}", "kind": "dream", "as_of": DAY, "status": "done", "owner": "",
                   "beat_at": DAY, "started_at": DAY}),
    ("dream_row", {"run_id": "{n}", "relation": "read", "row_id": "{n}"}),
    ("dream_failure", {"session": "s{n}", "attempts": "1", "next_at": DAY}),
    ("dream_signal", {"candidate_id": "{n}", "kind": "session", "day": "d", "score": "1",
                      "heard_at": DAY, "source": "turn:{n}"}),
    ("embedding_model", {"id": "{n}", "name": "m{n}", "fingerprint": "f", "dims": "1",
                         "made_at": DAY}),
    ("embedding", {"model_id": "1", "kind": "turn", "item_id": "{n}", "passage": "0"}),
    ("embedding_word", {"model_id": "1"}),
    ("erasure", {"kind": "turn", "item_id": "9{n}", "erased_at": DAY}),
    ("imported", {"source": "jsonl", "digest": "d{n}", "kind": "alias", "imported_at": DAY}),
    ("journal", {"session": "s", "kind": "task", "written_at": DAY}),
    ("journal_snapshot", {"session": "s", "taken_at": DAY}),
    ("knowledge", {"id": "{n}", "kind": "playbook", "made_at": DAY}),
    ("knowledge_source", {"knowledge_id": "{n}", "fact_id": "f_{n}"}),
    ("recall", {"id": "{n}", "asked_at": DAY, "hits": "1", "duration_ms": "1"}),
    ("recall_hit", {"recall_id": "{n}", "rank": "1", "kind": "turn", "item_id": "{n}",
                    "score": "1"}),
    ("tool_call", {"session": "s", "called_at": DAY}),
    ("component", {"id": "{n}", "scale": "1", "rel_x": "0", "rel_y": "{n}00", "w": "24", "h": "24",
                   "confidence": "1", "learned_at": DAY, "last_seen_at": DAY, "seen_count": "2",
                   "forgotten_at": DAY}),
    ("state", {"id": "s_{n}", "status": "confirmed", "visit_count": "1", "first_seen_at": DAY,
               "last_seen_at": DAY, "img_w": "9", "img_h": "9", "forgotten_at": DAY}),
    ("state_component", {"state_id": "s_{n}", "component_id": "{n}", "defining": "1", "x": "0",
                         "y": "{n}00"}),
    ("state_text", {"state_id": "s_{n}"}),
    ("ignored_area", {"state_id": "s_{n}", "x": "0", "y": "{n}00", "w": "9", "h": "9"}),
    ("template", {"id": "{n}", "component_id": "{n}", "sha256": "d{n}", "w": "24", "h": "24",
                  "scale": "1", "learned_at": DAY}),
    ("observation", {"id": "{n}", "kind": "learn", "observed_at": DAY, "img_sha256": "i{n}",
                     "img_w": "9", "img_h": "9", "scale": "1", "state_id": "s_{n}", "found": "1",
                     "absent": "0", "duration_ms": "1"}),
    ("sighting", {"observation_id": "{n}", "component_id": "{n}", "found": "0"}),
    ("screenshot", {"observation_id": "{n}"}),
    ("row_key", {"component_id": "{n}", "position": "0", "twin": "0", "scale": "1", "dx": "0",
                 "dy": "0", "x": "0", "y": "0", "w": "9", "h": "9", "reach_left": "0",
                 "reach_right": "0", "img_sha256": "i{n}", "learned_at": DAY,
                 "look": "d{n}"}),
    ("transition", {"from_state": "s_2", "action": "type", "to_state": "s_2",
                    "status": "committed", "recorded_at": DAY, "last_used_at": DAY}),
    ("act", {"from_state": "s_2", "action": "type", "to_state": "s_2", "done_at": DAY}),
    ("skill", {"id": "k_{n}", "status": "draft", "origin": "mined", "shape": "h{n}",
               "created_at": DAY}),
    ("skill_parameter", {"skill_id": "k_{n}"}),
    ("skill_step", {"skill_id": "k_{n}", "number": "1", "action": "click"}),
    ("skill_run", {"id": "{n}", "skill_id": "k_{n}", "status": "done", "started_at": DAY}),
    ("skill_run_step", {"run_id": "{n}", "number": "1", "outcome": "failed", "look": "full"}),
    ("turn_change", {"new_id": "{n}", "old_id": "2", "kind": "update", "score": "1"}),
)  # fmt: skip
_LISTS = {
    "tags",
    "participants",
    "unknown_words",
    "triggers",
    "facts",
    "row_key",
    "verify",
    "aliases",
}
_OBJECTS = {"metadata", "report", "old_values", "new_values", "entries", "input"}
_OBJECTS |= {"params", "outputs", "place", "onto", "effects", "proposal"}


def plant(path: Path, needle: Callable[[str, str], str], quote: Callable[[str, str], str]) -> None:
    """Fill a store with two lives; the first one's columns hold needles, the other's do not.

    Parameters
    ----------
    needle, quote
        Return a needle of its own for a column of a memory, and the needle that a column of any
        other table repeats.
    """
    with closing(sqlite3.connect(path)) as file:
        for n in (2, 1):
            for table, fixed in ROWS:
                row = {name: value.format(n=n) for name, value in fixed.items()}
                for name, rule in rules()[table].items():
                    alone = table not in (*MEMORIES, *_GOING_ALONG)
                    picture_of_all = table == "skill_run_step" and n == 2 and "png" in name
                    if name in row or rule == "plain" or picture_of_all:
                        continue
                    if rule == "note" and alone:
                        continue
                    planted = quote if alone or (rule in QUOTING and table != "fact") else needle
                    kept = f"kept {table} {name}".replace("_", "")
                    row[name] = _value(table, name, planted(table, name) if n == 1 else kept)
                names, marks = ", ".join(row), ", ".join("?" * len(row))
                told = f"insert into {table} ({names}) values ({marks})"
                file.execute(told, list(row.values()))
        file.commit()


def rows_of(path: Path, life: str) -> Mapping[str, set[tuple[Any, ...]]]:
    """Return the rows of every planted table that hold a word of one life."""
    with closing(sqlite3.connect(path)) as file:
        return {
            table: {row for row in file.execute(f"select * from {table}") if life in repr(row)}
            for table, _ in ROWS
        }


def _value(table: str, name: str, text: str) -> object:
    if name in {"png", "before_png", "after_png"}:
        return _picture(text)
    if name in {"vector", "features", "words", "look"} and table != "log":
        return (text.encode() * 32)[:320]
    if name in _LISTS and table != "skill_run":
        return json.dumps([text])
    if name in _OBJECTS:
        return json.dumps({"told": text}, ensure_ascii=False)
    return text


def _picture(text: str) -> bytes:
    """Return a picture of noise with a text behind its pixels, where no reader looks."""
    noise = np.random.default_rng(len(text)).integers(0, 255, (24, 24, 3), np.uint8)
    return cv2.imencode(".png", noise)[1].tobytes() + text.encode()
