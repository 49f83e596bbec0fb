"""Words by which statements are read and compared: the tables of ``relation_words.txt``, and stems."""

from __future__ import annotations

import re
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING

from memctl.base.packaged import table_in
from memctl.base.pattern import Pattern
from memctl.text.closed_words import FORMS, STOP_WORDS
from memctl.text.splitting import CJK

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CJK_SIGN = Pattern(f"[{CJK}]")


class Phrases:
    """Phrases of one or more words, found in a text by its stems; CJK ones by their characters."""

    def __init__(self, lines: Mapping[str, str]) -> None:
        self.of_word: dict[str, set[str]] = {}
        self.values: set[str] = set()  # words that tell of a topic, each as another value of it
        self.of_phrase: list[tuple[str, str]] = []
        self.cjk: list[tuple[str, str]] = []
        for name, entries in (
            (name, entries) for name, line in lines.items() for entries in line.split()
        ):
            entry = entries.removeprefix("!")
            if entry != entries:
                self.values.add(_form(entry))
            if CJK_SIGN.search(entry):
                self.cjk.append((entry, name))
            if "_" in entry and not CJK_SIGN.search(entry) and entry[0] != "=":
                phrase = " ".join(stem(word) for word in entry.split("_"))
                self.of_phrase.append((f" {phrase} ", name))
            else:
                key = entry if entry[0] == "=" else _form(entry)
                self.of_word.setdefault(key, set()).add(name)
        self.firsts = {phrase.split()[0] for phrase, _ in self.of_phrase}

    def found(self, stems: Iterable[str], joined: str, text: str, *, cjk: bool) -> set[str]:
        """Return the names of the lines that have a word of a text."""
        names: set[str] = set()
        for stem_found in stems:
            names |= self.of_word.get(stem_found, set())
        if not self.firsts.isdisjoint(stems):
            names |= {name for phrase, name in self.of_phrase if phrase in joined}
        if cjk:
            names |= {name for entry, name in self.cjk if entry in text}
        return names


class Tables:
    """The tables of ``relation_words.txt``, each made when it is first asked for."""

    @cached_property
    def told(self) -> dict[str, dict[str, str]]:
        """The sections of the file."""
        return table_in("memctl.text", "relation_words.txt")

    @cache  # noqa: B019  (there is one)
    def phrases(self, section: str) -> Phrases:
        """Return the phrases of a section."""
        return Phrases(self.told[section])

    @cache  # noqa: B019
    def words(self, section: str, key: str = "words") -> frozenset[str]:
        """Return the words of a line, as written."""
        return frozenset(self.told[section][key].split())

    @cached_property
    def sides(self) -> Phrases:
        """Phrases by side, as "liked yes"."""
        of = {name: lines for name, lines in self.told.items() if name.startswith("sides.")}
        named = {
            f"{name[6:]} {side}": line for name, both in of.items() for side, line in both.items()
        }
        return Phrases(named)

    @cached_property
    def grammar(self) -> frozenset[str]:
        """Words that do not show what a statement is about."""
        return STOP_WORDS | self.words("grammar")

    @cached_property
    def roles(self) -> frozenset[str]:
        """Stems of what one may have several of: brothers, friends, allergies."""
        return frozenset(map(stem, self.words("roles")))

    @cached_property
    def of_change(self) -> frozenset[str]:
        """Stems that show a change or a side."""
        words = (*self.phrases("changes").of_word, *self.sides.of_word)
        return frozenset(word for word in words if len(word) > 1)

    @cached_property
    def unsaid(self) -> frozenset[str]:
        """Stems without meaning of their own."""
        return self.of_change | {"new", "stil", "alread", "well", "mehr", "neu"}

    @cached_property
    def cjk_cut(self) -> re.Pattern[str]:
        """What parts the words of a Chinese or Japanese text: topics, which it keeps, and others."""
        topics = {entry for entry, _ in self.phrases("topics").cjk if len(entry) > 1}
        others = {*filter(CJK_SIGN.search, self.of_change), *self.words("grammar", "cjk")} - topics
        longest = sorted(topics | others, key=len, reverse=True)
        return re.compile("|".join(f"({word})" if word in topics else word for word in longest))

    @cached_property
    def contrast(self) -> dict[str, int]:
        """Words that name one of several of a kind, with the number of the kind."""
        groups = enumerate(self.told["contrast"]["words"].split("|"))
        return {_form(word): n for n, group in groups for word in group.split()}

    @cached_property
    def numbers(self) -> dict[str, str]:
        """Number words, with their figures."""
        lists = self.told["numbers"]
        result = {word: str(n) for n, word in enumerate(lists["words"].split()) if word != "one"}
        result |= {word: str(10 * n) for n, word in enumerate(lists["tens"].split(), 3)}
        return result | dict(pair.split(":") for pair in lists["other"].split())

    @cached_property
    def units(self) -> dict[str, str]:
        """Stems of units, with what they measure."""
        lists = self.told["units"].items()
        return {
            stem(unit) if unit.isascii() else unit: name
            for name, line in lists
            for unit in line.split()
        }


TABLES = Tables()


def _form(word: str) -> str:
    """Return a word as it is looked up: its stem, or itself where it is Chinese or Japanese."""
    return word if CJK_SIGN.search(word) else stem(word)


# "Lives" is of "live" more often than of "life".
_FORM_OF = {form: forms[0] for form, forms in FORMS.items() if form != "lives"}
_SHORTEST, _LONGEST_STEM = 3, 7  # letters of a stem
_ENDINGS = ("ings", "ing", "ied", "ies", "ed", "es", "en", "s", "e")


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return the beginning that the forms of a word share."""
    plain = word.lower().replace("\u2019", "'").removesuffix("'s").removesuffix("s'")
    plain = _FORM_OF.get(plain, plain)
    if not plain.isalpha() or len(plain) <= _SHORTEST:
        return plain
    fits = (one for one in _ENDINGS if plain.endswith(one) and len(plain) - len(one) >= _SHORTEST)
    ending = next(fits, "")
    plain = plain.removesuffix(ending)
    # "Planned" is of "plan", and "carried" not of "car".
    if len(plain) > _SHORTEST and plain[-1] == plain[-2] and not ending.startswith("ie"):
        plain = plain[:-1]
    if len(plain) > _SHORTEST and plain[-1] in "yi":
        plain = plain[:-1]
    return plain[:_LONGEST_STEM]


def contrast_of(word: str) -> int | None:
    """Return the group of words that name one of several of a kind, where a word is of one."""
    return TABLES.contrast.get(word)


def is_role_of_several(word: str) -> bool:
    """Return whether one may have several of what a word names: brothers, friends, allergies."""
    return word in TABLES.roles


def topics_of(word: str) -> frozenset[str]:
    """Return the topics of a word, as `memctl.text.statement.PlainStatement.words` has it."""
    topics = TABLES.phrases("topics")
    return frozenset() if word in topics.values else frozenset(topics.of_word.get(word, ()))
