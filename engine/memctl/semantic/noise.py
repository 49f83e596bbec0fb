"""Texts without content: they are refused whole.

A text that is kept is kept as it was: ``run: pytest``, ``Session: Thursdays`` and
``Agent: Maria`` are facts.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.text.own_words import without_host_blocks
from memctl.text.splitting import WORD

if TYPE_CHECKING:
    from collections.abc import Callable

# A text of these words alone says nothing.
_SMALL_TALK = """
    ok okay k yes yep yeah yup no nope sure thanks thank you thx ty great cool nice good perfect awesome fine
    done got it hi hello hey there bye goodbye see later morning afternoon evening night lol haha hmm right
    alright welcome please very much so well a lot many how are doing is today to meet hola gracias vale merci
    bonjour salut danke hallo bitte gut ja nein guten tag ciao grazie
"""
_HOLLOW = frozenset(_SMALL_TALK.split())
_MAX_HOLLOW = 8
_HOLLOW_CJK = Pattern(
    r"\A(?:好的?|嗯+|谢谢(?:你|您)?|你好|再见|是的?|可以|了解|はい|ありがとう(?:ございます)?|こんにちは|"
    r"おはよう(?:ございます)?|了解です?|네|감사합니다|안녕하세요)[。\uff01!~\uff5e\s]*\Z"
)
_HEARTBEAT = Pattern(
    r"\A\W*(?:heartbeat(?:_ok| ok)?|no_reply|ping|pong|keep-?alive|system check ok)\W*\Z",
    re.IGNORECASE,
)
_TIME_ONLY = Pattern(
    r"\A\W*(?:\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?|"
    r"\d{1,2}:\d\d(?::\d\d)?(?:\s*[ap]m)?)\W*\Z",
    re.IGNORECASE,
)
_SUM = Pattern(r"\A[\s\d.,()+\-*/x\u00d7÷^%=]+\Z")
# Digits that a bare hyphen joins, or of which a part begins with 0, are a number to call.
_OPERATOR = Pattern(
    r"\d\s*[+*x\u00d7÷^=]\s*\(?-?\d|\d\s+-\s+\(?\d|(?<![\d.])[1-9][\d.,]*\s*/\s*\(?[1-9]"
)
_LOG_LINE = Pattern(
    r"\A\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[^\]\n]{0,12}\]?\s+\[?(?:DEBUG|INFO|WARN|WARNING|ERROR|TRACE)\b"
    r"|\A\[?(?:DEBUG|INFO|WARN|WARNING|ERROR|TRACE)\]?[:\s]\s*\[?\d{4}-\d\d-\d\d"
)
_OPENER = Pattern(
    r"\A(?:I'd be happy to|I would be happy to|I'll help you|Let me help|How can I (?:help|assist)|"
    r"Is there anything else|Great question|Certainly!|Of course!)\b",
    re.IGNORECASE,
)
_OPENER_LIMIT = 300
# "Never save it to the Downloads folder" is a rule: this, that and it are what was just said only
# where nothing more is said of it than that it is a message, or where it should not go.
_FORGET_THIS = Pattern(
    r"(?:\A|[.!?;:,(\u2013\u2014\n-]\s*|\b(?:please|but|and|so|also|just)\s+)"
    r"(?:don'?t|do not|never) (?:remember|store|save|memori[sz]e) (?:this|that|it)"
    r"(?=\s*(?:[.,;:!?)\u2013\u2014\n-]|\Z)"
    r"|\s+(?:please|anywhere|ever|at all|about me|for later|(?:in|to) (?:your |the )?(?:long-term )?memory|"
    r"(?:one|part|message|conversation|chat|exchange|info|information|fact|detail|note)s?\b"
    r"(?!\s+(?:to|in|as|with)\b)))"
    r"|\b(?:don'?t|do not|never) (?:remember|memori[sz]e) that (?:i|we|my|our)\b|\boff the record\b|"
    r"不要记住|别记住|no (?:recuerdes|guardes) esto|ne (?:retiens|mémorise) pas|merk(?:e)? dir das nicht|"
    r"覚えないで",
    re.IGNORECASE,
)
# Each of its alternatives holds one of these: looked for first, because that is cheap.
_FORGET_SIGNS = (
    *("remember", "store", "save", "memori", "the record", "\u8bb0\u4f4f"),
    *("recuerdes", "guardes", "retiens", "m\u00e9morise", "merk", "\u899a\u3048\u306a\u3044\u3067"),
)
# A question alone says nothing, and neither does a request of the moment; a question to remember
# something does, and a request that says when or why is a rule. The rest is left to triage.
_QUESTION_SIGNS = ("?", "\uff1f", "\u061f")
_QUESTION = Pattern(
    r"\A[\u00bf\s]*(?:(?:what|which|who|whom|whose|when|where|why|how)\b|"
    r"(?:is|are|was|were|am|do|does|did|can|could|will|would|should|shall|may|has|have)\b|"
    r"(?:was|wer|wen|wem|wann|wo|warum|wieso|wie|welche[rs]?|qué|quién|cuándo|cuál|dónde|cómo|"
    r"quel(?:le)?s?|qui|quand|où|pourquoi|comment|combien|est-ce)\b|[^\x00-\x7f])"
    r"[^.!?:;\n\"\u201c\u3002\uff01\uff1f]*[?\uff1f\u061f]+\Z",
    re.IGNORECASE,
)
_TELLS = Pattern(
    r"\b(?:remember|note|store|save|memori[sz]e|keep in mind|know)\b|\u8bb0\u4f4f|\u899a\u3048",
    re.IGNORECASE,
)
PASSING = Pattern(
    r"\A(?:please\s+)?(?:run|open|click|show|print|list|restart|stop|start|install|translate|summari[sz]e|"
    r"write|fix|explain|calculate|compute|convert|search|find|tell)\s+(?:me|the|this|that|a|an|my|it|all)\b",
    re.IGNORECASE,
)
_ONE_SENTENCE = Pattern(r"[^.!?:;\n]{0,80}[.!]?\Z")
_LASTING = Pattern(
    r"\b(?:always|never|every|each|all|before|after|when|whenever|while|if|unless|until|because|since|so|only|"
    r"instead|from now on|in future|first|by default|as)\b",
    re.IGNORECASE,
)


def noise(text: str) -> str:
    """Return why `text` has nothing that lasts; empty where it may."""
    plain = text.strip().replace("\u2019", "'")
    for what, says_so in _NOISES:
        if says_so(plain):
            return what
    return ""


def asks_to_forget(text: str) -> bool:
    """Return whether a text asks that it, or the one before it, is not remembered."""
    plain = text.casefold()
    return any(sign in plain for sign in _FORGET_SIGNS) and bool(_FORGET_THIS.search(text))


def _bare_question(text: str) -> bool:
    return (
        text.endswith(_QUESTION_SIGNS) and bool(_QUESTION.match(text)) and not _TELLS.search(text)
    )


def _request(text: str) -> bool:
    return (
        text[:6].lower() == "please"
        and bool(PASSING.match(text) and _ONE_SENTENCE.match(text))
        and not _LASTING.search(text)
    )


def _small_talk(text: str) -> bool:
    for number, word in enumerate(WORD.finditer(text)):
        if number == _MAX_HOLLOW or word[0].casefold() not in _HOLLOW:
            return bool(_HOLLOW_CJK.match(text))
    return True


def _is_json(text: str) -> bool:
    if not text.startswith(("{", "[")):
        return False
    try:
        return isinstance(json.loads(text), (dict, list))
    except (ValueError, RecursionError):
        return False


_NOISES: tuple[tuple[str, Callable[[str], object]], ...] = (
    ("a heartbeat", _HEARTBEAT.match),
    ("a bare time", _TIME_ONLY.match),
    ("arithmetic", lambda text: _SUM.match(text) and _OPERATOR.search(text)),
    ("a log line", _LOG_LINE.match),
    ("an assistant's opening", lambda text: len(text) <= _OPENER_LIMIT and _OPENER.match(text)),
    ("a message that was not to be remembered", asks_to_forget),
    ("a question", _bare_question),
    ("a request of the moment", _request),
    ("small talk", _small_talk),
    ("raw JSON", _is_json),
    ("metadata of the host", lambda text: not without_host_blocks(text, leading=True)),
)
