"""Texts without content: they are refused whole.

A text that is kept is kept as it was: ``run: pytest``, ``Session: Thursdays`` and
``Agent: Maria`` are facts.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memctl.base.pattern import patterns_in
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
SHAPES = patterns_in("memctl.semantic", "noise.txt")
_OPENER_LIMIT = 300
# Each of its alternatives holds one of these: looked for first, because that is cheap.
_FORGET_SIGNS = (
    *("remember", "store", "save", "memori", "the record", "\u8bb0\u4f4f"),
    *("recuerdes", "guardes", "retiens", "m\u00e9morise", "merk", "\u899a\u3048\u306a\u3044\u3067"),
)
_QUESTION_SIGNS = ("?", "\uff1f", "\u061f")


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
    return any(sign in plain for sign in _FORGET_SIGNS) and bool(SHAPES["forget this"].search(text))


def _bare_question(text: str) -> bool:
    return (
        text.endswith(_QUESTION_SIGNS)
        and bool(SHAPES["question"].match(text))
        and not SHAPES["tells"].search(text)
    )


def _request(text: str) -> bool:
    return (
        text[:6].lower() == "please"
        and bool(SHAPES["passing"].match(text) and SHAPES["one sentence"].match(text))
        and not SHAPES["lasting"].search(text)
    )


def _small_talk(text: str) -> bool:
    for number, word in enumerate(WORD.finditer(text)):
        if number == _MAX_HOLLOW or word[0].casefold() not in _HOLLOW:
            return bool(SHAPES["small talk"].match(text))
    return True


def _is_json(text: str) -> bool:
    if not text.startswith(("{", "[")):
        return False
    try:
        return isinstance(json.loads(text), (dict, list))
    except (ValueError, RecursionError):
        return False


_NOISES: tuple[tuple[str, Callable[[str], object]], ...] = (
    ("a heartbeat", SHAPES["heartbeat"].match),
    ("a bare time", SHAPES["time"].match),
    ("arithmetic", lambda text: SHAPES["sum"].match(text) and SHAPES["operator"].search(text)),
    ("a log line", SHAPES["log line"].match),
    (
        "an assistant's opening",
        lambda text: len(text) <= _OPENER_LIMIT and SHAPES["opener"].match(text),
    ),
    ("a message that was not to be remembered", asks_to_forget),
    ("a question", _bare_question),
    ("a request of the moment", _request),
    ("small talk", _small_talk),
    ("raw JSON", _is_json),
    ("metadata of the host", lambda text: not without_host_blocks(text, leading=True)),
)
