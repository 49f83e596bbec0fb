# ruff: noqa: RUF001 - other scripts and their punctuation are what is searched
"""Passwords of several words: in quotes behind the name of one, or from a sign to the line's end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.guard.rules.hit import Hit
from memctl.guard.rules.judge import is_pass_phrase
from memctl.guard.rules.shapes import is_placeholder
from memctl.guard.rules.signs import Signs
from memctl.guard.rules.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memctl.guard.rules.text_view import TextView

__all__ = ["PHRASE_SIGNS", "phrase_hits"]

_FEWEST, _MOST = 3, 12  # words
_FEWEST_QUOTED = 2  # with a number
_SHORTEST = 10  # characters
_MOST_REMARKS = 3  # one word in so many may be one that remarks are made of

PHRASE_SIGNS = Signs((
    "phrase", "frase", "master", "maestra", "maître", "maitre", "wiederherstellungssatz", "主密", "助记", "助記", "恢复短语",
    "マスターパス", "フレーズ", "masterpass", "hauptpass", "口令", "密码", "密碼", "パスワード", "合言葉", "비밀번호", "암호", "парол",
))  # fmt: skip
_NAME = Pattern(
    r"(?i)(?:(?:recovery|seed|unlock|wallet|backup|mnemonic|secret)[\s-]?)?(?:pass[\s-]?phrase|(?<=recovery\s)phrase|(?<=seed\s)phrase|(?<=unlock\s)phrase|(?<=wallet\s)phrase|(?<=backup\s)phrase|(?<=mnemonic\s)phrase)n?(?![a-z])"
    r"|phrase\s(?:de\s(?:passe|récupération)|secrète)|frase\s(?:de\s(?:contraseña|paso|recuperación|acceso)|secreta|semilla)"
    r"|master[\s-]?pass(?:word|wort|phrase)|hauptpasswort|(?:keepass\w{0,2}|bitwarden)\smaster(?!\w)|mot\sde\spasse\sma[iî]tre|contraseña\smaestra|clave\smaestra"
    r"|wiederherstellungs(?:satz|phrase)|主密[码碼]|助[记記](?:[词詞]|短[语語]){1,2}|恢复短语|マスターパスワード|パスフレーズ|(?:リカバリー|復元|シード|回復)フレーズ"
)
_QUOTED = Pattern(
    r"[^\n!?;\"“”„«「『]{0,60}?(?:(?<!\w)\"|[“„«「『])\s?([^\"”“»」』\n]{6,120}?)\s?[\"”“»」』]"
)
# "amber tunnel gossip 9" is the passphrase
_QUOTED_BEFORE = Pattern(
    r"[\"“„«「『]\s?([^\"”“»」』\n]{10,120}?)\s?[\"”“»」』]\s?(?:is|was|as|=|—|-|ist|als|es|como|est|comme|は|是)\s?(?:\S{1,16}\s){0,4}$"
)
# 口令是「salmon rocket nectar kestrel」: right behind the name, in scripts that write no such words
_AMONG_SIGNS = Pattern(
    r"(?:口令|密[码碼]|パスワード|パスフレーズ|合言葉|비밀번호|암호|парол\w{0,2}(?:\s[а-яё\s]{1,24})?)\s?(?:是|为|為|は|는|은|[:：—-]|\s)\s?[\"“„«「『]\s?([a-z]{3,12}(?: [a-z]{3,12}){2,9})\s?[\"”“»」』]"
)
_BEFORE = 180  # characters: a phrase, and what leads from it to its name
_SIGN = Pattern(r"[^\n!?;:：=\"]{0,48}?\s?(?:[:：=→]|->)\s{0,3}([^\n\"“„«「『=]{10,120})")
_VERB = Pattern(
    r"[^\n!?;:：=\"]{0,48}?(?:\s(?:is|was|lautet|ist|war|es|era|est|était|c'est)\s|(?:は|是))\s?([^\n\"“„«「『=:：]{10,120})"
)
_SENTENCE_END = Pattern(r"[.!?。！？](?:\s|$)|[。！？;]|,\s")
_WORD = Pattern(r"[^\W\d_]+(?:['’-][^\W\d_]+)*[,]?$|\d{1,4}[!?]?$")
# fennel.pepper.desert.river: a domain ends with fewer letters, names of settings hold other words
_DOTTED = Pattern(r"(?:[a-z]{3,12}\.){3,8}[a-z]{4,12}$")
_MESSAGE = frozenset(
    ("is", "are", "was", "has", "too", "must", "invalid", "wrong", "ist", "est", "zu", "trop", "enter", "forgot")
)  # fmt: skip
_REMARK_END = Pattern(r"(?:ed|able|ible|ert|ée?s?|ad[oa]s?|id[oa]s?)$")


def phrase_hits(view: TextView) -> Iterator[Hit]:
    """Yield passwords of several words behind their name."""
    text = view.text
    for found in _AMONG_SIGNS.finditer(text):
        if is_pass_phrase(found[1].split()):
            yield Hit("pass-phrase", *found.span(1))
    for name in _NAME.finditer(text):
        if not view.judged.is_new("phrase", name.start()):
            continue
        before = _QUOTED_BEFORE.search(text, max(0, name.start() - _BEFORE), name.start())
        if before and _is_chosen(before[1]):
            yield Hit("pass-phrase", *before.span(1))
        if quoted := _QUOTED.match(text, name.end()):
            if _is_chosen(quoted[1]):
                yield Hit("pass-phrase", *quoted.span(1))
        elif signed := _SIGN.match(text, name.end()):
            yield from _to_the_end(*signed.span(1), text, verb=False)
        elif said := _VERB.match(text, name.end()):
            yield from _to_the_end(*said.span(1), text, verb=True)


def _to_the_end(start: int, end: int, text: str, *, verb: bool) -> Iterator[Hit]:
    """Yield the words of the rest of the sentence, if they are none that say something."""
    if stop := _SENTENCE_END.search(text, start, end):
        end = stop.start()
    said = text[start:end].strip()
    parts = said.split()
    if parts and _is_dotted_row(parts[0]):
        said = parts[0]
        start = text.index(said, start)
        yield Hit("pass-phrase", start, start + len(said))
    elif _is_row(parts) and len(said) >= _SHORTEST and _is_said(parts, verb=verb):
        yield Hit("pass-phrase", start, start + len(said))


def _is_chosen(quoted: str) -> bool:
    """Whether words in quotes were thought of, and are no message of a program."""
    parts = quoted.split()
    return _is_dotted_row(quoted.strip()) or (
        _FEWEST_QUOTED <= len(parts) <= _MOST
        and (len(parts) >= _FEWEST or any(part.isdigit() for part in parts))
        and len(quoted) >= _SHORTEST
        and parts[0].lower() not in _MESSAGE
        and not is_placeholder(quoted)
        and words("of-passwords-in-general").isdisjoint(_lowered(parts))
    )


def _is_dotted_row(word: str) -> bool:
    """Whether words joined by dots, none of them a word of programs."""
    parts = word.split(".")
    return (
        _DOTTED.match(word) is not None
        and is_pass_phrase(parts)
        and words("code-word").isdisjoint(parts)
        and words("of-passwords-in-general").isdisjoint(parts)
    )


def _is_row(parts: Sequence[str]) -> bool:
    return _FEWEST <= len(parts) <= _MOST and all(_WORD.match(part) for part in parts)


def _is_said(parts: Sequence[str], *, verb: bool) -> bool:
    """Whether the words behind a sign or a verb are the phrase, not a remark about it."""
    low = _lowered(parts)
    rules = words("of-passwords-in-general") | words("advice")
    if not rules.isdisjoint(low):
        return False
    if low[-1].isdigit():
        return True  # nobody ends a remark with a number alone
    remarks = sum(part in words("predicate") and part not in words("count") for part in low)
    if verb and (
        (low[0] in words("predicate") and low[0] not in words("count"))
        or _REMARK_END.search(low[0])
    ):
        return False
    return _MOST_REMARKS * remarks <= len(low)


def _lowered(parts: Sequence[str]) -> list[str]:
    return [part.lower().strip(",!?") for part in parts]
