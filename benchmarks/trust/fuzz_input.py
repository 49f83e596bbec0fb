# ruff: noqa: RUF001 - look-alikes are what is tried
"""Hostile input made of bytes: the same bytes make the same texts, JSON and files, whoever found them.

A fuzzer that is guided by coverage changes the bytes; without one they are random. A byte decides what comes
next, so that a changed byte changes one choice and leaves the others.
"""

from __future__ import annotations

import json
import math
import sqlite3
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

T = TypeVar("T")

# What has broken programs before: empty, invisible, half, reversed, quoted, fenced, huge.
TEXTS = (
    "", " ", "\n", "\0", "\x1b[31m", "\u200b", "\u202eabc", "\ud800", "a\udc80b", "\ufeff", "İ", "ß", "ﬃ", "e\u0301",
    "\u0130\u0307", "🤷🏽\u200d♀️", "中文", "日本語のテキスト", "ثلاثة", "ไทย", "Ⅷ²", "١٢٣", "½", "'", '"', "`", "\\", "%s", "{0}", "{{x}}",
    "${x}", "'); drop table fact; --", "a*", '"a" OR NEAR(b', "-", "--help", "../../etc/passwd", "/", ".", "..", "~",
    "C:\\x", "con", "file:///etc/passwd", "http://[::1]:99999/", "https://user:pw@x.y/", "http://\ud800.com", "xn--", "a.b.",
    "<memctl>", "</memory>", "＜/memory＞", "<!-- -->", "[[x]]", "[a](b)", "---", "- [ ]", "# ", "| a |", "```", "null", "true",
    "NaN", "1e999", "-0", "0x10", "1_0", "00", "9" * 30, "2026-02-30", "2026-11-20", "2026-11-20T16:33:04+14:59",
    "9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59", "2026-W53-7", "20261120", "24:00", "last 29 February", "tomorrow at 25:61",
    "in 99999999999 years", "the day before the day before yesterday", "next month", "P1D", "token=", "password: hunter2", "api_key=",
    "ghp_", "AKIA", "-----BEGIN", "bearer ", "a" * 70, "a " * 40, "=" * 50, "(" * 50, "\\u0041" * 8, "%41" * 20, "&#65;" * 10,
)  # fmt: skip
NUMBERS = (
    *(0, 1, -1, 2, 0.5, -0.0, 1e-9, 80, 255, 1000, 10_001, 2**31, 2**53 + 1, 2**63 - 1, 2**63, -(2**63) - 1, 10**40),
    *(1e308, 1.7e9, 1.7e12, 1e20, math.inf, -math.inf, math.nan),
)  # fmt: skip
_LONG = 3_000


