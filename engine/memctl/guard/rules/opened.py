# ruff: noqa: RUF001 - other scripts and their punctuation are what is searched
"""Passwords of networks, and of what is opened, unlocked or logged in to with them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.guard.rules.gate import has_digit
from memctl.guard.rules.hit import Hit
from memctl.guard.rules.judge import is_strong, is_unmistakable
from memctl.guard.rules.oddness import JOINED_TO_NUMBER, ROW, SHORT_NUMBER, oddness
from memctl.guard.rules.sayings import Saying
from memctl.guard.rules.shapes import is_dense
from memctl.guard.rules.signs import Signs
from memctl.guard.rules.unnamed import PLACE, VALUE, Unnamed, is_odd, unnamed_hits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.guard.rules.text_view import TextView
    from memctl.guard.rules.values import Value

__all__ = ["OPENED_SIGNS", "opened_hits"]

_NETWORK_NEEDLES = ("ssid", "wifi", "wi-fi", "wlan", "hotspot")
_OPEN_NEEDLES = (
    "open",
    "lock",
    "crypt",
    "protect",
    "secure",
    "wifi",
    "wi-fi",
    "unzip",
    "extract",
    "entsperr",
    "abre",
    "ouvr",
    "логин",
    "log in",
    "logged in",
    "login",
    "sign in",
    "signed in",
)
_NETWORK = Pattern(
    r"(?:ssid|wi-?fi|wlan|hotspot)\b[\w\s]{0,20}?(?:[:=\]]\s{0,3}|\s(?=[\"'“„«]))[^\n/|,;:=]{1,40}?(?:\s?(?P<apart>[/|,;])\s{0,3}(?:key|schlüssel|clé|clave|chave|chiave|pass\w{0,8}|pw|psk)?\s?[:=]?|\s{1,4}key\s?(?:[:=]|(?=[\"'])))\s{0,3}"
    + VALUE,
    re.IGNORECASE,
)
_PLURAL = 12  # characters before the word for it
_NETWORKS_LISTED = Pattern(r"(?i)(?:networks|ssids|netze|netzwerke|redes|réseaux|hotspots)\b")
_OPENED = Pattern(
    r"(?:open|unlock|encrypt|protect|secur|lock|wi-?fi|decrypt|unzip|extract|entsperr|abr[ei]|ouvr|log(?:ged)?\s?in|sign(?:ed)?\s?in)\w{0,5}\b[^\n]{0,40}?\s(?:with|using|via|mit|con|avec)\s"
    + VALUE,
    re.IGNORECASE,
)
# "wifi for mum's place? It's Cobblestone44", "le wifi chez mamie c'est Livebox et la clé Confiture_2022"
_NETWORK_KEY = Saying(
    r"<network>\b[^\n]{0,60}?(?:\?\s(?:it['’]?s|it\sis)\s|[\s,](?:and|und|y|et|e),?\s(?:the|its|der|la|le|a)\s(?:key|schlüssel|clave|llave|clé|chave|chiave|code)\s(?:(?:is|ist|es|est|é|è)\s)?"
    r"|\s(?:and|und)\syou\sget\s(?:in|on)\s(?:with|using)\s)" + VALUE + r"(?=\s*$|\n|[.,;!])"
)
# Words and a number, and behind an arrow the network that they are for
_NETWORK_BEHIND = Saying(VALUE + r"\s(?:<-+|←)\s[^\n]{0,20}<network>\b(?!\s(?:name|ssid))")
# "Mit Lerche!271 kommst du ins WLAN", "用Liulian_88连wifi", "Wi-FiにはSuika_2020で入れる"
_WITH_FIRST = Saying(
    r"(?:\b(?:mit|con|avec|with|com)\s|用\s?|<network>(?:に|は)[^!-~]{0,4})(?P<value>[!-~]{5,64}?)(?:(?:\s|\s?[连連上])[^\n.]{0,30}<network>|で[^\n]{0,4}(?:入|つな|繋|接続))"
)
# The wallet, unlock: Copper-Otter-12
_SEALED_SIGN = Saying(
    r"\b(?:unlock|decrypt|entsperren|entschlüsseln|desbloquear|déverrouiller)\s?[:=]\s?" + VALUE
)
# Use Rain1951$ to log in.
_USED = Pattern(
    rf"\b(?:uses?|try|tries|usa|nimm|nutzt)\s(?:[\w.-]{{2,40}}:)?{VALUE}\s(?:to|for|para|um|zum|für)\s(?:\S{{1,12}}\s){{0,2}}?(?:log|sign|connect|auth|unlock|open|decrypt|tablet|laptop)",
    re.IGNORECASE,
)
_NAMED_USER = Pattern(r"\w+\s[\w.-]{2,40}:")
_SEALED = Pattern(
    r"(?i)unlock|encrypt|protect|lock|decrypt|entsperr"
)  # what nobody does with a program
_MARKED = Pattern(r"(?=\D*\d)(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9]+[!#$%^&*?~@+=][^\s@]*$")


_ASKS = Saying(r"(?<![a-z])<asks-password>(?![a-z])")
_NEAR = 72  # characters
# "with user admin and Walnut.Boat9", "when sudo asks, Walnut.Boat9"
_CONNECTED = Pattern(
    r"(?:\s(?:with|and|using|und|mit|y|con|et|avec|e)\s(?:then\s)?|[,/]\s)[\"'`]?(?P<value>[^\s\"'`,;]{5,64}?)(?=[\"'`]?(?:[.,;!]?(?:\s|$)))"
)
_ASKING = Signs((
    "sudo", "log in", "logged in", "logging in", "login", "sign in", "signed in", "signing in", "anmeld", "einlogg", "sesión", "entra", "connecte", "accedi", "portal", "登", "ログイン", "войди",
))  # fmt: skip


_NETWORKS = Signs((*_NETWORK_NEEDLES, "network", "netz", "réseau", "internet"))


def opened_hits(view: TextView) -> Iterator[Hit]:
    """Yield passwords that stand where a network, a lock or a log-in is spoken of."""
    yield from unnamed_hits(view, _RULES)
    if view.holds(_ASKING):
        yield from _asked(view.text)


def _asked(text: str) -> Iterator[Hit]:
    """Yield words that no program or machine is called by, behind what asks for a password."""
    for found in _CONNECTED.finditer(text):
        said = found["value"]
        if has_digit(said) and "/" not in said and oddness(said) >= JOINED_TO_NUMBER:
            line = max(text.rfind("\n", 0, found.start()) + 1, found.start() - _NEAR)
            asking = _ASKS.finditer(text, line, found.start())
            if any(asks.end() < found.start() for asks in asking):  # "log in and open ..."
                yield Hit("password-in-prose", *found.span("value"))


def _is_of_network(found: re.Match[str], value: Value) -> bool:
    """Whether a password behind a network, not one more network of a list."""
    start = max(0, found.start() - _PLURAL)
    listed = _NETWORKS_LISTED.search(found.string, start, found.start("apart")) is not None
    return is_strong(value) and not (listed and found["apart"].strip() == ",")


def _is_generated(word: str) -> bool:
    """Whether random, with more digits than the number at the end of a name."""
    return is_dense(word) and sum(map(str.isdigit, word)) > 1


def _is_clear(found: re.Match[str], value: Value) -> bool:
    odd = oddness(value.text)
    if _SEALED.match(found.group()) and odd >= ROW:
        return True
    if _NAMED_USER.match(found.group()) and odd >= SHORT_NUMBER:
        return True
    return not PLACE.search(value.text) and (
        is_unmistakable(value.text)
        or (is_strong(value) and (bool(_MARKED.match(value.text)) or _is_generated(value.text)))
    )


_RULES = (
    Unnamed((Signs(_NETWORK_NEEDLES),), _NETWORK, _is_of_network),
    Unnamed((_NETWORKS,), _NETWORK_KEY, is_odd),
    Unnamed((_NETWORKS,), _WITH_FIRST, lambda _, value: oddness(value.text) >= JOINED_TO_NUMBER),
    Unnamed((Signs(("<-", "←")),), _NETWORK_BEHIND, is_odd),
    Unnamed((Signs(_OPEN_NEEDLES),), _OPENED, _is_clear),
    Unnamed((Signs(("log", "sign", "connect", "auth", "lock", "open", "crypt", "tablet", "laptop")),), _USED, _is_clear),
    Unnamed((Signs(("unlock", "decrypt", "entsp", "entschl", "desbloquear", "déverrouiller")),), _SEALED_SIGN, lambda _, value: oddness(value.text) >= ROW),
)  # fmt: skip
OPENED_SIGNS = Signs((*(sign for rule in _RULES for sign in rule.signs[0]), *_ASKING))
