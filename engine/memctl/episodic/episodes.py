"""The episodes of a store: one sentence each on something that happened, and its details."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.arguments import checked_class
from memctl.base.clock import When
from memctl.base.errors import NotFoundError, UnusableInputError, UsageError
from memctl.base.near_words import one_of
from memctl.episodic.retention import Retention
from memctl.guard import door
from memctl.store import statements
from memctl.store.pages import ListPage, read_page
from memctl.store.results import Result
from memctl.text.cleaning import cleaned, cleaned_name, text_of
from memctl.text.fences import without_block, without_recalled

if TYPE_CHECKING:
    import sqlite3

    from memctl.base.user_zone import UserZone
    from memctl.store.store import Store

SQL = statements.load("store/episodic")
RETENTION = statements.load("store/episodic_retention")

_CONFIDENCES = ("low", "medium", "high")
_TEXTS = ("summary", "details", "tags", "participants")
_AT_ONCE = 64  # episodes a statement: the longest fit into it
# A page of tags is not a list of tags.
_MAX_NAMES = 200


@dataclass(frozen=True, slots=True)
class Episode(Result):
    """One thing that happened."""

    id: int
    summary: str  # one sentence
    details: str
    tags: tuple[str, ...]
    participants: tuple[str, ...]
    confidence: str  # low, medium or high: of whoever wrote it
    source: str | None  # a person, a session, a file
    thread: str | None
    seq: int  # its place there, from 1
    happened_at: str
    utc_offset: int | None  # minutes that the clock was ahead of UTC there, where that is known
    remembered_at: str
    archived_at: str | None  # when it was forgotten
    archived_why: str | None
    user_id: str = ""  # empty for nobody's in particular, as the next two
    agent_id: str = ""
    project: str = ""


@checked_class
class Episodes(Retention[Episode]):
    """The episodes of one store, each known by its id."""

    _kind = "episode"

    def __init__(self, store: Store) -> None:
        self._store = store

    # The text of a message is looked at below, once it was read out of its shape.
    @door.guarded("episode", unwritten=("summary", "details"))
    def add(
        self,
        summary: Any,
        details: Any = "",
        tags: Iterable[str] = (),
        participants: Iterable[str] = (),
        happened_at: When | None = None,
        confidence: str = "medium",
        thread: str | None = None,
        *,
        source: str | None = None,
        turns: Iterable[int] = (),
    ) -> int:
        """Remember one episode; return its id. As `memctl.Memory.remember`."""
        row = self._row(
            summary, details, tags, participants, happened_at, confidence, thread, source
        )
        with self._store.transaction():
            (episode,) = self._insert([row])
            for turn in turns:
                linked = {"episode_id": episode, "log_id": turn}
                if not self._store.execute(SQL.link_turn, linked):
                    raise UsageError(f'there is no turn "{turn}" to make an episode from')
        return episode

    # Each is looked at below, once it was read out of its shape.
    @door.guarded("episode", unwritten=("episodes",))
    def add_many(
        self, episodes: Sequence[Mapping[str, Any]], *, source: str | None = None
    ) -> list[int]:
        """Remember episodes in one transaction, all or none; return their ids.

        Parameters
        ----------
        episodes
            Each a mapping of `add`'s parameters, but for `turns`.
        source
            Of all of them.

        Raises
        ------
        UnusableInputError, UsageError, SecretRefusedError
            When one of them is refused; nothing is written.
        """
        rows = []
        for given in episodes:
            row = self._row(**given, source=source)
            names = (*json.loads(row["tags"]), *json.loads(row["participants"]), row["thread"])
            for name in (*names, row["source"]):  # of one episode, the door has looked at these
                door.refuse_secrets(self._store, "episode", "episode", [name])
            rows.append(row)
        with self._store.transaction():
            parts = [rows[at : at + _AT_ONCE] for at in range(0, len(rows), _AT_ONCE)]
            return [episode for part in parts for episode in self._insert(part)]

    def get(self, episode: int) -> Episode:
        """Return one episode. Raises NotFoundError when there is none of this id."""
        row = self._store.row(SQL.episode, {"id": episode})
        if row is None:
            raise NotFoundError(
                f'there is no episode "{episode}"', hint="memctl episodes list shows them"
            )
        return _episode(row)

    # The text of a message is looked at below, as in `add`.
    @door.guarded("episode", unwritten=("summary", "details"))
    def update(
        self,
        episode: int,
        *,
        summary: Any = None,
        details: Any = None,
        tags: Iterable[str] | None = None,
        participants: Iterable[str] | None = None,
        confidence: str | None = None,
    ) -> Episode:
        """Correct the texts of an episode; its id, its time and its thread stay.

        Parameters
        ----------
        episode
            Its id.
        summary, details, tags, participants, confidence
            As `add` takes them; what is ``None`` stays.

        Raises
        ------
        NotFoundError
            When there is none of this id.
        UnusableInputError, UsageError, SecretRefusedError
            As `add`; nothing is written.
        """
        now = self.get(episode)
        given = {"summary": summary, "details": details, "tags": tags}
        given |= {"participants": participants, "confidence": confidence}
        kept = {key: getattr(now, key) if new is None else new for key, new in given.items()}
        row = {**_checked(**kept, happened_at=None, zone=self._store.zone), "id": episode}
        door.refuse_secrets(self._store, "episode", "episode", [row[key] for key in _TEXTS])
        with self._store.transaction():
            self._store.execute(SQL.change_episode, row)
        return self.get(episode)

    @door.guarded("retention")
    def forget(
        self, ids: Iterable[int] = (), *, duplicates: bool = False, why: str = "asked for"
    ) -> int:
        """Mark episodes as forgotten: recall leaves them out, nothing is lost; return how many.

        Parameters
        ----------
        ids
            Which.
        duplicates
            Those that ``list(duplicates=True)`` returns, too.
        why
            The reason, kept.

        Raises
        ------
        NotFoundError
            When one of them does not exist; nothing is forgotten.
        """
        with self._store.transaction():
            chosen = [*ids, *(self._duplicates() if duplicates else ())]
            return self._mark(RETENTION.archive_episodes, chosen, "forgotten", why=why)

    @door.guarded("retention")
    def restore(self, ids: Iterable[int] = (), *, duplicates: bool = False) -> int:
        """Bring forgotten episodes back; return how many.

        Parameters
        ----------
        ids
            Which.
        duplicates
            Those that ``list(duplicates=True, forgotten=True)`` returns, too.

        Raises
        ------
        NotFoundError
            When one of them does not exist; nothing is restored.
        """
        with self._store.transaction():
            chosen = [*ids, *(self._duplicates(forgotten=True) if duplicates else ())]
            return super().restore(chosen)

    def turns_of(self, episode: int) -> list[int]:
        """Return the ids of the turns that an episode was made from."""
        return [row["log_id"] for row in self._store.rows(SQL.turns_of_episode, {"id": episode})]

    def list(
        self,
        *,
        thread: str | None = None,
        tag: str | None = None,
        forgotten: bool = False,
        duplicates: bool = False,
        limit: int | None = None,
    ) -> ListPage[Episode]:
        """Return the episodes, the newest first: the living, or those forgotten.

        Parameters
        ----------
        thread, tag
            Only those of this thread, or that bear this tag.
        forgotten
            The forgotten ones instead of the living.
        duplicates
            Only those that say what an older episode of the same day and thread says, a living one
            before a forgotten one.
        limit
            Most episodes; ``None`` or -1 for all.
        """
        if not self._store.exists:
            return ListPage()
        parameters = {
            "thread": thread,
            "tag": tag,
            "archived": int(forgotten),
            "duplicates": int(duplicates),
        }
        return read_page(self._store, SQL.episodes, parameters, _episode, limit)

    def _row(
        self,
        summary: Any,
        details: Any = "",
        tags: Iterable[str] = (),
        participants: Iterable[str] = (),
        happened_at: When | None = None,
        confidence: str = "medium",
        thread: str | None = None,
        source: str | None = None,
    ) -> dict[str, Any]:
        """Return the columns of an episode that is given by the parameters of `add`; refuse secrets."""
        row = _checked(
            summary, details, tags, participants, happened_at, confidence, self._store.zone
        )
        row["source"] = cleaned_name(source, what="source")
        row["thread"] = cleaned_name(thread, what="thread")
        texts = [row[key] for key in (*_TEXTS, "source", "thread")]
        door.refuse_secrets(self._store, "episode", "episode", texts)
        return row

    def _insert(self, rows: Sequence[Mapping[str, Any]]) -> range:
        given = [{**row, **self._store.owner} for row in rows]
        asked = {"rows": json.dumps(given, ensure_ascii=False)}
        last = self._store.insert(SQL.add_episodes, asked)
        return range(last - len(rows) + 1, last + 1)

    def _duplicates(self, *, forgotten: bool = False) -> Sequence[int]:
        return [one.id for one in self.list(duplicates=True, forgotten=forgotten, limit=-1)]

    def _members(self) -> Sequence[Episode]:
        return self.list()

    def _size(self) -> int:
        return int(self._store.value(SQL.count_episodes))


def _checked(
    summary: Any,
    details: Any,
    tags: Iterable[str],
    participants: Iterable[str],
    happened_at: When | None,
    confidence: str,
    zone: UserZone,
) -> dict[str, Any]:
    sentence = without_recalled(cleaned(text_of(summary), what="summary"), what="the summary")
    if not sentence.strip():
        raise UnusableInputError("the summary is empty", hint="say what happened")
    if confidence not in _CONFIDENCES:
        raise UsageError(
            f'confidence "{confidence}" is unknown', hint=one_of(confidence, _CONFIDENCES)
        )
    when, offset = zone.told(happened_at or zone.now(), what="happened_at")
    return {
        "summary": sentence,
        "details": cleaned(without_block(text_of(details)), what="details") if details else "",
        "tags": _names(tags, what="tag"),
        "participants": _names(participants, what="participant"),
        "confidence": confidence,
        "happened_at": when,
        "utc_offset": offset,
        "remembered_at": clock.now(),
    }


def _names(names: Iterable[str], *, what: str) -> str:
    """Return names as a JSON list, each once, in the order given."""
    given = [names] if isinstance(names, str) else list(names)
    if len(given) > _MAX_NAMES:
        raise UnusableInputError(f"{len(given)} {what}s are too many", hint=f"at most {_MAX_NAMES}")
    kept = dict.fromkeys(
        cleaned(str(name), what=what, limit=door.MAX_LABEL).strip() for name in given
    )
    return json.dumps([name for name in kept if name], ensure_ascii=False)


def _episode(row: sqlite3.Row) -> Episode:
    fields = dict(row)
    for key in ("tags", "participants"):
        fields[key] = tuple(str(name) for name in json.loads(fields[key]))
    return Episode(**fields)