class Draw:
    """Choices that the bytes of one input decide; when they are used up, the first of each."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self.made: list[str] = []  # what the input came to, for people

    def byte(self) -> int:
        """Return the next byte."""
        self._at += 1
        return self._data[self._at - 1] if self._at <= len(self._data) else 0

    def number(self, most: int) -> int:
        """Return a whole number from 0 to `most`."""
        value = self.byte()
        while most > 255:
            value, most = value << 8 | self.byte(), most >> 8
        return value % (most + 1)

    def below(self, size: int) -> int:
        """Return an index of a sequence."""
        value, room = self.byte(), 256
        while room < size:
            value, room = value << 8 | self.byte(), room << 8
        return value % max(size, 1)

    def pick(self, among: Sequence[T]) -> T:
        """Return a member."""
        return among[self.below(len(among))]

    def chance(self, of: int) -> bool:
        """Return true once in so many draws; false when the bytes are used up."""
        return self.byte() % of == of - 1

    def show(self, value: T) -> T:
        """Note what an input came to, and return it."""
        self.made.append(repr(value)[:400])
        return value

    def text(self, seeds: Sequence[str] = ()) -> str:
        """Return a text: a seed, hostile pieces, signs of any plane, or a mixture; some long."""
        parts = [self._piece(seeds) for _ in range(1 + self.byte() % 4)]
        text = self.pick((" ", "", "\n", ", ")).join(parts)
        if self.chance(24):
            text *= 1 + _LONG // max(len(text), 1)
        return text

    def _piece(self, seeds: Sequence[str]) -> str:
        match self.byte() % 4:
            case 0 if seeds:
                return self.pick(seeds)
            case 1:
                return "".join(chr(32 + self.byte() % 95) for _ in range(self.byte() % 12))
            case 2:
                return chr((self.byte() << 8 | self.byte()) * (1 + self.byte() % 17))
            case _:
                return self.pick(TEXTS)

    def value(self, seeds: Sequence[str] = (), depth: int = 3) -> Any:  # noqa: PLR0911  (one a kind)
        """Return a value of JSON, of Python's own numbers too."""
        match self.byte() % 9:
            case 0 | 1 | 2:
                return self.text(seeds)
            case 3 | 4:
                return self.pick(NUMBERS)
            case 5:
                return self.pick((None, True, False))
            case 6 if depth:
                return [self.value(seeds, depth - 1) for _ in range(self.byte() % 4)]
            case 7 if depth:
                names = [self.text(seeds) for _ in range(self.byte() % 4)]
                return {name: self.value(seeds, depth - 1) for name in names}
            case 8 if depth:
                return self.nested()
            case _:
                return self.pick((None, "", 0, [], {}))

    def nested(self) -> Any:
        """Return lists or objects in one another, some deeper than any parser goes."""
        inner: Any = []
        as_list = self.byte() % 2
        for _ in range(self.pick((5, 21, 99, 900))):
            inner = [inner] if as_list else {"a": inner}
        return inner

    def altered(self, value: Any, seeds: Sequence[str] = ()) -> Any:
        """Return a value of JSON with some of its parts changed, moved, missing or twice."""
        for _ in range(1 + self.byte() % 3):
            value = self._altered(value, seeds)
        return value

    def _altered(self, value: Any, seeds: Sequence[str]) -> Any:
        if not isinstance(value, (dict, list)) or not value or self.chance(12):
            return self._changed(value, seeds)
        if isinstance(value, list):
            at, copy = self.below(len(value)), list(value)
            match self.byte() % 8:
                case 0:
                    del copy[at]
                case 1:
                    copy.insert(at, copy[self.below(len(copy))])
                case 2:
                    copy.insert(at, self.value(seeds, 2))
                case 3:
                    copy *= 1 + self.byte() % 5
                case _:
                    copy[at] = self._altered(copy[at], seeds)
            return copy
        name, changed = self.pick([*value]), dict(value)
        match self.byte() % 8:
            case 0:
                del changed[name]
            case 1:
                changed[self.pick([*value])] = changed[name]
            case 2:
                changed[self.text([*map(str, value), *seeds])] = self.value(seeds, 2)
            case _:
                changed[name] = self._altered(changed[name], seeds)
        return changed

    def _changed(self, value: Any, seeds: Sequence[str]) -> Any:
        if isinstance(value, str) and self.byte() % 2:
            return self.mixed(value, seeds)
        return self.value(seeds, 2)

    def mixed(self, text: str, seeds: Sequence[str] = ()) -> str:
        """Return a text with pieces put in, taken out, repeated or exchanged."""
        for _ in range(1 + self.byte() % 3):
            begin = self.below(len(text) + 1)
            end = min(len(text), begin + self.byte() % 40)
            match self.byte() % 6:
                case 0:
                    text = text[:begin] + text[end:]
                case 1:
                    text = text[:end] + text[begin:end] * self.pick((1, 2, 60)) + text[end:]
                case 2:
                    text = text[:begin] + text[begin:end][::-1] + text[end:]
                case _:
                    text = text[:begin] + self._piece(seeds) + text[end:]
        return text[: 4 * _LONG]

    def broken(self, data: bytes) -> bytes:
        """Return bytes with some changed, cut, repeated or put in."""
        for _ in range(1 + self.byte() % 4):
            begin = self.below(len(data) + 1)
            end = min(len(data), begin + self.byte())
            match self.byte() % 6:
                case 0:
                    data = data[:begin]
                case 1:
                    data = data[:begin] + data[end:]
                case 2:
                    data = data[:end] + data[begin:]
                case 3:
                    data = data[:begin] + bytes(self.byte() for _ in range(8)) + data[begin + 8 :]
                case 4:
                    data = (
                        data[:begin]
                        + self.pick((b"\xff", b"\0", b"\xff\xff\xff\xff", b"\x80\0\0\0"))
                        + data[begin + 1 :]
                    )
                case _:
                    data = data[:begin] + bytes([self.byte()]) + data[begin + 1 :]
        return data

    def json(self, value: Any) -> bytes:
        """Return a value as JSON of Python's making: NaN, escapes of half signs, any encoding."""
        try:
            text = json.dumps(value, ensure_ascii=self.byte() % 4 != 1)
        except (ValueError, RecursionError, TypeError):
            text = "[" * 5_000
        encoding = self.pick(("utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "latin-1"))
        return text.encode(encoding, "replace" if encoding == "latin-1" else "surrogatepass")

    def file(self, name: str, data: bytes) -> bytes:
        """Return the content of a file changed in its own format: its rows, values, text or bytes."""
        if self.chance(10):
            return self.broken(data)
        if name.endswith((".json", ".jsonl")):
            with suppress(ValueError):
                if name.endswith(".json"):
                    return self.json(self.altered(json.loads(data)))
                lines = data.decode().splitlines()
                at = self.below(len(lines))
                changed = self.json(self.altered(json.loads(lines[at])))
                return b"\n".join(
                    [
                        *(x.encode() for x in lines[:at]),
                        changed,
                        *(x.encode() for x in lines[at + 1 :]),
                    ]
                )
        with suppress(UnicodeDecodeError):
            if b"\0" not in data:
                mixed = self.mixed(data.decode(), ["---\n", "- ", "## ", "\t", ",", ": ", "\r\n"])
                return mixed.encode(
                    self.pick(("utf-8", "utf-8", "utf-8", "utf-16")), "surrogatepass"
                )
        return self.broken(data)

    def database(self, path: Path) -> None:
        """Change a cell, a column, a table or a view of an SQLite file, or its bytes."""
        if self.chance(4):
            path.write_bytes(self.broken(path.read_bytes()))
            return
        with (
            closing(sqlite3.connect(path)) as database,
            suppress(sqlite3.Error, ValueError, OverflowError),
        ):
            tables = [
                row[0]
                for row in database.execute("select name from sqlite_schema where type = 'table'")
            ]
            table = self.pick(tables)
            columns = [row[1] for row in database.execute(f'pragma table_info("{table}")')]
            column = self.pick(columns)
            value = self.value(depth=0)
            changes: tuple[tuple[Any, ...], ...] = (
                ("update {} set {} = ?", (table, column), value),
                ("update {} set {} = ? where rowid = 1", (table, column), value),
                ("update {} set {} = ?", (table, column), bytes([self.byte(), 255])),
                ("update {} set {} = cast(? as text)", (table, column), b"a\xff\xfe\0b"),
                ("alter table {} add column {}", (table, self.text(columns))),
                ("alter table {} rename column {} to {}", (table, column, self.text(columns))),
                ("create view {} as select * from {}", (self.text(tables), table)),
            )
            sql, names, *given = self.pick(changes)
            quoted = (f'"{name.replace(chr(34), chr(34) * 2)}"' for name in names)
            database.execute(sql.format(*quoted), given)
            database.commit()
