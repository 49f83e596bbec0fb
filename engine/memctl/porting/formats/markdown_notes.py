"""Plain Markdown: items and paragraphs are facts, those of a dated file are what happened that day.

A section ``## [PROJ] Title`` and an item that begins with such a tag say their category; a title that
says more than the category is put before what stands below it.
"""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from memctl.base.categories import KINDS, category_of
from memctl.base.errors import UnusableInputError
from memctl.base.pattern import Pattern
from memctl.porting.foreign_records import (
    EpisodeRecord,
    FactRecord,
    Format,
    JournalRecord,
    UnreadRecord,
)
from memctl.porting.markdown_reading import front_matter, note_parts, texts_of
from memctl.porting.safe_files import files_in, head_of, lines_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from memctl.porting.foreign_records import ForeignRecord
    from memctl.porting.markdown_reading import NotePart

    Records = Iterator[ForeignRecord | UnreadRecord]

_DAY = Pattern(r"(?<!\d)(\d{4}-\d\d-\d\d)(?:[-_T](\d\d)[-:]?(\d\d)(?:[-:]?\d\d)?(?!\d))?")
_CLOCK = Pattern(r"(?:\*\*)?(\d{1,2}):(\d\d)(?::\d\d)?(?:\*\*)?[ \t]*[-:\u2013\u2014|]?[ \t]+")
_TAGGED = Pattern(r"(?:\*\*)?\[([A-Z]{4,6})\](?:\*\*)?[ \t]*:?[ \t]*")
_BOLD = Pattern(r"(?<![\w*])\*\*(?=[^\s*])(.+?)(?<=[^\s*])\*\*(?![\w*])", 16)
_COMMENT = Pattern(r"<!--.*?-->", 16)  # 16: a dot is any sign
_OWN = re.compile(rb"\n---\n(?:id|term|about): ")  # as `exports.kept_items` writes items
_MANAGED = Pattern(r"<!-- *openclaw:dreaming:([\w-]+):(start|end) *-->")
_LONGEST_FACT = 2_000  # characters; what is longer is kept as what happened
_SUMMARY = 200
_LONGEST_FRONT = 500  # lines
_NAMED = frozenset({*KINDS, *(kind.tag.lower() for kind in KINDS.values())})


def recognises(path: Path) -> bool:
    """Return whether a path is a Markdown file, or a folder with one at its top."""
    if path.is_dir():
        return any(note.suffix == ".md" and note.is_file() for note in path.iterdir())
    return path.suffix in {".md", ".markdown"}


def read(path: Path, options: Mapping[str, Any]) -> Records:
    """Yield the records of a file, or of all Markdown files of a folder."""
    del options
    if not path.is_dir():
        yield from _records(path, path.name)
    for file in files_in(path, ".md") if path.is_dir() else ():
        yield from records_of(file, file.relative_to(path).as_posix())


def records_of(file: Path, where: str, category: str | None = None) -> Records:
    """Yield the records of a folder's file; one that cannot be read is named, the others are read."""
    try:
        yield from _records(file, where, category)
    except UnusableInputError as error:
        yield UnreadRecord(where, error.message)


def _records(file: Path, where: str, category: str | None = None) -> Records:
    """Yield the records of a file: those of a day where its name has one, else facts."""
    if _OWN.search(head_of(file)):
        why = "it is of memctl's own export: import its folder, with memctl-export.jsonl in it"
        yield UnreadRecord(where, why)
        return
    day = day_in(file.stem)
    yield from daily(file, where, day) if day else facts(file, where, category)


def day_in(name: str) -> str | None:
    """Return the day, and the minute where there is one, of a name: ``2026-11-20-1633``."""
    day = _DAY.search(name)
    if day is None:
        return None
    return f"{day[1]}T{day[2]}:{day[3]}" if day[2] else day[1]


def facts(file: Path, where: str, category: str | None = None, since: str | None = None) -> Records:
    """Yield each item and paragraph of a file as a fact."""
    for part in note_parts(own_lines(file, where)):
        if said := unmarked(part.text):
            yield fact_of(part, said, where, category, since)


