"""Extraction of facts without a model: sentences are cut, skipped by rules, scored and rewritten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.base import clock
from memctl.base.arguments import checked_class
from memctl.base.categories import KINDS, tag_of
from memctl.base.errors import AllNoiseError, UnusableInputError, WrongTypeError
from memctl.base.packaged import text_in
from memctl.extraction.cutting import (
    LONGEST_SENTENCE,
    not_to_be_kept,
    parted,
    passing,
    sentences_of,
    withdraws,
)
from memctl.extraction.extracted import Extracted, FactCandidate, Said, SkippedPassage, said_in
from memctl.extraction.keep_score import KEEP, Heard, score_sentence, topic_of
from memctl.extraction.speakers import is_incomplete, rewritten
from memctl.guard.door import clean, guarded, masked
from memctl.text.classifier import classify
from memctl.text.closed_words import word_heads
from memctl.text.fences import looks_recalled
from memctl.text.normal import equal_key
from memctl.text.own_words import own_words
from memctl.text.sentence_kinds import COMMAND, Judgement, completes, judge
from memctl.text.statement import denies

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from memctl.base.clock import When
    from memctl.episodic.log import Turn
    from memctl.extraction.cutting import Sentence
    from memctl.extraction.extracted import SourcePlace
    from memctl.semantic.facts import Facts
    from memctl.semantic.records import Written
    from memctl.store.store import Store

    Ask = Callable[[str, str], Any]
    from collections.abc import Callable


_MOST_PROPOSED = 10
_LONGEST = 500
_GROUNDED = 0.5  # more of its words than that stand in the text
_CONFIDENCE = 0.7
_KEYS = frozenset({"text", "category", "confidence"})


class ProposedFact(NamedTuple):
    """A fact that a model proposes, and the number of the sentence that is nearest to it."""

    text: str
    category: str
    confidence: float
    nearest: int
    why_not: str  # it is not grounded; empty where it is


def prompt() -> str:
    """Return the system prompt of an extraction, with the shape of the answer."""
    kinds = "\n".join(f"- {kind.category}: {kind.covers}" for kind in KINDS.values())
    return text_in("memctl.extraction", "prompt.md").replace("{categories}", kinds)


def proposed(
    ask: Callable[[str, str], Any], sentences: Sequence[str], *, said_at: str
) -> list[ProposedFact]:
    """Ask a model for the facts of some sentences, none of them skipped by a rule.

    Raises UnusableInputError when the answer is no list of at most ten facts, each with a text and
    a known category.
    """
    answer = ask(prompt(), f"Said on {said_at[:10]}:\n\n" + "\n".join(sentences))
    if isinstance(answer, Mapping) and set(answer) == {"facts"}:
        answer = answer["facts"]
    if not isinstance(answer, list):
        raise _unusable(f"is {type(answer).__name__}, no list of facts")
    if len(answer) > _MOST_PROPOSED:
        raise _unusable(f"has {len(answer)} facts, more than {_MOST_PROPOSED}")
    words = [word_heads(sentence) for sentence in sentences]
    return [_proposal(number, one, words) for number, one in enumerate(answer, 1)]


def _proposal(number: int, one: Any, sentences: Sequence[set[str]]) -> ProposedFact:
    if not isinstance(one, Mapping) or not set(one) <= _KEYS:
        raise _unusable(
            f'has a fact {number} that is no object of "text", "category", "confidence"'
        )
    text, category = one.get("text"), one.get("category")
    if not isinstance(text, str) or not text.strip() or len(text) > _LONGEST:
        raise _unusable(f"has a fact {number} whose text is none of 1 to {_LONGEST} characters")
    if not isinstance(category, str) or category not in KINDS:
        raise _unusable(f'has a fact {number} of the category "{category!s:.30}"')
    confidence = one.get("confidence", _CONFIDENCE)
    if isinstance(confidence, bool) or not isinstance(confidence, (int, float)):
        raise _unusable(f"has a fact {number} whose confidence is no number")
    if not 0 <= confidence <= 1:
        raise _unusable(f"has a fact {number} whose confidence is not within 0 and 1")
    words = word_heads(text) - {"user"}
    nearest = max(range(len(sentences)), key=lambda n: len(words & sentences[n]))
    held = len(words & set().union(*sentences))
    grounded = bool(words) and held > _GROUNDED * len(words)
    why_not = "" if grounded else "most of its words do not stand in the text"
    return ProposedFact(" ".join(text.split()), category, float(confidence), nearest, why_not)


def _unusable(how: str) -> UnusableInputError:
    return UnusableInputError(
        f"the model's answer {how}", hint="nothing was kept; extract works without a model, too"
    )


_MOST = 10
_LONGEST_TEXT = 200_000  # characters
# What a category that the words speak for adds to the keep score, and what its confidence adds.
_KIND, _KIND_SURE = 2.0, 2.0
_SURE = 10.0  # points of full confidence
_OF_THE_USER = frozenset(name for name, kind in KINDS.items() if kind.content_type == "user")
_OF_WORK = ("configuration", "technical", "project")
_SHARE = 0.5  # at least, of the words of a richer wording
_MEDIUM = 0.5  # below it a stored fact waits for a person


class Piece(NamedTuple):
    """One sentence of a turn."""

    said: Said
    sentence: Sentence
    points: float
    why: str
    verdict: Judgement  # the kind of statement that it is
    about: str = ""  # its topic in words said before, where it has none itself

    @property
    def place(self) -> SourcePlace:
        """Its place in the turn or text."""
        return self.said.place(self.sentence.start, self.sentence.end)


class JudgedPiece(NamedTuple):
    """A sentence as it would be kept, and its points; `why_not` where it cannot be read alone."""

    text: str
    category: str | None
    standing_order: bool
    points: float
    why: str
    why_not: str


def judged(piece: Piece, *, days_beside: bool = False) -> JudgedPiece:
    """Return a sentence as it would be kept, its category, and the points of both.

    With `days_beside` the words of a day stay: "tomorrow (2026-11-24)".
    """
    said, verdict = piece.said, piece.verdict
    # "It takes courage" states nothing of what was said before, "it runs on 7430" does.
    stated = verdict.kind not in {"", "value"} or any(map(str.isdigit, verdict.text))
    told = rewritten(
        verdict.text,
        speaker=said.speaker,
        said_at=said.said_at,
        stated=bool(verdict.kind) and stated,
        about=piece.about if stated else "",
        days_beside=days_beside,
    )
    kind = classify(told.text)
    category = _category(verdict, kind.category) if verdict.kind else kind.category
    points = piece.points + (_KIND + _KIND_SURE * kind.confidence if kind.category else 0)
    why = f"{piece.why}; {', '.join(kind.words)}" if kind.category else piece.why
    return JudgedPiece(told.text, category, verdict.kind == "standing", points, why, told.why_not)


def _category(verdict: Judgement, found: str | None) -> str | None:
    """Return the category of a statement by its kind, and by its words where that leaves room."""
    theirs = found in _OF_THE_USER
    if verdict.kind == "standing":
        return "preference" if verdict.everywhere and not verdict.here else "rule"
    if verdict.kind == "user":
        return "rule" if verdict.here and theirs else found or "preference"
    if verdict.kind == "plan":
        return "operational"
    if verdict.kind in {"decision", "correction"}:
        return found if found in _OF_WORK else "decision"
    return None if theirs and not verdict.of_user else found


@checked_class
class Extractor:
    """Finder of the facts in texts and turns that are worth keeping.

    `facts` are those of the store within the scope of who asks: duplicates are none.
    """

    def __init__(self, store: Store, facts: Facts) -> None:
        self._store = store
        self._facts = facts

    def from_text(
        self,
        text: str,
        *,
        said_at: When | None = None,
        speaker: str | None = None,
        ask: Callable[[str, str], Any] | None = None,
    ) -> Extracted:
        """Find the facts of a text that are worth keeping, as `memctl.Memory.extract`.

        Lines of a transcript begin with ``User:`` and ``Assistant:``.
        """
        _check_model(ask)
        plain = clean(text, what="text", limit=_LONGEST_TEXT)
        zone = self._store.zone
        told = zone.told(said_at or zone.now(), what="said_at")
        at = zone.local(*told)
        said = parted(Said(plain, at, speaker=speaker, dated=said_at is not None))
        if len(said) == 1:  # no transcript
            found = own_words(plain)
            # What is all code or memory is skipped below, with that reason.
            own = found.text or (plain if found.pasted or looks_recalled(plain) else "")
            # Places in the text stay what they are.
            said = [said[0]._replace(text=own.rjust(plain.find(own) + len(own)))]
        return self._extracted(said, ask)

    def from_turns(
        self, turns: Iterable[Turn], *, ask: Callable[[str, str], Any] | None = None
    ) -> Extracted:
        """Find the facts of turns of the log, in their order; an assistant's turns are skipped."""
        _check_model(ask)
        try:
            said = said_in((turn for turn in turns if turn.archived_at is None), self._store.zone)
        except (TypeError, AttributeError) as error:
            raise WrongTypeError('"turns" takes turns of the log', hint="m.turns.list()") from error
        return self._extracted(said, ask)

    @guarded("fact")
    def keep(self, extracted: Extracted) -> Extracted:
        """Store what was extracted, one batch for each category and source, in one transaction.

        A fact that is not sure waits for a person. Returns the same, with what became of each fact
        in ``written``, in their order.
        """
        if not isinstance(extracted, Extracted):
            raise WrongTypeError('"extracted" takes what extract returns', hint="m.extract(text)")
        facts = sorted(enumerate(extracted.facts), key=lambda fact: _batch(fact[1]))
        written: dict[int, Written] = {}
        with self._store.transaction():
            for (_, said_at, source, confidence), batch in groupby(
                facts, lambda one: _batch(one[1])
            ):
                numbers, some = zip(*batch, strict=True)
                stored = self._facts.store(
                    [one.text for one in some],
                    category=some[0].category,
                    confidence=confidence,
                    source=source,
                    valid_from=said_at or None,
                )
                written |= dict(zip(numbers, stored.written, strict=True))
        return replace(extracted, written=tuple(written[number] for number in sorted(written)))

    @guarded("fact")
    def at_once(self, said: Said, before: Sequence[Said] = ()) -> tuple[Written, ...]:
        """Store what a turn states outright; return what became of each statement.

        The turns `before` it, oldest first, decide what "it" is.
        """
        heard = Heard()
        told = [said, *before] if isinstance(before, (list, tuple)) else [None]
        if not all(isinstance(one, Said) for one in told):
            raise WrongTypeError('"said" and "before" take what was said', hint="m.at_once(text)")
        for one in before:
            heard.add(one.text, who=one.speaker or one.role, role=one.role)
        pieces = [one for one in self.pieces([said], [], heard) if one.verdict.kind]
        found = [
            _candidate(told.text, told.category, 1.0, one, one.verdict.why)
            for one, told in ((piece, judged(piece, days_beside=True)) for piece in pieces)
            if not told.why_not
        ][:_MOST]
        with suppress(AllNoiseError):
            return self.keep(Extracted(tuple(_said_once(found, [])), ())).written if found else ()
        return ()

    def pieces(
        self, said: Iterable[Said], skipped: list[SkippedPassage], heard: Heard | None = None
    ) -> Iterator[Piece]:
        """Yield the sentences of people that no rule skips; add the others to `skipped`.

        `said` are turns in their order, `heard` what was said before.
        """
        heard = Heard() if heard is None else heard
        turns = list(said)
        withdrawn = _withdrawn(turns)
        for number, turn in enumerate(turns):
            who = turn.speaker or turn.role
            why = "was not to be remembered" if number in withdrawn else f"said by the {turn.role}"
            if turn.role == "user" and number not in withdrawn:
                yield from self._sentences(turn, heard, who, skipped)
            else:
                place = turn.place(0, len(turn.text))
                skipped.append(SkippedPassage(_short(masked(self._store, turn.text)), place, why))
            heard.add(turn.text, who=who, role=turn.role)

    def asked(
        self, pieces: Sequence[Piece], ask: Ask, skipped: list[SkippedPassage]
    ) -> Iterator[FactCandidate]:
        """Yield the proposals of a model that pass the rules, of sentences that may be kept.

        Raises UnusableInputError when its answer cannot be used.
        """
        if not pieces:
            return
        texts = [piece.sentence.text for piece in pieces]
        for one in proposed(ask, texts, said_at=pieces[0].said.said_at):
            piece = pieces[one.nearest]
            told = rewritten(
                one.text,
                speaker=piece.said.speaker,
                said_at=piece.said.said_at,
                stated=one.category == "rule",
            )
            safe = masked(self._store, one.text) == one.text
            why = one.why_not or ("" if safe else "looks like a secret")
            why = why or passing(one.text) or told.why_not
            if why:
                shown = _short(masked(self._store, one.text))
                skipped.append(SkippedPassage(shown, piece.place, f"proposed, and refused: {why}"))
            else:
                yield _candidate(
                    told.text, one.category, one.confidence, piece, "proposed by the model"
                )

    # -- without a model -----------------------------------------------------------------

    def _extracted(self, said: Sequence[Said], ask: Ask | None) -> Extracted:
        skipped: list[SkippedPassage] = []
        pieces = list(self.pieces(said, skipped))
        found = list(
            self._candidates(pieces, skipped) if ask is None else self.asked(pieces, ask, skipped)
        )
        kept: list[FactCandidate] = []
        for one in sorted(_said_once(found, skipped), key=lambda one: -one.confidence):
            gates = self._facts.triage(one.text, category=one.category).gates
            full = f"{_MOST} others are worth more" if len(kept) == _MOST else ""
            if why := full or next((gate.why for gate in gates if not gate.passed), ""):
                skipped.append(SkippedPassage(_short(one.said), one.source, why))
            else:
                kept.append(one)
        skipped.sort(key=lambda one: (one.source.turn or 0, one.source.start))
        return Extracted(tuple(kept), tuple(skipped))

    def _sentences(
        self, said: Said, heard: Heard, who: str, skipped: list[SkippedPassage]
    ) -> Iterator[Piece]:
        cut, left_out = sentences_of(said.text)
        sentences = _completed(cut, said.text)
        safe = masked(self._store, said.text)
        unwanted = not_to_be_kept(sentences)

        def skip(sentence: Sentence, why: str) -> None:
            place = said.place(sentence.start, sentence.end)
            skipped.append(SkippedPassage(_short(masked(self._store, sentence.text)), place, why))

        for sentence, why in left_out:
            skip(sentence, why)
        for number, sentence in enumerate(sentences):
            if len(sentence.text) > LONGEST_SENTENCE:
                skip(
                    sentence._replace(text=sentence.text[:LONGEST_SENTENCE]),
                    "too long for one fact",
                )
            elif safe != said.text and sentence.text not in safe:
                skip(sentence, "looks like a secret")
            elif number in unwanted:
                skip(sentence, "was not to be remembered")
            elif why := (verdict := judge(sentence.text)).refused or passing(
                sentence.text, verdict.kind
            ):
                skip(sentence, why)
            else:
                score = score_sentence(sentence.text, heard, who=who, verdict=verdict)
                about = ""
                if verdict.kind and not _of_an_order(sentence.text, verdict):
                    about = _about(verdict, said, sentences[:number], heard)
                yield Piece(said, sentence, score.value, score.why, verdict, about)

    def _candidates(
        self, pieces: Iterable[Piece], skipped: list[SkippedPassage]
    ) -> Iterator[FactCandidate]:
        for piece in pieces:
            found = judged(piece)
            if found.why_not or found.points < KEEP:
                why = (
                    found.why_not
                    or f"too little speaks for keeping it: {found.points:.1f} of {KEEP:g} points"
                )
                skipped.append(SkippedPassage(_short(piece.sentence.text), piece.place, why))
                continue
            confidence = round(min(1.0, found.points / _SURE), 2)
            yield _candidate(found.text, found.category, confidence, piece, found.why)


