"""Records of other systems, as their readers hand them to the importer.

A reader yields them one by one, in the order in which they are to be written, and says of what
it cannot read why: a `UnreadRecord`. Times are as the source has them (ISO-8601 text or a `datetime`);
the importer checks every value, and the door looks at every text.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from memctl.semantic.fact_input import FactInput
from memctl.store.results import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from memctl.base.clock import When
    from memctl.procedural.skill_records import SkillDraft
    from memctl.visual.graph.foreign_screens import ForeignComponent, ForeignState

    Records = Iterator["ForeignRecord | UnreadRecord"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignRecord:
    """One record of a source.

    Parameters
    ----------
    where
        Its place, for people: ``MEMORY.md:12``, ``conversations.json[3]``.
    key
        What names it in its source for good, an id; empty where nothing does. A record is taken
        once: again only where its content has changed. Without a key, as often as equal ones
        stand in the source.
    settled
        Its source never changes it, and gives its key to nothing else in the world: it is known
        by the key alone, wherever and beside whatever it is met again.
    unused
        Names of what its source says and nothing here has room for; an answer lists them.
    """

    called: ClassVar[str]  # the kind of record, as answers and the table `imported` name it
    slow: ClassVar[bool] = False  # whether it has a transaction of its own, as a screen to learn
    where: str
    key: str = ""
    settled: bool = False
    unused: tuple[str, ...] = ()

    @property
    def content(self) -> dict[str, Any]:
        """Values of the record, by the names of its fields."""
        names, values = _own_fields(type(self))  # type: ignore[arg-type]  # a class has a hash
        return dict(zip(names, values(self), strict=True))


@cache
def _own_fields(kind: type[ForeignRecord]) -> tuple[tuple[str, ...], Callable[[Any], Any]]:
    """Return the names of the fields that a kind has beside those of all, and what reads them."""
    base = ForeignRecord.__dataclass_fields__
    names = tuple(field.name for field in fields(kind) if field.name not in base)
    if len(names) == 1:
        return names, lambda record: (getattr(record, names[0]),)
    return names, attrgetter(*names)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRecord(ForeignRecord):
    """One raw turn of a thread."""

    called: ClassVar[str] = "turn"

    text: Any
    role: str = "user"
    speaker: str | None = None
    session: str | None = None
    logged_at: When | None = None
    details: Any = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeRecord(ForeignRecord):
    """One episode."""

    called: ClassVar[str] = "episode"

    summary: str
    details: str = ""
    tags: tuple[str, ...] = ()
    participants: tuple[str, ...] = ()
    happened_at: When | None = None
    confidence: str = "medium"
    thread: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FactRecord(ForeignRecord, FactInput):
    """One fact; with `subject`, `attribute` and `value` where the source parts them."""

    called: ClassVar[str] = "fact"


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasRecord(ForeignRecord):
    """Two words that mean the same."""

    called: ClassVar[str] = "alias"

    term: str
    synonym: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalRecord(ForeignRecord):
    """An entry of a session's journal: its task, a named value, a decision, what is to be done, ...

    Parameters
    ----------
    entry
        ``task``, ``context``, ``decide``, ``pending``, ``done`` or ``blocker``.
    name
        Of a ``context``.
    """

    called: ClassVar[str] = "journal entry"

    session: str
    entry: str
    text: str
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillRecord(ForeignRecord):
    """A skill, which comes in as a draft: nothing of it runs before a person approves it."""

    called: ClassVar[str] = "skill"

    draft: SkillDraft


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptRecord(ForeignRecord):
    """An item of memctl's own export, or one that was taken out of its file.

    Parameters
    ----------
    kind, item
        As `memctl.porting.exports.kept_items` describes; without an item, it was taken out, and
        `key` names it.
    digest
        That of the item when it was exported; empty where nobody knows.
    origin
        The id of the store that it was exported from.
    """

    kind: str
    item: Mapping[str, Any] | None
    digest: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenSkillRecord(SkillRecord):
    """A draft whose targets and screens have the names and ids of the source."""


@dataclass(frozen=True, slots=True)
class PictureFile:
    """A file with a picture; it is read when it is needed.

    Parameters
    ----------
    sha256
        Of the file: wherever it stands, it is the same picture.
    scale
        Its device-pixel ratio.
    """

    path: Path = field(repr=False, compare=False)
    sha256: str
    scale: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentRecord(ForeignRecord):
    """A component with its pictures; its key is what states and acts name it by."""

    called: ClassVar[str] = "component"

    about: ForeignComponent
    looks: tuple[PictureFile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StateRecord(ForeignRecord):
    """A state, defined by components that the source names; its key is its id there.

    Parameters
    ----------
    screen
        A screenshot that may show it.
    """

    called: ClassVar[str] = "state"

    about: ForeignState
    components: tuple[str, ...]
    screen: PictureFile | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TransitionRecord(ForeignRecord):
    """What an act on one state led to, and how often; states by their ids in the source.

    Parameters
    ----------
    ends
        What defines the two states there: between other screens of these ids it is another way.
    """

    called: ClassVar[str] = "transition"

    ends: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    from_state: str
    action: str
    to_state: str
    successes: int
    failures: int = 0
    last_used_at: When | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedAct:
    """One act of a recording; places are pixels of the screen before it.

    Parameters
    ----------
    to
        Where a drag ends, or how far a scroll goes.
    seconds
        How long it took until the screen was there.
    """

    kind: str
    before: PictureFile
    after: PictureFile
    x: float | None = None
    y: float | None = None
    to: tuple[float, float] | None = None
    text: str = ""
    secret: bool = False
    title_before: str = ""
    title_after: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingRecord(ForeignRecord):
    """A recording: its screens are learned, its acts are ways, and all of it is a draft."""

    called: ClassVar[str] = "recording"
    slow: ClassVar[bool] = True

    name: str
    acts: tuple[RecordedAct, ...]
    url: str | None = None
    description: str = ""
    parameters: tuple[tuple[str, str], ...] = ()


class NeedleArea(NamedTuple):
    """An area of a needle.

    Parameters
    ----------
    kind
        ``match``, ``ocr``, ``exclude``, or what its source calls it.
    box
        ``(x, y, w, h)`` in pixels of the screenshot.
    text
        What is to be read there.
    why
        Why it cannot be used; empty where it can.
    """

    kind: str
    box: tuple[int, int, int, int]
    text: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedleRecord(ForeignRecord):
    """A screenshot that is learned as a page, and its areas."""

    called: ClassVar[str] = "needle"
    slow: ClassVar[bool] = True

    page: str
    screen: PictureFile
    areas: tuple[NeedleArea, ...]


class Format(NamedTuple):
    """A foreign format: whether a path is one, the records in it, and how many, where that is cheap."""

    recognises: Callable[[Path], bool]
    read: Callable[[Path, Mapping[str, Any]], Records]
    total: Callable[[Path, Mapping[str, Any]], int] | None = None


@dataclass(frozen=True, slots=True)
class UnreadRecord(Result):
    """A record that a reader met and cannot hand on, and why."""

    where: str
    why: str
    counts: bool = field(default=True, kw_only=True)
    """False: it is no record, only something worth saying of the source."""
