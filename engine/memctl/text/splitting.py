"""Words as the indexes of a store have them: split, stemmed, and counted by rows.

SQLite's own tokenizer is asked, so that a question is split exactly as the texts were.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from memctl.base.pattern import Pattern
from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from memctl.store.store import Store

__all__ = [
    "NO_WORDS",
    "KnownWords",
    "Splitter",
    "Token",
    "Vocabulary",
    "emoji_of",
    "fold",
    "is_unspaced",
    "parted_scripts",
    "piece_words",
    "quoted",
]

SQL = statements.load("store/wording")

# Scripts written without spaces; the same ranges stand in the schema's views. The
# compatibility ideographs need no range: composing (NFC) replaces them.
_CHARACTERS = (
    "[\u3005\u3007\u3041-\u30ff\u3105-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3"
    "\U00020000-\U000323af\u0e01-\u0e5b\u0e81-\u0edf\u1000-\u109f\u1780-\u17ff]"
)
_UNSPACED = Pattern(_CHARACTERS)
_UNSPACED_RUN = Pattern(f"{_CHARACTERS}+")
_CODE = Pattern("[0-9a-f]{4,5}")

# Pictures, as the view ``memory_words`` knows them: arrows, symbols, emoji.
_EMOJI = Pattern("[\u2190-\u2bff\U0001f000-\U0001faff]")

# Letters that SQLite's tokenizer does not fold; the same stand in the view ``memory_words``.
_FOLDED = str.maketrans(
    {
        "\u0142": "l", "\u0141": "l", "\u00f8": "o", "\u00d8": "o", "\u0111": "d", "\u0110": "d",
        "\u00f0": "d", "\u00d0": "d", "\u0127": "h", "\u0126": "h", "\u0167": "t", "\u0166": "t",
        "\u0131": "i", "\u00e6": "ae", "\u00c6": "ae", "\u0153": "oe", "\u0152": "oe",
        "\u00df": "ss", "\u1e9e": "ss", "\u00fe": "th", "\u00de": "th",
        # What says how the emoji before it looks: a variation, a tone of skin.
        "\ufe0f": " ", **{chr(tone): " " for tone in range(0x1F3FB, 0x1F400)},
    }
)  # fmt: skip

# FTS5 cuts a word after 32,768 bytes, also inside a character, and what is left of that
# character is no text any more. A character takes 4 bytes at most.
_LONGEST_WORD = 8_000
_ENDLESS = Pattern(rf"\S{{{_LONGEST_WORD}}}")

# The words of a text in ASCII, as the index's tokenizer finds them: its letters and digits.
_ASCII_WORD = Pattern(r"[a-z0-9]+")
# A word has the same stem in every store, so the stems of words asked for are kept.
_MOST_STEMS = 20_000
_stems: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Token:
    """One word: as written (case and accents folded), and as the index holds it (stemmed)."""

    surface: str
    stem: str


class Splitter:
    """Words of texts, as the store's indexes split and stem them.

    The work is done in temporary tables of the connection, in memory, so that it works
    on a read-only store and leaves nothing behind.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def split(self, texts: Sequence[str]) -> list[list[Token]]:
        """Return the tokens of each text, in their order."""
        texts = [fold(text) for text in texts]
        if not all(len(text) <= _LONGEST_WORD and text.isascii() for text in texts):
            return self._tokenized(texts)
        surfaces = [_ASCII_WORD.findall(text.lower()) for text in texts]
        stems = self.stems({word for words in surfaces for word in words})
        return [[Token(word, stems[word]) for word in words] for words in surfaces]

    def pieces(self, text: str) -> list[Token]:
        """Return the tokens that a text is indexed by beside its words; see `piece_words`."""
        found = piece_words(text)
        return self.split([" ".join(found)])[0] if found else []

    def split_as_indexed(self, texts: Sequence[str]) -> list[list[Token]]:
        """Return the tokens of each text and its pieces, as the index holds them."""
        return self.split([" ".join((parted_scripts(text), *piece_words(text))) for text in texts])

    def stems(self, words: Collection[str], *, keep: bool = True) -> dict[str, str]:
        """Return the stems of words, each a token as `split` writes it.

        What was asked for once is kept in this process, unless `keep` is false.
        """
        found = {word: stem for word in words if (stem := _stems.get(word)) is not None}
        unknown = sorted(set(words) - found.keys())
        if unknown:
            fresh = self._stems_of(unknown)
            found |= fresh
            if keep:
                if len(_stems) + len(fresh) > _MOST_STEMS:
                    _stems.clear()
                _stems.update(fresh)
        return found

    def _stems_of(self, words: list[str]) -> dict[str, str]:
        text = " ".join(words)
        if text.isascii():  # nothing is left to fold: each word is one token, as it stands
            with self._transaction() as connection:
                connection.execute(SQL.clear_stems)
                connection.execute(SQL.add_stem, (0, text))
                stems = connection.execute(SQL.read_stems).fetchall()
            return {word: stem for word, (_, stem) in zip(words, stems, strict=True)}
        return {token.surface: token.stem for token in self._tokenized([text])[0]}

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        connection = self._prepared()
        if connection.in_transaction:
            yield connection
            return
        connection.execute("begin")
        try:
            yield connection
        finally:
            connection.execute("commit")

    def _tokenized(self, texts: Sequence[str]) -> list[list[Token]]:
        found: list[list[Token]] = [[] for _ in texts]
        rows = [(doc, _with_ends(text)) for doc, text in enumerate(texts)]
        with self._transaction() as connection:
            for clear in (SQL.clear_surfaces, SQL.clear_stems):
                connection.execute(clear)
            connection.executemany(SQL.add_surface, rows)
            connection.executemany(SQL.add_stem, rows)
            surfaces = connection.execute(SQL.read_surfaces).fetchall()
            stems = connection.execute(SQL.read_stems).fetchall()
        for (doc, surface), (_, stem) in zip(surfaces, stems, strict=True):
            if surface:  # a mark that stands on no letter folds to nothing
                found[doc].append(Token(surface, stem))
        return found

    def prepare(self) -> None:
        """Make the temporary tables; inside a snapshot they would last as long as it alone."""
        self._prepared()

    def _prepared(self) -> sqlite3.Connection:
        connection = self._store.connection()
        if not connection.execute(SQL.has_table, {"name": "memctl_stem_reader"}).fetchone():
            for statement in (
                SQL.make_surfaces,
                SQL.make_stems,
                SQL.make_surface_reader,
                SQL.make_stem_reader,
            ):
                connection.execute(statement)
        return connection