def _said_once(
    candidates: Sequence[FactCandidate], skipped: list[SkippedPassage]
) -> Iterator[FactCandidate]:
    """Yield the candidates without repetitions: of two wordings the richer."""
    for number, candidate in enumerate(candidates):
        others = (*candidates[:number], *candidates[number + 1 :])
        if any(_says_more(other.text, candidate.text) for other in others) or any(
            equal_key(other.text) == equal_key(candidate.text) for other in candidates[:number]
        ):
            skipped.append(SkippedPassage(_short(candidate.said), candidate.source, "said twice"))
        else:
            yield candidate


def _says_more(richer: str, text: str) -> bool:
    """Return whether a text has all words of another in their order, and some more."""
    mine, its = equal_key(text).split(), equal_key(richer).split()
    rest = iter(its)
    more = len(mine) < len(its) <= len(mine) / _SHARE
    return more and all(word in rest for word in mine) and denies(text) == denies(richer)


def _about(verdict: Judgement, said: Said, before: Sequence[Sentence], heard: Heard) -> str:
    """Return the topic of an incomplete statement: a sentence just before it, or a topic of late."""
    if verdict.here or verdict.everywhere or not is_incomplete(verdict.text, said.said_at):
        return ""
    if before and not judge(before[-1].text).refused:
        return before[-1].text
    topics = (topic_of(one.text) for one in before)
    return next(filter(None, (*topics, *map(topic_of, heard.lately))), "")


