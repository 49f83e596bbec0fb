"""Candidates as rows: a statement, the turns that support it, and other wordings of it."""

from __future__ import annotations

import json
from collections import defaultdict
from math import fsum, log
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.extraction.speakers import with_speaker
from memctl.store import statements
from memctl.text.closed_words import word_heads
from memctl.text.normal import same_key
from memctl.text.relation import relation
from memctl.text.statement import denies, figures_in, names_in

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Mapping, Sequence

    from memctl.store.store import Store

SQL = statements.load("store/candidate")

# From which share of their words, weighed by rareness, two wordings speak for each other.
_ALIKE = 0.3
# From which share of their words two that begin alike and go on otherwise are about one thing.
_RIVAL = 0.2
_FEW = 50  # candidates; with fewer, a word is as rare as among so many
_COMMON = 1_000  # candidates with a word, from which on it tells nothing
_NO_NAMES = frozenset(["user", "always", "never"])
_ASKED = 0.4  # of a question's words, that a candidate holds which was meant
_FRAME = 3  # words that two texts share around the one place where they differ
# Letters that forms of one word share.
_STEM = 6
# Looks for the same in other words: lists of the rarest words, rows of each, texts compared.
_TELLING, _NEWEST, _COMPARED = 5, 30, 12


class Heading(NamedTuple):
    """Where and when a candidate was stated: characters `start` to `end` of a turn, the moment, its day."""

    turn: int
    start: int
    end: int
    at: str
    day: str


class Statement(NamedTuple):
    """A sentence that is worth keeping, as it would be kept.

    Parameters
    ----------
    text
        Names stand for "I", dates for "tomorrow".
    speaker, category
        Who said it, and the kind that its words speak for.
    keep_score
        Points.
    boot_overlap
        Share of its words that the assistant's instructions hold, 0 to 1.
    tags
        Its concepts.
    why
        Why it cannot stand alone; empty where it can.
    """

    text: str
    speaker: str
    category: str | None
    keep_score: float
    standing_order: bool
    boot_overlap: float
    tags: Sequence[str]
    why: str


class _Likely(NamedTuple):
    """A candidate that shares rare words with a text, and its likeness from 0 to 1."""

    share: float
    id: int
    text: str


