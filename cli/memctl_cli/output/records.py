"""The columns of each kind of record, and how its tables are printed."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.base.clock import now
from memctl.base.counting import sized
from memctl.config.setting import spelt
from memctl.store.pages import ListPage
from memctl_cli.output.plain_table import Table
from memctl_cli.output.words import at_least, chance, counted, percent, shown, shown_day, shown_time

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from memctl_cli.output.console import Console

    Cell = str | Callable[[Any], object]

_LONGEST_TURN = 300  # characters


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Parameters
    ----------
    heading
        One may have several lines.
    cell
        The attribute of a record, or what makes its cell of it; by default the heading.
    kind
        ``text`` is folded; in a ``name`` (also an id, a time) no word is broken; a ``number`` is
        flush right.
    """

    heading: str
    cell: Cell = ""
    kind: str = "text"

    def of(self, record: Any) -> object:
        """Return the cell of a record."""
        if callable(self.cell):
            return self.cell(record)
        name = self.cell or self.heading.replace(" ", "_")
        return record[name] if isinstance(record, dict) else attrgetter(name)(record)


class Records(NamedTuple):
    """A kind of record: its columns, and several of it where an "s" does not make them so."""

    columns: tuple[Column, ...]
    several: str = ""


def _name(heading: str, cell: Cell = "") -> Column:
    return Column(heading, cell, "name")


def _number(heading: str, cell: Cell = "") -> Column:
    return Column(heading, cell, "number")


def _day(heading: str, at: str) -> Column:
    return _name(heading, lambda one: shown_day(getattr(one, at), getattr(one, "utc_offset", None)))


def _time(heading: str, at: str) -> Column:
    return _name(heading, lambda one: shown_time(getattr(one, at)))


def _joined(heading: str, names: str, kind: str = "text") -> Column:
    return Column(heading, lambda one: ", ".join(getattr(one, names)), kind)


def _float(heading: str, name: str, digits: int) -> Column:
    return Column(heading, lambda one: f"{getattr(one, name):.{digits}f}", "number")


def _records(*columns: Column, several: str = "") -> Records:
    return Records(columns, several)


_TEXT = Column
_ID, _NUMBERED = _name("id"), _number("id")
_WHERE = (_number("x"), _number("y"), _number("w"), _number("h"))
_KIND = _name("tag, category", lambda fact: f"{fact.tag or '-'} {fact.category or ''}".strip())
_OF_FACT = (_number("days", "age_days"), _TEXT("source"), _TEXT("fact", "text"))
_OF_TRANSITION = (
    _name("from", "from_state"),
    _name("do", "action"),
    _name("to", "to_state"),
    _number("ok", "successes"),
    _number("failed", "failures"),
    _number("at least", lambda t: at_least(t.successes, t.successes + t.failures)),
    _number("ms", lambda t: None if t.mean_ms is None else round(t.mean_ms)),
    _day("last used", "last_used_at"),
)
_OF_STEP = (_name("step", "number"), _TEXT("act", "acts"), _TEXT("proof"))


def _stands(fact: Any) -> str:
    """Return a fact's status, as it is today where it is of another day."""
    if fact.status == "active" and fact.valid_from > max(now(), fact.created_at):
        return "coming"
    if fact.status == "superseded" and fact.valid_to and fact.valid_to > now():
        return f"to {shown_day(fact.valid_to)}"
    return "to check" if fact.doubt and fact.status == "active" else str(fact.status)


def _recalled(row: Any) -> str:
    tag = f"[{row.tag or '-'}] " if row.kind == "fact" else ""
    text = tag + " ".join(f"{row.text} {row.details}".split())
    return text if len(text) <= _LONGEST_TURN else text[: _LONGEST_TURN - 1] + "…"


def _promoted(one: Mapping[str, str]) -> str:
    """Return in words what became of a candidate."""
    if one["why"]:
        return f"dropped: {one['why']}"
    became = {
        "PENDING": "waits for a person, against {other}",
        "SUPERSEDE": "replaces {other}",
        "SKIP": "known already",
    }
    fact = f"{one['fact']} " if one["fact"] else ""
    return fact + became.get(one["event"], "a fact").format(other=one["other"])