def daily(file: Path, where: str, day: str) -> Records:
    """Yield the items and paragraphs of a day: tagged ones as facts of that day, others as episodes."""
    for part in note_parts(own_lines(file, where)):
        said = unmarked(part.text)
        if not said:
            continue
        if part.done is not None or category_in(part, said):
            yield fact_of(part, said, where, None, day)
        else:
            yield episode_of(part, said, where, day)


def fact_of(
    part: NotePart, said: str, where: str, category: str | None, since: str | None
) -> ForeignRecord:
    """Return a fact of a part; one too long for a fact is an episode, one with a box is to be done."""
    if part.done is not None:
        return todo_of(part, said, where)
    if len(said) > _LONGEST_FACT:
        return episode_of(part, said, where, since)
    tagged = _TAGGED.match(said)
    named = category_in(part, said)
    text = said[tagged.end() :] if tagged and category_of(tagged[1]) else said
    title = _title(part)
    if title and title.lower() not in text.lower():
        text = f"{title}: {text}"
    return FactRecord(
        where=f"{where}:{part.line}", text=text, category=named or category, valid_from=since
    )


def todo_of(part: NotePart, said: str, where: str, session: str = "todos") -> ForeignRecord:
    """Return an item with a box as an entry of a journal: to be done, or done."""
    entry = "done" if part.done else "pending"
    return JournalRecord(where=f"{where}:{part.line}", session=session, entry=entry, text=said)


def episode_of(part: NotePart, said: str, where: str, day: str | None) -> ForeignRecord:
    """Return an episode of a part: its first line, and all of it where that is not all."""
    clock = _CLOCK.match(said)
    when = day
    if clock is not None and day:
        said = said[clock.end() :]
        when = f"{day[:10]}T{int(clock[1]):02}:{clock[2]}"
    first = said.split("\n", 1)[0]
    summary = first if len(first) <= _SUMMARY else first[:_SUMMARY].rsplit(" ", 1)[0] + "\u2026"
    tags = () if day_in(part.heading) else texts_of(part.heading.lower())
    return EpisodeRecord(
        where=f"{where}:{part.line}",
        summary=summary,
        details="" if summary == said else said,
        tags=tags,
        happened_at=when,
    )


def category_in(part: NotePart, said: str) -> str | None:
    """Return the category of an item's own tag, or of the nearest section that has one."""
    for text in (said, *reversed(part.headings)):
        tagged = _TAGGED.match(text)
        if tagged is not None and (named := category_of(tagged[1])):
            title = text[tagged.end() :].strip().lower()
            own = KINDS.get(title) if text is not said else None
            return title if own is not None and own.tag == tagged[1] else named
    return None


def unmarked(text: str) -> str:
    """Return a text without comments and the signs of bold type."""
    return _BOLD.sub(r"\1", _COMMENT.sub("", text)).strip()


def own_lines(file: Path, where: str) -> Iterator[tuple[int, str]]:
    """Yield a file's lines without its front matter and the blocks that dreaming manages."""
    inside = False
    for number, line in _behind_front_matter(lines_of(file), where):
        mark = _MANAGED.search(line)
        if mark is not None:
            inside = mark[2] == "start" and mark[1] != "diary"
        elif not inside:
            yield number, line


def _behind_front_matter(lines: Iterator[tuple[int, str]], where: str) -> Iterator[tuple[int, str]]:
    """Yield the lines behind the front matter; where there is none or it does not end, all of them."""
    held = [*islice(lines, 1)]
    if held and held[0][1].rstrip() == "---":
        for number, line in islice(lines, _LONGEST_FRONT):
            held.append((number, line))
            if line.rstrip() == "---":
                front = "\n".join(line for _, line in held)
                held = [] if not front_matter(front, where)[1] else held
                break
    yield from chain(held, lines)


def _title(part: NotePart) -> str:
    """Return the title of a tagged section, where it is more than the tag."""
    for heading in reversed(part.headings):
        tagged = _TAGGED.match(heading)
        if tagged is not None and category_of(tagged[1]):
            title = heading[tagged.end() :].strip()
            return "" if title.lower().rstrip("s") in _NAMED or day_in(title) else title
    return ""


FORMATS = {"markdown": Format(recognises, read)}
