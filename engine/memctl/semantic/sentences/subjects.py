"""Who or what a sentence can be about, as a sentence names it."""

from __future__ import annotations

__all__ = ["NAME", "NAMES", "THING_DE", "THING_EN", "THING_ES", "THING_FR"]

NAME = r"[^\W\d_a-z\u00df-\u00f6\u00f8-\u00ff][\w.'-]*"
NAMES = rf"{NAME}(?:\s+{NAME}){{0,2}}"

# A person, or a thing in a few words: the billing service, our daily sync, Dark mode.
_WORDS = r"(?:\s+(?!(?:is|are|was|were|can|will)\b)[\w-]+)"
THING_EN = (
    rf"(?P<subject>I|(?:[Tt]he\s+)?[Uu]ser(?:'s{_WORDS}{{1,2}}?)?|"
    rf"(?:[Tt]he|[Oo]ur|[Mm]y){_WORDS}{{1,4}}?|{NAME}{_WORDS}{{0,2}}?)"
)
THING_DE = rf"(?P<subject>[Ii]ch|(?:(?:[Dd](?:er|ie|as)|[Uu]nsere?|[Mm]eine?)\s+)?{NAMES})"
THING_ES = rf"(?P<subject>[Yy]o|(?:[Ee]l|[Ll]a|[Ll]os|[Ll]as|[Nn]uestr[oa]|[Mm]i)(?:\s+[\w-]+){{1,3}}?|{NAMES})"
THING_FR = (
    r"(?P<subject>[Jj]e|(?:(?:[Ll]e|[Ll]a|[Ll]es|[Nn]otre|[Mm]on|[Mm]a)\s+|[Ll]')[\w-]+"
    rf"(?:\s+[\w-]+){{0,2}}?|{NAMES})"
)