def _source(setting: Any) -> str:
    line = setting.where.rpartition(":")[2]
    return f"{setting.source}:{line}" if setting.source == "settings.toml" else setting.source


def _lost(table: Any) -> object:
    if not table.guessed:
        return table.lost
    return f"about {table.lost}" if table.lost else "unknown"


def _rests_on(step: Any) -> str:
    days = "" if step.days is None else f", {step.days:g} days ago"
    seen = f"; seen {step.found} of {step.looked}" if step.looked else ""
    return chance(step.succeeded, step.tried) + days + seen


RECORDS: Mapping[str, Records] = {
    # Screens
    "component": _records(
        _NUMBERED,
        *(_name("name"), _name("type"), _name("page")),
        _name("at, px", lambda c: f"{c.rel_x},{c.rel_y}"),
        _name("size, px", lambda c: f"{c.w}x{c.h}"),
        _number("seen", "seen_count"),
        _number("missed", "consecutive_misses"),
        _day("last seen", "last_seen_at"),
    ),
    "erased place": _records(
        _NUMBERED,
        _time("erased", "erased_at"),
        _name("state", lambda one: one.state_name or one.state_id),
        _name("at, px", lambda one: None if one.x is None else f"{one.x},{one.y}"),
        _name("size, px", lambda one: None if one.w is None else f"{one.w}x{one.h}"),
        _number("pictures"),
    ),
    "state": _records(
        _name("state", "id"),
        *(_name("name"), _name("page"), _name("status")),
        _number("visits", "visit_count"),
        _number("com-\nponents", "component_count"),
        _day("last seen", "last_seen_at"),
    ),
    "component of a state": _records(
        _number("id", "component_id"),
        _name("component", "name"),
        _name("type"),
        _number("seen", "seen_count"),
    ),
    "transition": _records(*_OF_TRANSITION),
    "transition: with its id": _records(_NUMBERED, *_OF_TRANSITION),
    "step of a path": _records(
        _number("step", lambda one: one[0]),
        _name("on", lambda one: one[1].from_name or one[1].from_state),
        _name("do", lambda one: one[1].action),
        _name("leads to", lambda one: one[1].to_name or one[1].to_state),
        _TEXT("chance", lambda one: chance(one[1].successes, one[1].successes + one[1].failures)),
        _number("ms", lambda one: None if one[1].mean_ms is None else round(one[1].mean_ms)),
    ),
    "sighting": _records(
        _number("id", "component_id"),
        _name("name"),
        *_WHERE,
        _float("score", "score", 3),
        _name("how"),
    ),
    "absent component": _records(
        _number("id", "component_id"), _name("name"), _number("best score"), _TEXT("why")
    ),
    "learned component": _records(
        _number("id", "component_id"), _name("name"), _name("type"), *_WHERE
    ),
    "change of a picture": _records(
        _number("", lambda one: one[0]),
        _name("what", lambda one: one[1].kind),
        _TEXT("name", lambda one: one[1].name),
        *(_number(side, lambda one, side=side: getattr(one[1], side)) for side in "xywh"),  # type: ignore[misc]
        _name(
            "from",
            lambda one: (
                f"{one[1].was[0]},{one[1].was[1]}"
                if one[1].was and one[1].kind != "changed"
                else None
            ),
        ),
        _number("alike", lambda one: f"{one[1].similarity:.2f}" if one[1].was else None),
    ),
    # Turns, episodes, recalls
    "turn": _records(
        _NUMBERED,
        _day("when", "logged_at"),
        _name("who", lambda turn: turn.speaker or turn.role),
        _name("thread", "session"),
        _TEXT("what", lambda turn: " ".join(turn.text.split())[:_LONGEST_TURN]),
    ),
    "episode": _records(
        _NUMBERED,
        _day("when", "happened_at"),
        _joined("who", "participants", "name"),
        _joined("tags", "tags", "name"),
        _TEXT("what", "summary"),
    ),
    "recall": _records(
        _NUMBERED,
        _time("asked", "asked_at"),
        _number("rows", "hits"),
        _name("outcome"),
        _TEXT("question"),
    ),
    "row": _records(
        _number("rank"),
        _name("id", "name"),
        _number("score"),
        _name("used", "used_at"),
        _TEXT("what", lambda hit: " ".join((hit.text or "").split())),
    ),
    "recalled row": _records(
        _name("id", lambda row: ("~ " if row.fallback else "") + row.name),
        _name("when", "day"),
        _joined("who", "who", "name"),
        _number("score"),
        _TEXT("what", _recalled),
    ),
    "alias": _records(
        _name("word", "term"), _name("means the same as", "synonym"), _day("since", "added_at")
    ),
    "entity": _records(_joined("names", "names"), _name("kind")),
    # Hosts
    "token": _records(
        *(_name(one) for one in ("name", "app", "user", "agent", "session", "project", "tools")),
        _name("read-only", lambda one: "yes" if one["readonly"] else ""),
        _name("since", lambda one: shown_day(one["added_at"])),
    ),
    # Facts
    "fact": _records(
        _ID, _KIND, _name("import-\nance", lambda one: f"{one.importance:.0%}"), *_OF_FACT
    ),
    "fact: with its status": _records(_ID, _KIND, _name("status", _stands), *_OF_FACT),
    "hit": _records(
        _number("score"),
        _name("id", "fact.id"),
        _name("tag, category", lambda hit: _KIND.of(hit.fact)),
        *(Column(one.heading, f"fact.{one.cell or one.heading}", one.kind) for one in _OF_FACT),
    ),
    "slot": _records(
        _name("about"), _TEXT("fact", "text"), _TEXT("user", "user_id"), _TEXT("project"), _ID
    ),
    "change": _records(
        _time("when", "changed_at"),
        _name("event"),
        _name("by", "actor"),
        _TEXT("was", "old_text"),
        _TEXT("became", "new_text"),
        _TEXT("why"),
    ),
    "gate of a fact": _records(
        _name("gate"), _name("verdict", lambda one: "pass" if one.passed else "fail"), _TEXT("why")
    ),
    "fact that waits": _records(
        _ID,
        _name("tag"),
        _number("days", "age_days"),
        _name("confidence"),
        _TEXT("source"),
        _TEXT("why", "status_why"),
        _TEXT("fact", "text"),
        several="facts that wait",
    ),
    "fact that may leave": _records(
        _ID,
        _name("category"),
        _name("project"),
        _TEXT("fact", "text"),
        several="facts that may leave",
    ),
    "fact that stays": _records(
        _ID, _TEXT("stays out", "why"), _TEXT("fact", "text"), several="facts that stay"
    ),
    "fact without a category": _records(
        _ID,
        _TEXT("fact", "text"),
        *(_name("tag"), _name("category")),
        _float("sure", "confidence", 2),
        _TEXT("words", lambda one: f"not sure: {one.why}" if one.why else ", ".join(one.words)),
        several="facts without a category",
    ),
    "fact: extracted": _records(
        _name("tag"),
        _TEXT("fact", "text"),
        _name("category"),
        _float("sure", "confidence", 2),
        _TEXT("source", "source.name"),
    ),
    "passage skipped": _records(
        _TEXT("skipped", lambda one: one.text[:80]), _TEXT("why"), several="passages skipped"
    ),
    # The task at hand
    "value": _records(
        _name("name"), _name("set", "set_at"), _name("expires", "expires_at"), _TEXT("value")
    ),
    "session": _records(
        _name("session", "id"),
        _name("channel"),
        _time("started", "started_at"),
        _time("last active", "last_at"),
        _name("state", lambda one: one.ending or "going on"),
    ),
    "snapshot": _records(
        _NUMBERED, _time("taken", "taken_at"), _number("entries", "size"), _TEXT("why")
    ),
    # Consolidation
    "candidate": _records(
        _ID,
        _day("said last", "last_said_at"),
        _number("score"),
        _TEXT("why", lambda one: one.stopped_by or one.why),
        _TEXT("statement", "text"),
    ),
    "candidate: nearest": _records(
        _name("nearest", "candidate"),
        _number("score"),
        _TEXT("stopped by", "gate"),
        _TEXT("is", "value"),
        _TEXT("wanted"),
        _TEXT("statement", "text"),
    ),
    "promotion": _records(
        _name("candidate"), _TEXT("became", _promoted), _TEXT("statement", "text")
    ),
    "change: by tidying": _records(
        _name("what", "phase"), _name("fact"), _TEXT("why"), _TEXT("text")
    ),
    "run": _records(
        _name("run", "id"),
        _TEXT("what", "kind"),
        _name("as of"),
        _name("state", "status"),
        _TEXT("diary"),
    ),
    "gate": _records(_name("gate", "name"), _TEXT("is", "value"), _TEXT("wanted"), _TEXT("passed")),
    "row that fades": _records(
        _TEXT("what", "kind"),
        _ID,
        _day("last used", "last_at"),
        _TEXT("why"),
        _TEXT("text"),
        several="rows that fade",
    ),
    "entry": _records(
        _ID,
        _TEXT("entry", "kind"),
        _TEXT("title"),
        _day("made", "made_at"),
        _number("cites", lambda one: len(one.sources)),
    ),
    "entry: proposed": _records(
        _name("entry", "kind"), _TEXT("about", "subject"), _TEXT("title"), _TEXT("why", "trigger")
    ),
    "proposal": _records(
        _name("phase"), _TEXT("why"), _TEXT("text"), _name("memctl ...", "suggestion")
    ),
    "later turn": _records(
        _name("turn"), _name("earlier"), _TEXT("kind"), _TEXT("what it says", "what")
    ),
    # Skills
    "skill": _records(
        _name("name"),
        _name("status"),
        _number("steps", lambda one: len(one.steps)),
        *(_number("runs"), _number("done")),
        _name(
            "success",
            lambda one: (
                chance(one.done, one.done + one.stopped) if one.done + one.stopped else None
            ),
        ),
    ),
    "step": _records(*_OF_STEP),
    "step: with its state": _records(*_OF_STEP, _TEXT("leads to", "state")),
    "step: foreseen": _records(
        _name("step", "number"),
        _TEXT("act", lambda one: one.words + (" (cannot be undone)" if one.irreversible else "")),
        _TEXT("at"),
        _TEXT("chance", lambda one: percent(one.probability)),
        _number("seconds", lambda one: None if one.seconds is None else f"{one.seconds:.1f}"),
        _TEXT("rests on", _rests_on),
    ),
    "step: of a run": _records(
        _name("step", "number"),
        _TEXT("outcome"),
        _float("seconds", "seconds", 2),
        _TEXT("looked at", "look"),
        _TEXT("why"),
    ),
    "run: of a skill": _records(
        _name("run", "id"),
        _name("state", "status"),
        _TEXT("step"),
        _float("seconds", "seconds", 1),
        _TEXT("looks"),
        _TEXT("why"),
    ),
    "skill: asked for": _records(
        _name("skill", "skill.name"),
        _float("score", "score", 2),
        _TEXT("by", "trigger"),
        _TEXT("words", lambda one: ", ".join(f"{word} {weight:g}" for word, weight in one.terms)),
    ),
    "draft": _records(
        _name("name"),
        _TEXT("times", "support"),
        _TEXT("by chance", lambda one: f"{one.expected or 0:.2g}"),
        _TEXT("p", lambda one: f"{one.p_value or 0:.1e}"),
        _TEXT("in shuffled logs", lambda one: f"{one.chance_rate or 0:g}"),
        _TEXT("steps", lambda one: "; ".join(step.words for step in one.steps)),
    ),
    "near habit": _records(
        _number("tasks", "count"),
        _number("by chance", lambda one: f"{one.expected:.2g}"),
        _number("p", lambda one: f"{one.p_value:.1e}"),
        _TEXT("acts", lambda one: "; ".join(name.replace(":", " ") for name in one.names)),
        _TEXT("missed"),
    ),
    "tenth": _records(
        _TEXT("chance", lambda one: f"{one.low:.1f} to {one.high:.1f}"),
        _TEXT("runs"),
        _float("predicted", "predicted", 2),
        _float("happened", "happened", 2),
    ),
    # The store
    "setting": _records(
        _name("setting", "key"),
        _TEXT("value", lambda one: spelt(one.value)),
        _name("from", _source),
        _TEXT("what it does", "help"),
    ),
    "store": _records(
        _name("app"),
        _number("size", lambda one: sized(one.bytes)),
        _name("changed", lambda one: shown_time(one.changed_at)[:16]),
        _name("file", "path"),
    ),
    "fleet store": _records(
        _name("store", "name"),
        _number("size", lambda one: sized(one.bytes)),
        _name("machine"),
        _name("where"),
    ),
    "old version": _records(_name("object", "where"), _name("version")),
    "fleet conflict": _records(
        _name("conflict", "kind"), _TEXT("name"), _TEXT("what", "why"), _TEXT("of", "source")
    ),
    "outcome": _records(_name("store", "name"), _name("machine"), _TEXT("why", "text")),
    "backup": _records(
        _name("backup", "name"), _number("size", lambda file: sized(file.stat().st_size))
    ),
    "check": _records(
        _name("check"),
        _TEXT("", lambda one: ("note" if one.mend else "ok") if one.ok else "BAD"),
        _TEXT("found", "detail"),
        _TEXT("mend it with", "mend"),
    ),
    "recovered table": _records(
        _TEXT("table"),
        _number("kept"),
        _number("lost", _lost),
        *(_number("doubtful"), _number("mended")),
        _joined("lost rows", "ranges"),
    ),
    "scene": _records(
        _name("screenshot", "shot"),
        _name("taken for", "verdict"),
        *(_number("found"), _number("new", "learned")),
        _TEXT("what it is", lambda scene: scene.note or scene.says),
    ),
    "conflict": _records(_name("conflict", "kind"), _TEXT("name"), _TEXT("what", "why")),
}
"""By what one is called; what follows a colon tells its tables apart."""


