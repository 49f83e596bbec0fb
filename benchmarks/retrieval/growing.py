"""Grows a store out of real turns, and beside it the same words for others to search.

Growing to a million rows takes minutes, so what was grown may be kept and measured again.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
import time
from itertools import count, islice
from typing import TYPE_CHECKING, Any

import memctl
from memctl.guard import door

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.retrieval.conversations import Conversation

__all__ = ["Growing", "exact_store", "grown"]

_BATCH = 5_000
# Of each copy of a turn, one word in so many becomes a word of that copy alone.
_CHANGED = 12
_WORD = re.compile(r"[A-Za-z]{4,}")


class Growing:
    """A store that grows, and the same words in a bare FTS5 table."""

    def __init__(self, folder: Path, turns: Iterator[dict[str, Any]]) -> None:
        self._folder = folder
        self._turns = turns
        self._rows = 0

    def grow(self, size: int, place: Path) -> float:
        """Add turns up to `size`, copy both to `place`; return memctl's rows a second."""
        spent, added = 1e-9, size - self._rows
        with memctl.open("agent", self._folder) as memory, exact_store(self._folder) as exact:
            while self._rows < size:
                batch = list(islice(self._turns, min(_BATCH, size - self._rows)))
                started = time.perf_counter()
                memory.episodic.turns.add_many(batch)
                spent += time.perf_counter() - started
                self._rows += len(batch)
                words = [(f"{turn['text']} {turn['details']}",) for turn in batch]
                exact.executemany("insert into turn (words) values (?)", words)
                exact.commit()
        exact.close()
        if place != self._folder:
            shutil.copytree(self._folder, place)
        return round(added / spent, 1)


def exact_store(folder: Path) -> sqlite3.Connection:
    """Open the bare FTS5 table of a folder; the words are those that a store indexes."""
    connection = sqlite3.connect(folder / "exact.db")
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma mmap_size = 1073741824")  # as a store's connection has it
    connection.execute(
        "create virtual table if not exists turn using fts5("
        "words, tokenize=\"porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'\")"
    )
    return connection


def grown(conversations: list[Conversation]) -> Iterator[dict[str, Any]]:
    """Yield turns without end: first the real ones, then copies with words of their own.

    Turns that look like secrets are left out: they would be refused.
    """
    for copy in count():
        for conversation in conversations:
            for place, turn in enumerate(conversation.turns):
                text = _varied(turn.text, copy, place)
                if door.secret_rule(f"{text}\n{turn.caption}") is None:
                    yield {
                        "text": text,
                        "details": turn.caption,
                        "speaker": turn.speaker + (_letters(copy % 500) if copy else ""),
                        "session": f"{conversation.name}-{copy}-{turn.session}",
                        "logged_at": turn.said_at,
                    }


def _varied(text: str, copy: int, place: int) -> str:
    if not copy:
        return text
    words = _WORD.findall(text)
    chosen = {word for n, word in enumerate(words) if (n + copy + place) % _CHANGED == 0}
    return _WORD.sub(lambda m: m[0] + _letters(copy) if m[0] in chosen else m[0], text)


def _letters(number: int) -> str:
    """Return a number in letters, so that a varied word is still a word."""
    letters = ""
    while number:
        number, rest = divmod(number, 26)
        letters += chr(ord("a") + rest)
    return letters