class Vocabulary(Splitter, ABC):
    """The words of one index: split and stemmed as it does, and the rows that hold each."""

    # What makes the temporary tables that read the index, where they are not there yet.
    _readers: tuple[str, ...]

    def prepare(self) -> None:
        """Make the temporary tables, those that read the index too."""
        connection = self._store.connection()
        if not connection.execute(SQL.has_table, {"name": "memctl_vocabulary"}).fetchone():
            super().prepare()
            for statement in self._readers:
                connection.execute(statement)

    @abstractmethod
    def _rows(self, sql: str, parameters: Mapping[str, Any]) -> Iterable[sqlite3.Row]:
        """Return the rows of a query of the vocabulary table."""

    def counts(self, stems: Collection[str]) -> dict[str, int]:
        """Return those of `stems` that stand in the index, with their rows."""
        return self._counted(SQL.stem_counts, {"stems": json.dumps(sorted(stems))})

    def between(self, low: str, high: str, *, shortest: int, longest: int) -> dict[str, int]:
        """Return the stems from `low` up to and without `high` of some lengths, with their rows."""
        bounds = {"low": low, "high": high, "shortest": shortest, "longest": longest}
        return self._counted(SQL.stems_between, bounds)

    def _counted(self, sql: str, parameters: Mapping[str, Any]) -> dict[str, int]:
        counts: Counter[str] = Counter()
        for stem, rows_with_it in self._rows(sql, parameters):
            counts[stem] += rows_with_it
        return counts


class KnownWords(Protocol):
    """The words that another tier holds: none of them is taken for a typo."""

    def holds(self, word: str, /) -> bool:
        """Return whether the tier holds a word."""


class _NoWords:
    def holds(self, _: str) -> bool:
        return False


# The words of a tier that is not asked.
NO_WORDS: KnownWords = _NoWords()


def fold(text: str) -> str:
    """Return a text with the letters folded that SQLite's tokenizer does not: "ł" to "l"."""
    return text if text.isascii() else text.translate(_FOLDED)


def piece_words(text: str) -> list[str]:
    """Return what a text is indexed by beside its words, as the view ``memory_words`` does it.

    Each character of a script without spaces, each pair of them, and a word for each emoji.
    """
    if text.isascii():
        return []
    text = fold(text)
    found: list[str] = []
    for place, character in enumerate(text):
        if _EMOJI.match(character):
            found.append(f"emoji{ord(character):x}")
        elif _UNSPACED.match(character):
            following = text[place + 1 : place + 2]
            found.append(character)
            if _UNSPACED.match(following):
                found.append(character + following)
    return found


def emoji_of(word: str) -> str:
    """Return the emoji that a word of the index stands for; any other word as it is."""
    code = word.removeprefix("emoji")
    if code == word or not _CODE.fullmatch(code):
        return word
    return chr(int(code, 16))


def parted_scripts(text: str) -> str:
    """Return a text with spaces around runs of scripts that are written without."""
    return text if text.isascii() else _UNSPACED_RUN.sub(r" \g<0> ", text)


def is_unspaced(text: str) -> bool:
    """Return whether a character of a script that is written without spaces is in `text`."""
    return not text.isascii() and _UNSPACED.search(text) is not None


def _with_ends(text: str) -> str:
    """Return `text` with a space wherever a word goes on for too long."""
    return text if len(text) <= _LONGEST_WORD else _ENDLESS.sub(r"\g<0> ", text)


def quoted(word: str) -> str:
    """Return `word` as an FTS5 string: whatever is in it, it is one word and no operator."""
    return '"' + word.replace('"', '""') + '"'
