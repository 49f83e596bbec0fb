"""Private keys with their header, whole or cut off: PEM of every kind, PGP; and seed phrases."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.guard.decoding import SecretSpan
from memctl.guard.tables.rule_tables import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.guard.decoding import TextView

__all__ = ["private_key_spans"]

# A header survives copying in many forms: spaces lost or doubled, dashes cut, quoted, escaped.
_HEADER = Pattern(
    r"(?i)BEGIN[\s_]{0,4}(?:[A-Z0-9]{2,12}[\s_]{0,4}){0,3}?PRIVATE[\s_]{0,4}KEY(?:[\s_]{0,4}BLOCK)?["
    r"-\s]{0,10}"
)
_HEADER_LINE = Pattern(
    r"(?im)^[\s>|#\"'`]{0,12}-{3,6}\s?BEGIN[A-Z0-9 ]{0,30} PRIVATE KEY(?: BLOCK)?-{3,6}[\s\"'`]{0,6}$"
)
# A key as documents show one: dots, a slot to be filled in, or nothing between header and footer.
_SHOWN = Pattern(
    r"(?i)[\s>|#\"'`,+]{0,12}(?:\\[rn]|(?:\.{2,}|…|\*{3,}|x{3,}|<[^<>\n]{0,60}>|\[[^\[\]\n]{0,60}\]|"
    r"\{{1,2}[^{}\n]{0,60}\}{1,2}|\$\{?\w{1,40}\}?|(?:your|my|the|redacted|base64|key|private|pem|da"
    r"ta|material|content|contents|here|snip|omitted|goes|encoded|body|bytes|[ _-])+)[\s\"'`,+>|#]{0,"
    r"12}){0,8}-{2,6}\s?END"
)
_FIELD = Pattern(
    r"(?:\[?\.{3}\]?|…|[A-Z][A-Za-z-]{2,24}:[^\n\\]{0,120}(?:\n|\\r|\\n)?|\s|\\[rn]|[>|#\"'+,]){0,24}"
)
_MATERIAL = Pattern(r"(?:[A-Za-z0-9+/=]|\s|\\[rn]|[>|\"',+#]){1,16384}")
_FOOTER = Pattern(r"-{0,6}END[^\n-]{0,60}-{0,6}")
# Small words in a row, numbered or not: a phrase has twelve or more, asked first as it costs least
_ROW = Pattern(r"(?:[a-z]{3,8}[\s,]{1,3}(?:\d{1,2}[.)]\s?)?){11}[a-z]{3}")
_PHRASE = Pattern(
    r"(?i)(?:phrase|words?|wörter|palabras|mots|parole|seed|mnemonic|phrase\s(?:secrète|de\srécupéra"
    r"tion)|frase(?:\s(?:secreta|segreta|semilla|mnemonica|seed|di\srecupero|de\srecuper\w{3,5}))?|助"
    r"记词|助記詞|フレーズ|니모닉|시드|фраза)\s{0,2}(?:\([^()\n]{0,40}\)\s?|(?:for|of|to|from|für|vom|zum|de|del|d"
    r"u|pour|para)\s[^\n:.]{1,30}?(?=:|\s(?:is|are|ist|sind|lauten|es|son|est|sont)\s))?(?:\s?(?:is|"
    r"are|es|son|ist|sind|lauten|est|sont|è|é)(?=\s)|是|は|[^\w\s]{0,2})[\s\"'`]{0,6}((?:(?:\d{1,2}[.)]"
    r"\s?)?(?-i:[a-z]{3,8})[\s,]{1,3}){11,23}(?:\d{1,2}[.)]\s?)?(?-i:[a-z]{3,8}))(?!\w)"
)

_RULE = "private-key"
_FEWEST_DISTINCT = 8
_PHRASE_LENGTH = 12  # words
_FEWEST_WORDS = 9  # different ones, of the twelve of a phrase
_JUDGED_BODY = 400  # characters
_FEWEST_BODY = 12  # characters of key material that must follow a header


def private_key_spans(view: TextView) -> Iterator[SecretSpan]:
    """Yield private keys and what restores one: seed phrases, service account files."""
    text = view.text
    if "private" in view.lowered:
        yield from _headed(text)
    if _ROW.search(text) is not None:
        yield from (
            SecretSpan("seed-phrase", *found.span(1))
            for found in _PHRASE.finditer(text)
            if _odd_words(found[1])
        )


def _headed(text: str) -> Iterator[SecretSpan]:
    for found in _HEADER_LINE.finditer(text):
        if _SHOWN.match(text, found.end()) is None:
            yield SecretSpan(_RULE, *found.span())
    for header in _HEADER.finditer(text):
        start = _FIELD.match(text, header.end())
        at = start.end() if start else header.end()
        # A header is judged by what follows it at once: only a key is read to its end.
        begun = _MATERIAL.match(text, at, at + _JUDGED_BODY)
        if begun is None or not _is_material(begun.group()):
            continue
        body = _MATERIAL.match(text, at)
        if body is None:
            continue
        footer = _FOOTER.match(text, body.end())
        yield SecretSpan(_RULE, header.start(), footer.end() if footer else body.end())


def _is_material(body: str) -> bool:
    """Return whether base64 follows the header, not a sentence about headers."""
    packed = re.sub(r"\\[rn]|[^A-Za-z0-9+/=]", "", body)
    spaced = len(re.findall(r"[A-Za-z]+ [a-z]+ ", body[:200]))
    distinct = len(set(packed[:64]))
    mixed = packed[:64].lower() != packed[:64] and packed[:64].upper() != packed[:64]
    return len(packed) >= _FEWEST_BODY and distinct >= _FEWEST_DISTINCT and mixed and spaced <= 1


def _odd_words(text: str) -> bool:
    """Return whether twelve words follow each other of which none holds a sentence together."""
    held = words("function-word") - words("of-wallets")
    row: list[str] = []
    for word in re.findall(r"[a-z]+", text.lower()):
        row = [] if word in held else [*row[1 - _PHRASE_LENGTH :], word]
        if len(row) == _PHRASE_LENGTH and len(set(row)) >= _FEWEST_WORDS:
            return True
    return False