class CandidateTable:
    """The candidates of one store; whoever writes is inside a step of a run."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def stage(self, statement: Statement, heading: Heading) -> int:
        """Keep a statement, or count a known one once more; return its id.

        It is one with another only word for word: a word more or less may turn what is said round.
        """
        key = same_key(statement.text)
        row: dict[str, Any] = {
            **statement._asdict(),
            "equal_key": key,
            "standing_order": int(statement.standing_order),
            "tags": json.dumps(list(statement.tags), ensure_ascii=False),
            "said_at": heading.at,
            **self._store.owner,
        }
        known = self._store.row(SQL.equal, row)
        if known is None:
            likely = self._likely(_stems(statement.text))
            candidate = self._store.insert(SQL.add, row)
            near = [{"id": candidate, **pair} for pair in self._near(statement.text, likely)]
            self._store.execute_many(SQL.add_near, near)
            words = [{"word": word, "id": candidate} for word in sorted(_stems(statement.text))]
            self._store.execute_many(SQL.add_word, words)
        else:
            candidate = int(known["id"])
            self._store.execute(SQL.say_again, {**row, "id": candidate})
        place = {"id": candidate, "turn": heading.turn, "start": heading.start, "end": heading.end}
        self._store.execute(SQL.add_source, place)
        self._link(candidate, statement.text, heading.turn)
        return candidate

    def _link(self, candidate: int, text: str, turn: int) -> None:
        """Link a turn to the earlier turns that it contradicts: recall ranks it above them."""
        for rival in self._store.rows(SQL.rivals_of, {"id": candidate}):
            link = relation(text, rival["text"])
            kind = "contradiction" if link.kind == "contradicts" else "update"
            asked = {"turn": turn, "rival": rival["id"], "kind": kind, "score": link.score}
            self._store.execute(SQL.link_turns, {**asked, "why": f'says "{text}"'})

    def signal(
        self,
        candidate: int,
        kind: str,
        *,
        at: str,
        source: str,
        score: float,
        day: str = "",
        query: str = "",
        rank: int | None = None,
        cover: float = 1.0,
    ) -> None:
        """Keep what speaks for a candidate; the same source speaks once.

        `day` is the user's at that time, where it was told in an offset.
        """
        heard = {"id": candidate, "kind": kind, "at": at, "source": source, "score": score}
        heard["day"] = day or self._store.zone.day(at)
        asked = {"query": query, "rank": rank, "cover": cover}
        if self._store.execute(SQL.add_signal, heard | asked):
            self._store.execute(SQL.make_due, {"id": candidate})

    def merge(self, candidate: int, into: int, why: str) -> None:
        """Let a candidate be the same statement as another, which takes over what it rests on."""
        both = {"id": candidate, "into": into, "why": why}
        self._store.execute(SQL.hand_on_sources, both)
        self._store.execute(SQL.hand_on_signals, both)
        self._store.execute(SQL.merge, both)

    def several(self, ids: Collection[int]) -> Mapping[int, sqlite3.Row]:
        """Return the rows of some candidates, with their words."""
        rows = self._store.rows(SQL.several, {"ids": json.dumps(sorted(ids))})
        return {row["id"]: row for row in rows}

    def signals(self, ids: Collection[int]) -> Mapping[int, list[sqlite3.Row]]:
        """Return the signals of some candidates, and of the same in other words, by time."""
        result: defaultdict[int, list[sqlite3.Row]] = defaultdict(list)
        for row in self._store.rows(SQL.signals, {"ids": json.dumps(sorted(ids))}):
            result[row["candidate_id"]].append(row)
        return result

    def rivals(self, ids: Collection[int]) -> Mapping[int, str]:
        """Return later contradictions of some candidates, by candidate."""
        rows = self._store.rows(SQL.rival_since, {"ids": json.dumps(sorted(ids))})
        return {row["candidate_id"]: row["text"] for row in rows}

    def known(self, ids: Collection[int]) -> set[int]:
        """Return the candidates that a fact already states in other words."""
        rows = self._store.rows(SQL.known_by_kin, {"ids": json.dumps(sorted(ids))})
        return {row["candidate_id"] for row in rows}

    def nearest(self, text: str) -> int | None:
        """Return the candidate that shares most words with a text, of those that could mean it.

        What lacks a figure or a name of the text, tells of something else; what denies as the text
        does, goes first.
        """
        specific = figures_in(text) | names_in(text)
        result = [
            rival
            for rival in self._likely(_stems(text))
            if all(word in rival.text for word in specific)
        ]
        result.sort(key=lambda rival: denies(rival.text) != denies(text))  # stable
        return result[0].id if result else None

    def cover(self, question: str, candidates: Collection[int]) -> Mapping[int, float]:
        """Return each candidate's share of a question's words, by rareness, 0 to 1.

        A word that no candidate holds says nothing of which of them was meant. One that lacks a
        name or a figure of the question is not meant, nor most of its words, nor one that says the same
        of something else.
        """
        specific = names_in(question) | figures_in(question)
        stems, stated = _stems(question), with_speaker(question)
        weight = {word: rare for word, (count, rare) in self._rareness(stems).items() if count}
        whole = fsum(weight.values())
        result = {}
        for row in self.several(candidates).values():
            some = stems & set(json.loads(row["words"]))
            held = fsum(weight.get(word, 0.0) for word in some)
            meant = (
                len(some) >= _ASKED * len(stems)
                and all(word in row["text"] for word in specific)
                and not _differ_in_one_place(stated, row["text"])
            )
            result[row["id"]] = held / whole if whole and meant else 0.0
        return result

    def _likely(self, stems: set[str]) -> Sequence[_Likely]:
        """Return the candidates that share rare words, the likest first."""
        if not stems:
            return []
        weight = {word: most for word, (_, most) in self._rareness(stems).items()}
        telling = sorted(stems, key=lambda word: (-weight[word], word))[:_TELLING]
        shares: defaultdict[int, float] = defaultdict(float)
        asked = {**self._store.owner, "most": _NEWEST}
        for word in telling:
            for (other,) in self._store.rows(SQL.newest_with, {**asked, "word": word}):
                shares[other] += weight[word]
        likely = sorted(shares, key=lambda candidate: (-shares[candidate], -candidate))[:_COMPARED]
        rivals = (
            _Likely(_likeness(stems, set(json.loads(row["words"])), weight), row["id"], row["text"])
            for row in self.several(likely).values()
        )
        return sorted(rivals, key=lambda candidate: (-candidate[0], candidate[1]))

    def _near(self, text: str, likely: Sequence[_Likely]) -> Sequence[Mapping[str, Any]]:
        """Return the candidates about the same thing, each as kin or as a rival.

        Of rivals one replaces the other ("My vet is Greta"), or denies what it says; kin has the same names and figures, and as many words in common as two wordings of
        one thing have.
        """
        result = []
        for other in likely:
            if relation(text, other.text).changes:
                if other.share >= _RIVAL:
                    result.append({"other": other.id, "relation": "rival"})
            elif other.share >= _ALIKE and _told_alike(text, other.text):
                kin = denies(text) == denies(other.text)
                result.append({"other": other.id, "relation": "kin" if kin else "rival"})
        return result

    def _rareness(self, stems: set[str]) -> Mapping[str, tuple[int, float]]:
        """Return the number of candidates with each word, and its idf."""
        total = max(_FEW, int(self._store.value(SQL.size)))
        asked = {"words": json.dumps(sorted(stems)), "most": _COMMON}
        rows = self._store.rows(SQL.word_counts, asked)
        return {
            row["word"]: (row["count"], log((total + 1) / (row["count"] + 0.5))) for row in rows
        }


def _likeness(mine: set[str], its: set[str], weight: Mapping[str, float]) -> float:
    """Return the Jaccard index of two sets of words, weighed by rareness; a strange word weighs most."""
    most = max(weight.values())
    # `fsum` does not depend on the order, which differs from process to process.
    shared = fsum(max(0.0, weight[word]) for word in mine & its)
    whole = shared + fsum(max(0.0, weight.get(word, most)) for word in mine ^ its)
    return shared / whole if whole > 0 else 0.0


def _told_alike(text: str, other: str) -> bool:
    """Return whether two texts have the same names and figures, and similar words.

    That Hanna works in Split and that her key was lost there are two things.
    """
    alike = all(cut(text) == cut(other) for cut in (names_in, figures_in))
    named = _stems(" ".join(names_in(text) | figures_in(text)))
    if not alike or _differ_in_one_place(text, other):
        return False
    if not (_stems(text) & _stems(other)) - named:
        return False
    return _opens_within(text, other) and _opens_within(other, text)


def _differ_in_one_place(text: str, other: str) -> bool:
    """Return whether two texts are equal but for one place.

    "I forgot soap in the train to Riga" and "I forgot a map in the train to Riga" are two events, however
    many words they share; who says one thing in other words changes more than that.
    """
    first, two = (words.casefold().rstrip(".!").split() for words in (text, other))
    least = min(len(first), len(two))
    begins = next((at for at in range(least) if first[at] != two[at]), least)
    first, two = first[begins:], two[begins:]
    least = min(len(first), len(two))
    ends = next((at for at in range(least) if first[-1 - at] != two[-1 - at]), least)
    here, there = (" ".join(words[: len(words) - ends]) for words in (first, two))
    return begins + ends >= _FRAME and bool(_stems(here)) and bool(_stems(there))


def _opens_within(text: str, other: str) -> bool:
    """Return whether a text begins with a word of grammar, or with one that the other has, too.

    The first word has a capital whatever it is: where the other lacks it, it may be a name.
    """
    first = text.split(None, 1)[0] if text.strip() else ""
    return _stems(first.removesuffix("'s")) - _NO_NAMES <= _stems(other)


def _stems(text: str) -> set[str]:
    return word_heads(text, _STEM)
