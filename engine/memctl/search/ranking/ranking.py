"""Ranks the candidates of a question: their places in threads, their neighbours, their scores."""

from __future__ import annotations

import heapq
import json
from collections import Counter
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.search.index.index_rows import EPISODE, FACT, TURN, kind_of, row_of
from memctl.search.index.index_words import IndexWords
from memctl.search.question.concepts import idf, words_in
from memctl.search.ranking import ranking_constants as constants
from memctl.search.ranking import row_candidates as found_by
from memctl.search.ranking.row_candidates import USER, weight
from memctl.search.ranking.scores import Ranked, Ranking
from memctl.search.ranking.terms import TERMS
from memctl.store import statements
from memctl.text.calendar.said_dates import days_said, tells_time
from memctl.text.relation import relation
from memctl.text.splitting import WORD

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping

    from memctl.search.index.reader import IndexReader
    from memctl.search.question.question import RecallQuestion
    from memctl.search.ranking.row_candidates import RowCandidate
    from memctl.search.ranking.scores import Ranked, Thread


SQL = statements.load("store/search")

# Days that a text names at most beyond those that are asked for: "last year" names no day of it.
_WEEK = timedelta(days=7)
# A wish that stands: it says how things are to be done from now on.
_WISH = Pattern(
    r"\b(?:always|never|from now on|i(?:'d)? prefer|i(?:'d| would) (?:rather|like you to)|please (?:use|avoid))\b"
)


