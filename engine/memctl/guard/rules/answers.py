# ruff: noqa: RUF001 - other scripts are what is searched
"""Answers to the questions by which banks and services tell people apart: a first pet, a maiden name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.guard.rules.hit import Hit
from memctl.guard.rules.sayings import Saying
from memctl.guard.rules.shapes import is_placeholder
from memctl.guard.rules.signs import Signs
from memctl.guard.rules.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.guard.rules.text_view import TextView

__all__ = ["ANSWER_SIGNS", "answer_hits"]

_MOST_WORDS = 3
_SENTENCE = 80  # characters around a name like "maiden name" that may say who asks for it

_QUESTION = Saying(r"<security-question>")
_PERSONAL = Saying(r"<personal-question>")
_ASKED_BY = Saying(r"<asks-who-you-are>")
# From the question to its answer: the last sign, verb or quote before the end of the clause.
_TO_ANSWER = (
    r"(?P<about>[^\n.!;]{0,90}?)(?P<link>[?？]\s{1,3}(?:(?:answer|antwort|respuesta|réponse|a)\s?[:=]\s?)?|[\"'”»」)]?\s?(?:[:=→⇒]|->|=>|—|–)\s{0,3}"
    r"|[\"'”»」)]?,?\s(?:is|was|say|ist|lautet|sag|es|era|di|est|c'est|é|è|это)\s|(?:は|是|：))[\"'“«„「]?"
    r"(?P<value>[^\s\"'”»」.,;:!?。、，()]{2,30}(?:[ '][^\s\"'”»」.,;:!?。、，()]{2,30}){0,2})(?=[\"'”»」]?\s{0,2}(?:です|$|\n|[.,;!。、，)]))"
)
_ANSWER = Pattern(r"(?i)answer|antwort|respuesta|réponse|risposta|resposta|ответ|答|say")
_ANSWERED = Pattern(_TO_ANSWER)
# "maiden name Delacroix", with nothing between them but for a capital
_BESIDE = Pattern(r"\s(?P<value>[A-ZÀ-Ý][\w'’-]{2,30})(?=\s{0,2}(?:$|\n|[.,;!)]))")


def answer_hits(view: TextView) -> Iterator[Hit]:
    """Yield what is said to be the answer to a question of security."""
    text = view.text
    for found in _QUESTION.finditer(text):
        yield from _answer(text, found.start(), found.end())
    for found in _PERSONAL.finditer(text):
        around = text[max(0, found.start() - _SENTENCE) : found.end() + _SENTENCE]
        if _ASKED_BY.search(around):
            yield from _answer(text, None, found.end())
            if beside := _BESIDE.match(text, found.end()):
                yield Hit("security-answer", *beside.span("value"))


def _answer(text: str, start: int | None, end: int) -> Iterator[Hit]:
    """Yield what answers the question whose name stands there; `start` is None where it asks itself."""
    found = _ANSWERED.match(text, end)
    if found is None or not _is_answer(found["value"]):
        return
    said_of = text[max(0, (start or end) - _SENTENCE) : found.start("value")]
    # "the security question is silly" says something of it; "the answer to it is" gives it.
    if start is None or not found["link"].strip().isalpha() or _ANSWER.search(said_of):
        yield Hit("security-answer", *found.span("value"))


def _is_answer(said: str) -> bool:
    """Whether a name or some words, no remark about the question."""
    low = said.lower().split()
    known = ("predicate", "stand-in", "function-word", "of-passwords-in-general")
    return (
        len(low) <= _MOST_WORDS
        and not is_placeholder(said)
        and not any(part in words(section) for part in low for section in known)
        and not _REMARK.search(low[0])
    )


_REMARK = Pattern(
    r"(?:ed|ing|able|ible|iert|afft|ado|ada|ée?s?|ido|ida|了|た|ません|ない|ている|れる)$"
)
ANSWER_SIGNS = Signs((
    "security question", "secret question", "recovery question", "security answer", "secret answer", "maiden", "memorable word", "memorable name",
    "sicherheitsfrage", "geheimfrage", "geburtsname", "mädchenname", "pregunta de seguridad", "pregunta secreta", "soltera",
    "question secr", "question de s", "jeune fille", "密保", "安全问题", "安全問題", "秘密の質問", "旧姓", "domanda di sicurezza", "pergunta de segurança", "first pet", "first school", "first car",
    "контрольн", "секретный вопрос", "девичья",
))  # fmt: skip
