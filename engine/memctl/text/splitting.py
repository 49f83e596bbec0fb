"""Words as the indexes of a store have them: split, stemmed, and counted by rows.

SQLite's own tokenizer is asked, so that a question is split exactly as the texts were.
"""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterator, Sequence

    from memctl.store.store import Store

SQL = statements.load("store/wording")

# Chinese and Japanese; Chinese, Japanese and Korean; all scripts written without spaces, as the
# schema's views know them. The compatibility ideographs need no range: composing (NFC) replaces them.
CHINESE_JAPANESE = "\u3005\u3007\u3041-\u30ff\u3105-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U000323af"
CJK = f"{CHINESE_JAPANESE}\uac00-\ud7a3"
UNSPACED = f"{CJK}\u0e01-\u0e5b\u0e81-\u0edf\u1000-\u109f\u1780-\u17ff"
_UNSPACED = Pattern(f"[{UNSPACED}]")
_UNSPACED_RUN = Pattern(f"[{UNSPACED}]+")
WORD = Pattern(r"[^\W_]+")
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
        "\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl",
        "\u0401": "\u0435", "\u0451": "\u0435",  # the Russian yo
        # Greek letters with accents.
        **dict(zip("\u0386\u0388\u0389\u038a\u038c\u038e\u038f\u0390\u03aa\u03ab", "\u03b1\u03b5\u03b7\u03b9\u03bf\u03c5\u03c9\u03b9\u03b9\u03c5", strict=True)),
        **dict(zip("\u03ac\u03ad\u03ae\u03af\u03b0\u03ca\u03cb\u03cc\u03cd\u03ce", "\u03b1\u03b5\u03b7\u03b9\u03c5\u03b9\u03c5\u03bf\u03c5\u03c9", strict=True)),
        # Alef, waw and yeh with what they carry; the Persian yeh and kaf.
        **dict.fromkeys("\u0622\u0623\u0625\u0671", "\u0627"), "\u0624": "\u0648",
        **dict.fromkeys("\u0626\u0649\u06cc", "\u064a"), "\u06a9": "\u0643", "\u0629": "\u0647",
        # Vowel signs of Hebrew and Arabic, stretched letters, and what is not seen.
        **{chr(sign): "" for sign in (*range(0x5B0, 0x5BE), 0x5BF, 0x5C1, 0x5C2, 0x5C7)},
        **{chr(sign): "" for sign in (0x640, *range(0x64B, 0x656), 0x670, 0xAD, 0x200B, 0xFEFF)},
        # What says how the emoji before it looks: a variation, a tone of skin.
        "\ufe0f": " ", **{chr(tone): " " for tone in range(0x1F3FB, 0x1F400)},
    }
)  # fmt: skip
# Umlauts are written with an e, too: not after another vowel ("neue", "Bauer") or a q.
UMLAUTS = str.maketrans({"\u00e4": "ae", "\u00f6": "oe", "\u00fc": "ue"})
_UMLAUT_OF = {"ae": "\u00e4", "oe": "\u00f6", "ue": "\u00fc"}
_TWO_LETTERS = Pattern("(?<![aeoquy])[aou]e")
# A letter that is a word together with its sign: C#.
_SHARP = Pattern("([A-Za-z])#")
_SIGN_WORD = Pattern("(?<=.)plusplus$|(?<=^[a-z])sharp$")
_DOTNET = (
    (" .net", " dotnet net"), ("(.net", "(dotnet net"), (".NET", " dotnet NET"), (".Net", " dotnet Net")
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
    """One word: as written (case and accents folded), and as in the index (stemmed)."""

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
        words = piece_words(text)
        return self.split([" ".join(words)])[0] if words else []

    def split_as_indexed(self, texts: Sequence[str]) -> list[list[Token]]:
        """Return the tokens of each text and its pieces, as the index has them."""
        return self.split([" ".join((parted_scripts(text), *piece_words(text))) for text in texts])

    def stems(self, words: Collection[str], *, keep: bool = True) -> dict[str, str]:
        """Return the stems of words, each a token as `split` writes it.

        What was asked for once is kept in this process, unless `keep` is false.
        """
        result = {word: stem for word in words if (stem := _stems.get(word)) is not None}
        unknown = sorted(set(words) - result.keys())
        if unknown:
            fresh = self._stems_of(unknown)
            result |= fresh
            if keep:
                if len(_stems) + len(fresh) > _MOST_STEMS:
                    _stems.clear()
                _stems.update(fresh)
        return result

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
        result: list[list[Token]] = [[] for _ in texts]
        # A space wherever a word goes on for too long.
        rows = [(doc, _ENDLESS.sub(r"\g<0> ", text)) for doc, text in enumerate(texts)]
        with self._transaction() as connection:
            for clear in (SQL.clear_surfaces, SQL.clear_stems):
                connection.execute(clear)
            connection.executemany(SQL.add_surface, rows)
            connection.executemany(SQL.add_stem, rows)
            surfaces = connection.execute(SQL.read_surfaces).fetchall()
            stems = connection.execute(SQL.read_stems).fetchall()
        for (doc, surface), (_, stem) in zip(surfaces, stems, strict=True):
            if surface:  # a mark that stands on no letter folds to nothing
                result[doc].append(Token(surface, stem))
        return result

    def prepare(self) -> None:
        """Make the temporary tables; inside a snapshot they would last as long as it alone."""
        self._prepared()

    def _connection(self) -> sqlite3.Connection:
        return self._store.connection()

    def _prepared(self) -> sqlite3.Connection:
        connection = self._connection()
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
    """The words of one index: split and stemmed as it does, and how many rows have each."""

    @abstractmethod
    def counts(self, stems: Collection[str]) -> dict[str, int]:
        """Return those of `stems` that are in the index, with their rows."""

    @abstractmethod
    def between(self, low: str, high: str, *, shortest: int, longest: int) -> dict[str, int]:
        """Return the stems from `low` up to and without `high` of some lengths, with their rows."""


def fold(text: str) -> str:
    """Return a text as the index has it, as far as SQLite's tokenizer does not fold it.

    "\u0142" becomes "l", an accented Greek letter the plain one; "C++", "C#" and ".NET" become
    "Cplusplus", "Csharp" and "dotnet NET". The view ``memory_words`` does the same.
    """
    if "#" in text or "++" in text or ".n" in text or ".N" in text:
        text = _spelt_signs(text)
    return fold_letters(text)


def fold_letters(text: str) -> str:
    """Return a text with letters folded that SQLite's tokenizer does not fold; signs stay."""
    return text if text.isascii() else text.translate(_FOLDED)


def _spelt_signs(text: str) -> str:
    if ".net" in text.lower():
        text = f" {text}"
        for written, spelt in _DOTNET:
            text = text.replace(written, spelt)
    text = text.replace("++", "plusplus ")
    for letter in sorted({match[1] for match in _SHARP.finditer(text)}):
        # "PC#3" and "#C#D" are no names of languages.
        if not re.search(f"[A-Za-z0-9]{letter}#|{letter}#[A-Za-z]", text):
            text = text.replace(f"{letter}#", f"{letter}sharp ")
    return text


def with_umlauts(word: str) -> str:
    """Return a word with the umlauts that it may be written without: "m\u00fcller" for "mueller"."""
    return _TWO_LETTERS.sub(lambda match: _UMLAUT_OF[match[0]], word)


def bare(text: str) -> str:
    """Return a text as the index folds it, without accents, but for the case of its letters."""
    plain = fold(text)
    if plain.isascii():
        return plain
    parts = unicodedata.normalize("NFD", plain)
    return "".join(part for part in parts if not unicodedata.combining(part))


def piece_words(text: str) -> list[str]:
    """Return the words by which a text is indexed beside its own, as the view ``memory_words`` does it.

    Each character of a script without spaces, each pair of them, and a word for each emoji.
    """
    if text.isascii():
        return []
    text = fold(text)
    result: list[str] = []
    for place, character in enumerate(text):
        if _EMOJI.match(character):
            result.append(f"emoji{ord(character):x}")
        elif _UNSPACED.match(character):
            following = text[place + 1 : place + 2]
            result.append(character)
            if _UNSPACED.match(following):
                result.append(character + following)
    return result


def written_form(word: str) -> str:
    """Return the written form of a word of the index: an emoji, "c++", "c#", ".net"; else the word."""
    code = word.removeprefix("emoji")
    if code != word and _CODE.fullmatch(code):
        return chr(int(code, 16))
    if word == "dotnet":
        return ".net"
    return _SIGN_WORD.sub(lambda match: "++" if match[0] == "plusplus" else "#", word)


def parted_scripts(text: str) -> str:
    """Return a text with spaces around runs of scripts that are written without."""
    return text if text.isascii() else _UNSPACED_RUN.sub(r" \g<0> ", text)


def is_unspaced(text: str) -> bool:
    """Return whether a character of a script that is written without spaces is in `text`."""
    return not text.isascii() and _UNSPACED.search(text) is not None


def quoted(word: str) -> str:
    """Return `word` as an FTS5 string: whatever is in it, it is one word and no operator."""
    return '"' + word.replace('"', '""') + '"'