def table_of(kind: str, rows: Iterable[Any]) -> Table:
    """Return some records as a table."""
    columns = RECORDS[kind].columns
    return table(columns, ([column.of(row) for column in columns] for row in rows))


def table(columns: Sequence[Column], cells: Iterable[Iterable[object]]) -> Table:
    """Return cells as a table."""
    return Table(
        tuple(one.heading for one in columns),
        frozenset(one.heading for one in columns if one.kind == "number"),
        [tuple(map(shown, row)) for row in cells],
        frozenset(column.heading for column in columns if column.kind == "name"),
    )


def page_text(of: Sequence[object], *names: str) -> str:
    """Return how many rows there are; of a page of a list, how many more, and how to see them."""
    if not isinstance(of, ListPage) or of.total == len(of):
        return counted(len(of), *names)
    line = f"{len(of):,} of {counted(of.total, *names)}"
    return f"{line}, {of.left:,} more: --limit {of.total - of.offset}" if of.left else line


def print_list(console: Console, kind: str, rows: Sequence[Any], note: str = "") -> None:
    """Print records as a table, and how many there are; of none only that."""
    if rows:
        console.print(table_of(kind, rows))
    line = page_text(rows, kind.partition(":")[0], RECORDS[kind].several)
    console.print(f"{line}, {note}" if note else line)


def listed(kind: str, rows: Sequence[Any], note: str = "") -> Callable[[Console], None]:
    """Make a function that prints records as a table, and how many there are."""
    return lambda console: print_list(console, kind, rows, note)


def print_details(console: Console, pairs: Iterable[tuple[str, object]]) -> None:
    """Print names with their values, one a line."""
    console.print(table((Column(""), Column("")), pairs))