def _of_an_order(text: str, verdict: Judgement) -> bool:
    """Return whether a sentence begins with an order: then it gets no topic from elsewhere."""
    before = text.partition(verdict.text)[0]
    return bool(before.strip()) and judge(before).refused == COMMAND


def _completed(sentences: Sequence[Sentence], text: str) -> list[Sentence]:
    """Join each sentence with a short one behind it that only completes it."""
    result: list[Sentence] = []
    for sentence in sentences:
        last = result[-1] if result and result[-1].paragraph == sentence.paragraph else None
        if last and not judge(last.text).refused and completes(sentence.text):
            whole = text[last.start : sentence.end]
            result[-1] = last._replace(text=whole, end=sentence.end)
        else:
            result.append(sentence)
    return result


def _withdrawn(said: Sequence[Said]) -> frozenset[int]:
    """Find the turns that the next turn of a person asks not to remember, by place."""
    people = [number for number, one in enumerate(said) if one.role == "user"]
    pairs = pairwise(people)
    return frozenset(before for before, after in pairs if withdraws(said[after].text))


def _check_model(ask: object) -> None:
    if ask is not None and not callable(ask):
        raise WrongTypeError('"ask" takes a function', hint="lambda system, text: ...")


def _candidate(
    text: str, category: str | None, confidence: float, piece: Piece, why: str
) -> FactCandidate:
    said = piece.sentence.text
    tag = tag_of(category)
    at = clock.parse_time(piece.said.said_at) if piece.said.dated else None
    return FactCandidate(text, category, tag, confidence, piece.place, said, at, why)


def _batch(candidate: FactCandidate) -> tuple[str, str, str, str]:
    """Return the values that the facts of one batch share: category, time, source and confidence."""
    source = candidate.source.name if candidate.source.turn is not None else "extract"
    sure = "medium" if candidate.confidence >= _MEDIUM else "low"
    return (candidate.category or "", candidate.said_at or "", source, sure)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 120 else line[:119] + "…"  # noqa: PLR2004  (a line)
