"""Says why: turns the parts of a score into terms that a person can read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.episodic.results import Row, Term
from memctl.episodic.words import UNSPACED, Words

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from memctl.episodic.candidates import Candidate
    from memctl.episodic.question import Concept, Question
    from memctl.episodic.ranking import Ranked, Ranking
    from memctl.store import Store

__all__ = ["Explainer", "kind_and_id", "tokens_text"]

_COLUMNS = ("text", "details", "tags", "participants")
# Printed values are rounded, and so is the score: their sum.
_DIGITS = 4


def kind_and_id(row: int) -> tuple[str, int]:
    """Return what a row number of the index stands for."""
    return ("episode" if row & 1 else "turn"), row >> 1


def tokens_text(cells: sqlite3.Row) -> str:
    """Return what a row would put into a prompt."""
    return "\n".join(
        part for part in (cells["happened_at"], cells["participants"], cells["text"]) if part
    ) + (f"\n{cells['details']}" if cells["details"] else "")


class Explainer:
    """Explains the rows of one recall."""

    def __init__(self, store: Store, ranking: Ranking) -> None:
        self._words = Words(store)
        self._ranking = ranking
        self._question: Question = ranking.question

    def rows(
        self, chosen: Sequence[Ranked], texts: dict[int, sqlite3.Row], tokens: dict[int, int]
    ) -> list[Row]:
        """Return the rows that people and programs read, in the order of their scores."""
        chosen = [entry for entry in chosen if entry.candidate.row in texts]
        places = self._places([texts[entry.candidate.row] for entry in chosen])
        rows = [
            self._row(entry, texts[entry.candidate.row], place, tokens[entry.candidate.row])
            for entry, place in zip(chosen, places, strict=True)
        ]
        return sorted(rows, key=lambda row: (row.score, row.happened_at, row.id), reverse=True)

    def _row(
        self, entry: Ranked, cells: sqlite3.Row, places: dict[str, str], tokens: int
    ) -> Row:
        candidate = entry.candidate
        terms = [*self._word_terms(candidate, places), *self._other_terms(entry)]
        return Row(
            kind=cells["kind"],
            id=cells["id"],
            text=cells["text"],
            happened_at=cells["happened_at"],
            score=round(sum(term.value for term in terms), _DIGITS),
            matched=tuple(concept.word for concept in self._held(candidate)),
            explain=tuple(terms),
            details=cells["details"],
            who=candidate.who,
            tags=tuple(cells["tags"].split(", ")) if cells["tags"] else (),
            thread=cells["thread"],
            seq=cells["seq"],
            tokens=tokens,
        )

    def _word_terms(self, candidate: Candidate, places: dict[str, str]) -> list[Term]:
        total = self._question.total_idf or 1.0
        terms = []
        for concept in self._held(candidate):
            share = concept.idf / total
            why = f"{places.get(concept.word, 'in the text')}; {share:.0%} of the question's weight"
            value = round(share * candidate.factor, _DIGITS)
            terms.append(Term(f"word:{concept.word}", value, f"{why}{self._note(concept)}"))
        return terms

    def _note(self, concept: Concept) -> str:
        corrected = self._question.corrected.get(concept.word)
        return f'; no row holds "{concept.word}", taken for "{corrected}"' if corrected else ""

    def _other_terms(self, entry: Ranked) -> list[Term]:
        reasons = {
            "answers": self._why_answers,
            "thread": self._why_thread,
            "participant": self._why_participant,
            "date": self._why_date,
            "when": lambda _: "the question asks for a time and the text tells one",
            "opening": lambda _: "it opens its thread",
            "asks": lambda _: "it asks: the answer is elsewhere",
        }
        terms = []
        for name, value in entry.parts.items():
            if name == "words":
                continue
            if name in reasons:
                terms.append(Term(name, round(value, _DIGITS), reasons[name](entry.candidate)))
            else:
                terms.append(self._neighbour_term(entry.candidate, name, value))
        return terms

    def _neighbour_term(self, candidate: Candidate, name: str, value: float) -> Term:
        steps, side = name.split()
        other = self._ranking.beside(candidate, int(steps) * (-1 if side == "before" else 1))
        return Term("neighbour", round(value, _DIGITS), f"{self._named(other)}, {name}")

    def _named(self, other: Candidate | None) -> str:
        if other is None:
            return "a row"
        kind, number = kind_and_id(other.row)
        words = ", ".join(f'"{concept.word}"' for concept in self._held(other))
        return f"{kind} {number} holds {words}"

    def _why_answers(self, candidate: Candidate) -> str:
        return f"it follows a question: {self._named(self._ranking.beside(candidate, -1))}"

    def _why_thread(self, candidate: Candidate) -> str:
        return f'its thread "{candidate.thread[1] if candidate.thread else ""}" is about it'

    def _why_participant(self, candidate: Candidate) -> str:
        names = self._question.names
        if len(names) == 1:
            return f'the question names "{names[0]}" alone'
        return f'the question names "{names[0]}" first'

    def _why_date(self, candidate: Candidate) -> str:
        spans = ", ".join(dict.fromkeys(f'"{span.words}"' for span in self._question.spans))
        return f"{candidate.at[:10]} is in or near {spans}"

    def _held(self, candidate: Candidate) -> list[Concept]:
        return [
            concept
            for bit, concept in enumerate(self._question.concepts)
            if candidate.mask >> bit & 1
        ]

    def _places(self, rows: Sequence[sqlite3.Row]) -> list[dict[str, str]]:
        """Return, for each row, by concept: which of its words stands in which column."""
        wanted = [" ".join(word for words in c.alternatives for word in words)
                  for c in self._question.concepts]
        texts = [cells[column] for cells in rows for column in _COLUMNS]
        tokens = self._words.split([*wanted, *texts])
        stems = [{token.stem for token in found} for found in tokens[: len(wanted)]]
        found: list[dict[str, str]] = []
        for number, cells in enumerate(rows):
            start = len(wanted) + number * len(_COLUMNS)
            columns = dict(zip(_COLUMNS, tokens[start : start + len(_COLUMNS)], strict=True))
            seen: dict[str, str] = {}
            for concept, stem_set in zip(self._question.concepts, stems, strict=True):
                for column, held in columns.items():
                    hits = [token.surface for token in held if token.stem in stem_set]
                    if not hits and UNSPACED.search(concept.word):
                        hits = [concept.word] if concept.word in cells[column] else []
                    if hits:
                        seen.setdefault(concept.word, f'"{hits[0]}" in {column}')
            found.append(seen)
        return found