def rank(
    reader: IndexReader,
    question: RecallQuestion,
    *,
    most: int,
    meaning: Mapping[int, float] | None = None,
) -> tuple[Ranking, list[Ranked]]:
    """Return the candidates that pass the filters, the best first.

    Ties go to the newest, then to the higher row, so that the order is always the same.

    Parameters
    ----------
    most
        How many will be shown: among these, texts are read for what they tell.
    meaning
        The cosine of the rows that are nearest in meaning, the nearest first: candidates, too.
    """
    gathered = found_by.gather(reader, question)
    masks, ordered = gathered.masks, found_by.keep(gathered, question, most)
    near = [row for row in meaning or () if reader.sees(row)][: constants.NEAR]
    masks.update(dict.fromkeys([row for row in near if row not in masks], 0))
    ordered = list(dict.fromkeys([*near, *ordered]))
    del gathered  # its sets are large, and every garbage collection would visit them
    asks_texts = reader.request.allows_turns_or_episodes
    # Where no word is known, what is asked is a person or a day, and these are held.
    held = question.total_idf / question.weight if question.concepts else 1.0
    alone = constants.STANDS_ALONE if asks_texts else 0.0
    ranking = Ranking(question, held, alone, reader.thing, meaning or {})
    ranking.sum_up(TERMS)
    by_row: dict[int, Ranked] = {}
    for start in range(0, len(ordered), constants.KEPT):
        # A row beside one of the first page may be of the next: then more of its neighbours are read.
        candidates = _candidates(reader, ranking, ordered[start : start + constants.KEPT], masks)
        for scored in ranking.scored([candidate for candidate in candidates if candidate.wanted]):
            # A neighbour of a row of this page may be a row of the next: the better one counts.
            known = by_row.get(scored.candidate.row)
            if known is None or known.score < scored.score:
                by_row[scored.candidate.row] = scored
        # A first page is enough, unless more is asked for, or filters hide most of it.
        if len(by_row) >= max(most, constants.KEPT // 2):
            break
    ranked = sorted(by_row.values(), key=_order, reverse=True)
    if ranked and (question.aim.of_time or question.aim.of_help or question.spans):
        _add_told(reader, ranking, ranked, most)
        ranked.sort(key=_order, reverse=True)
    best = ranked[: max(most, constants.READ)]
    if episodes := [scored for scored in best if kind_of(scored.candidate.row) == EPISODE]:
        _look_into_details(reader, ranking, episodes)
        ranked.sort(key=_order, reverse=True)
    return ranking, ranked


def _candidates(
    reader: IndexReader, ranking: Ranking, kept: list[int], masks: dict[int, int]
) -> list[RowCandidate]:
    """Return the candidates of the rows kept and their neighbours, threads and subjects scored."""
    question = ranking.question
    rows = {*kept} | found_by.next_to(kept[: constants.ANCHORS])
    if reader.scope is not None and question.aim.of_now and not reader.scope.parameters["as_of"]:
        rows |= found_by.lend_to_newer(reader, kept, masks, ended=len(question.concepts) > 1)
    read = found_by.read(reader, rows, masks, question)
    threads = {read[row].thread for row in kept if row in read}
    candidates = ranking.take(
        candidate
        for row, candidate in read.items()
        if row in masks or (candidate.thread is not None and candidate.thread in threads)
    )
    places = _places(reader, _heaviest(candidates))
    candidates += _neighbours(reader, ranking, candidates, places, masks)
    ranking.threads |= _thread_scores(reader, candidates, places)
    if reader.scope is not None and any(
        kind_of(candidate_row.row) == FACT for candidate_row in candidates
    ):
        candidates = _facts_told(reader, ranking, candidates)
    ranking.settle(candidates)
    return candidates


def _facts_told(
    reader: IndexReader, ranking: Ranking, candidates: list[RowCandidate]
) -> list[RowCandidate]:
    """Return the candidates without facts that do not answer; note whose subject is named."""
    assert reader.scope is not None  # noqa: S101  (the caller looked)
    base = row_of(FACT, 0)
    phrases = [expansion.synonym for expansion in ranking.question.expansions]
    named = reader.scope.named(ranking.question.respelt, phrases)
    ranking.subjects |= {base + number for number in named}
    numbers = [one.row - base for one in candidates if kind_of(one.row) == FACT]
    hidden = {base + number for number in reader.scope.hidden(numbers)}
    ranking.overridden |= bool(hidden)
    return [candidate for candidate in candidates if candidate.row not in hidden]


def _order(ranked: Ranked) -> tuple[float, float, str, int]:
    return ranked.score, ranked.candidate.order, ranked.candidate.at, ranked.candidate.row


def _neighbours(
    reader: IndexReader,
    ranking: Ranking,
    candidates: list[RowCandidate],
    places: Mapping[Thread, int],
    masks: Mapping[int, int],
) -> list[RowCandidate]:
    """Return the candidates up to two places away from the best, where one is not read yet."""
    best = heapq.nlargest(constants.ANCHORS, candidates, key=lambda c: (c.own, c.at, c.row))
    added: list[RowCandidate] = []
    # By their numbers, since mostly a thread's are in a row; then by their places, of threads that
    # were logged at the same time.
    for by_number in (True, False):
        alone = [c for c in best if not ranking.is_surrounded(c, places)]
        if not alone:
            break
        beside = {(c.thread, c.seq + steps) for c in alone for steps in range(-2, 3)}
        if by_number:
            rows = found_by.next_to(candidate.row for candidate in alone)
        else:
            rows = found_by.around(reader, ((c.thread, c.seq) for c in alone if c.thread))
        beside_them = found_by.read(reader, rows, masks, ranking.question).values()
        added += ranking.take(
            candidate
            for candidate in beside_them
            if (candidate.thread, candidate.seq) in beside and not ranking.holds(candidate)
        )
    return added


def _heaviest(candidates: Iterable[RowCandidate]) -> list[Thread]:
    """Return the THREADS threads at most whose rows weigh most together."""
    weights: dict[Thread, float] = {}
    for candidate in candidates:
        if candidate.mask and (thread := candidate.thread) is not None:
            weights[thread] = weights.get(thread, 0.0) + candidate.own
    if len(weights) <= constants.THREADS:
        return sorted(weights)
    return heapq.nlargest(constants.THREADS, weights, key=lambda one: (weights[one], one))


def _thread_scores(
    reader: IndexReader, candidates: Iterable[RowCandidate], places: Mapping[Thread, int]
) -> dict[Thread, float]:
    """Return BM25 of each thread as one document, divided by what the whole question weighs.

    A word counts once for each row of the thread that holds it; a thread's length is its
    number of places.
    """
    if not places:
        return {}
    rows: dict[Thread, dict[int, int]] = {}  # of each thread, how many hold which concept
    for candidate in candidates:
        thread = candidate.thread
        if candidate.mask and thread is not None and thread in places:
            held = rows.setdefault(thread, {})
            for bit in _bits(candidate.mask):
                held[bit] = held.get(bit, 0) + 1
    mean = sum(places.values()) / len(places)
    in_threads = Counter(bit for held in rows.values() for bit in held)
    threads = max(len(rows), reader.size.rows / mean)
    idfs = {bit: idf(count, threads) for bit, count in in_threads.items()}
    total = sum(idfs.values()) or 1.0
    return {
        thread: sum(
            idfs[bit] * _saturated(count, places[thread] / mean) for bit, count in held.items()
        )
        / total
        for thread, held in rows.items()
    }


@lru_cache(maxsize=4096)
def _bits(mask: int) -> tuple[int, ...]:
    return tuple(bit for bit in range(mask.bit_length()) if mask >> bit & 1)


def _saturated(rows: int, relative_length: float) -> float:
    norm = 1 - constants.THREAD_B + constants.THREAD_B * relative_length
    return rows * (constants.THREAD_K1 + 1) / (rows + constants.THREAD_K1 * norm)


def _places(reader: IndexReader, threads: list[Thread]) -> dict[Thread, int]:
    """Return how many places each thread has."""
    result: dict[Thread, int] = {}
    marks = reader.size.marks
    for kind, sql in ((TURN, SQL.session_sizes), (EPISODE, SQL.thread_sizes)):
        names = [name for of_kind, name in threads if of_kind == kind]
        if names:
            asked = {"threads": json.dumps(names), "turn": marks.turn, "episode": marks.episode}
            rows = reader.store.rows(sql, asked)
            result |= {(kind, row["thread"]): max(1, row["places"] or 0) for row in rows}
    return result


def _look_into_details(reader: IndexReader, ranking: Ranking, episodes: list[Ranked]) -> None:
    """Note the words that only the details of an episode have: its summary weighs more."""
    question = ranking.question
    ranking.read_texts(reader, [scored.candidate.row for scored in episodes])
    held = [
        (episode, ranking.texts[row])
        for episode in episodes
        if (row := episode.candidate.row) in ranking.texts
    ]
    detailed = [
        (scored, cells) for scored, cells in held if cells["details"] and scored.candidate.mask
    ]
    if not detailed:
        return
    texts = [
        "\n".join((cells["text"], cells["tags"], cells["participants"])) for _, cells in detailed
    ]
    above = words_in(texts, question.concepts, IndexWords(reader.store))
    for (scored, _), words in zip(detailed, above, strict=True):
        candidate = scored.candidate
        below = [each for each in question.held(candidate.mask) if not each.is_among(words)]
        share = sum(each.weight for each in below) / question.total_idf
        ranking.in_details[candidate.row] = share * candidate.factor
    ranking.score_anew([scored for scored, _ in detailed])


def _add_told(reader: IndexReader, ranking: Ranking, ranked: list[Ranked], most: int) -> None:
    """Read the best rows for a day, a time or a wish: with it, the others would stay behind."""
    question = ranking.question
    aim = question.aim
    gain = max(
        constants.WHEN * aim.of_time,
        constants.WISH * aim.of_help,
        constants.DATE * bool(question.spans),
    )
    bar = ranked[:most][-1].score - gain * ranking.held
    near = [scored for scored in ranked[: constants.READ] if scored.score >= bar]
    near = [scored for scored in near if kind_of(scored.candidate.row) != FACT]
    ranking.read_texts(reader, [scored.candidate.row for scored in near])
    near = [scored for scored in near if scored.candidate.row in ranking.texts]
    for place, scored in enumerate(near):
        row = scored.candidate.row
        cells = ranking.texts[row]
        if question.spans and place < constants.DATES_READ:
            ranking.days_told[row] = _says_day(question, cells)
        if aim.of_time and tells_time(cells["text"][: constants.CHARACTERS_READ]):
            ranking.tells_time.add(row)
        user = scored.candidate.mask and scored.candidate.said_as == USER
        if aim.of_help and user and _WISH.search(cells["text"].lower()):
            ranking.wishes.add(row)
    ranking.score_anew(near)


def _says_day(question: RecallQuestion, cells: sqlite3.Row) -> float:
    """Return 1 where a text names a day that is asked for, or has the same words; else 0."""
    text = cells["text"][: constants.CHARACTERS_READ]
    lowered = text.lower()
    if any(span.words.lower() in lowered for span in question.spans):
        return 1.0
    said = days_said(text, question.zone.local(cells["happened_at"], cells["utc_offset"]))
    return float(
        any(
            one.meets(asked)
            for one in said
            for asked in question.spans
            if (one.last - one.first) <= 2 * (asked.last - asked.first) + _WEEK
        )
    )


# -- The newer of two statements -----------------------------------------------------------


_NUMBER = Pattern(r"\d")
# A newer row must have this share of the older one's score.
_SCORE = 0.5
# The share of the older row's words of the question that the newer holds too, where both tell a
# number; and the share of all words of the shorter text, where it holds all of these.
_SHARED = 0.2
_ALIKE = 0.6
# What puts a row just above another.
_ABOVE = 1e-4


def newest_first(ranking: Ranking, ranked: list[Ranked], most: int) -> None:
    """Put newer rows among the first `most` above older statements of the same, in place.

    Only where a question asks for a value that holds now. Two facts say the same where one may
    replace the other; other rows where they are of one speaker and in nearly the same words; or the older stands above, both tell a number, and
    the newer holds a good part of the words of the question that the older holds. Their texts are
    read. A fact that may replace an older one, and of which nobody has decided, stands above it too.
    """
    first = [scored for scored in ranked[:most] if scored.candidate.row in ranking.texts]
    _undecided_first(ranking, ranked, first)
    if not ranking.question.aim.of_state:
        return
    for newer in sorted(first, key=_age):
        above = ranked[: ranked.index(newer)]
        older = next((scored for scored in above if _same(ranking, newer, scored)), None)
        if older is not None:
            _raise(ranking, ranked, newer, older)
        for scored in first:
            if scored is older or _same(ranking, newer, scored, numbers=False):
                scored.earlier_than = newer.candidate.row


def _undecided_first(ranking: Ranking, ranked: list[Ranked], first: list[Ranked]) -> None:
    """Put a fact that may replace another above it, and mark that as earlier."""
    of_id = {
        ranking.texts[scored.candidate.row]["id"]: scored
        for scored in first
        if kind_of(scored.candidate.row) == FACT
    }
    for newer in sorted(of_id.values(), key=_age):
        older = of_id.get(ranking.texts[newer.candidate.row]["may_replace"])
        if older is None or older is newer:
            continue
        older.earlier_than = newer.candidate.row
        if ranked.index(older) < ranked.index(newer):
            _raise(ranking, ranked, newer, older)


def _raise(ranking: Ranking, ranked: list[Ranked], newer: Ranked, older: Ranked) -> None:
    row = newer.candidate.row
    ranking.raised[row] = ranking.raised.get(row, 0.0) + older.score + _ABOVE - newer.score
    newer.score = older.score + _ABOVE
    ranked.remove(newer)
    ranked.insert(ranked.index(older), newer)


def _age(ranked: Ranked) -> tuple[str, int]:
    return ranked.candidate.at, ranked.candidate.row


def _same(ranking: Ranking, newer: Ranked, older: Ranked, *, numbers: bool = True) -> bool:
    """Return whether two rows state the same; `numbers`: or a number of the same thing."""
    aged = _age(older) < _age(newer) and older.candidate.row in ranking.texts
    if not aged or older.candidate.who != newer.candidate.who or newer.score < _SCORE * older.score:
        return False
    concepts = ranking.question.concepts
    held = weight(older.candidate.mask, concepts)
    shared = weight(newer.candidate.mask & older.candidate.mask, concepts)
    if not shared or shared < _SHARED * held:
        return False
    newer_cells, older_cells = (ranking.texts[each.candidate.row] for each in (newer, older))
    text, other = newer_cells["text"], older_cells["text"]
    if _may_replace(newer_cells, older_cells):
        return True
    if newer_cells["kind"] == older_cells["kind"] == "fact":
        return relation(text, other).changes
    if numbers and _NUMBER.search(text) and _NUMBER.search(other):
        return True
    return shared == held and _alike(text, other)


def _may_replace(newer: sqlite3.Row, older: sqlite3.Row) -> bool:
    """Return whether one fact, or one turn, contradicts another."""
    if newer["kind"] != older["kind"] or not newer["may_replace"]:
        return False
    if newer["kind"] == "turn":
        return older["id"] in json.loads(newer["may_replace"])
    return bool(newer["may_replace"] == older["id"])


def _alike(one: str, other: str) -> bool:
    words, others = (frozenset(WORD.findall(text.lower())) for text in (one, other))
    return len(words & others) >= _ALIKE * max(1, min(len(words), len(others)))
