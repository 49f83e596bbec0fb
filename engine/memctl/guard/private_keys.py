"""Private keys, whole or cut off: PEM of every kind, PGP, PuTTY, JWK, XML; seed phrases."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memctl.guard.decoding import SecretSpan
from memctl.guard.tables.rule_tables import patterns, words
from memctl.guard.value_shapes import is_placeholder, is_sequence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.guard.decoding import TextView

__all__ = ["private_key_spans"]

_SAYS = patterns("private_keys")

_RULE = "private-key"
_FEWEST_DISTINCT = 8
_ROW = 12  # words of a phrase
_FEWEST_WORDS = 9  # different ones, of the twelve of a phrase
_JUDGED_BODY = 400  # characters
_FEWEST_BODY = 12  # characters of key material that must follow a header


def private_key_spans(view: TextView) -> Iterator[SecretSpan]:
    """Yield private keys and what restores one: seed phrases, service account files."""
    text = view.text
    if "private" in view.lowered:
        yield from _headed(text)
    if "MI" in text or "MC4" in text or "MHc" in text or "b3Bl" in text or "LS0t" in text:
        yield from (SecretSpan(_RULE, *found.span()) for found in _SAYS.bare.finditer(text))
    if "rivate" in view.lowered or "</" in text:
        yield from (SecretSpan(_RULE, *found.span()) for found in _SAYS.labelled.finditer(text))
    if "wallet" in view.lowered or "key" in view.lowered:
        yield from _of_wallets(text)
    if '"kty"' in text:
        for found in _SAYS.jwk.finditer(text):
            if not is_placeholder(found[1]) and not is_sequence(found[1]):
                yield SecretSpan(_RULE, *found.span(1))
    if _SAYS.row.search(text) is not None:
        yield from (
            SecretSpan("seed-phrase", *found.span(1))
            for found in _SAYS.phrase.finditer(text)
            if _odd_words(found[1])
        )


def _headed(text: str) -> Iterator[SecretSpan]:
    for found in _SAYS.header_line.finditer(text):
        if _SAYS.shown.match(text, found.end()) is None:
            yield SecretSpan(_RULE, *found.span())
    for header in _SAYS.header.finditer(text):
        start = _SAYS.field.match(text, header.end())
        at = start.end() if start else header.end()
        # A header is judged by what follows it at once: only a key is read to its end.
        begun = _SAYS.material.match(text, at, at + _JUDGED_BODY)
        if begun is None or not _is_material(begun.group()):
            continue
        body = _SAYS.material.match(text, at)
        if body is None:
            continue
        footer = _SAYS.footer.match(text, body.end())
        yield SecretSpan(_RULE, header.start(), footer.end() if footer else body.end())


def _is_material(body: str) -> bool:
    """Return whether base64 follows the header, not a sentence about headers."""
    packed = re.sub(r"\\[rn]|[^A-Za-z0-9+/=]", "", body)
    spaced = len(re.findall(r"[A-Za-z]+ [a-z]+ ", body[:200]))
    distinct = len(set(packed[:64]))
    mixed = packed[:64].lower() != packed[:64] and packed[:64].upper() != packed[:64]
    return len(packed) >= _FEWEST_BODY and distinct >= _FEWEST_DISTINCT and mixed and spaced <= 1


def _of_wallets(text: str) -> Iterator[SecretSpan]:
    """Yield the private keys of wallets: sixty-four hexadecimal digits and what says so."""
    for found in _SAYS.wallet.finditer(text):
        group = "key" if found["key"] else "before"
        if not is_sequence(found[group]):
            yield SecretSpan(_RULE, *found.span(group))


def _odd_words(text: str) -> bool:
    """Return whether twelve words follow each other of which none holds a sentence together."""
    held = words("function-word") - words("of-wallets")
    row: list[str] = []
    for word in re.findall(r"[a-z]+", text.lower()):
        row = [] if word in held else [*row[1 - _ROW :], word]
        if len(row) == _ROW and len(set(row)) >= _FEWEST_WORDS:
            return True
    return False
