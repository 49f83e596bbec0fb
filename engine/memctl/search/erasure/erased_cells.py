"""Erased cells: all that goes within a call, whatever takes it away, and what quotes it anywhere.

A row takes others along: by a foreign key, by a trigger of the schema, by what memctl does itself.
Each of them is a delete or an update, so a temporary trigger notes it, in memory, until the call ends.
Then whatever repeats an erased text goes, too, in whatever column of whatever table it stands.
"""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.base.pattern import Pattern
from memctl.search.erasure import table_sql
from memctl.search.erasure.table_sql import BLANKS, INDEXED, OWN, tables_of
from memctl.search.index.index_words import IndexWords
from memctl.search.index.unindexed import index_rows
from memctl.store import statements
from memctl.text.closed_words import content_words
from memctl.text.real_words import is_real_word
from memctl.text.splitting import UNSPACED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memctl.search.erasure.table_sql import ColumnRule, TableRules
    from memctl.store.store import Store

SQL = statements.load("store/erasure")

# Words in a row that are a quote where this many of them are none of grammar.
_RUN = 5
_TELLING = 3
# Words anywhere in a text that are a quote, though each be a common one.
_TOGETHER = 2
# Rows that are read at once.
_PAGE = 1_000
# Words in their order, each character of a script without spaces being one.
_WORD = Pattern(rf"[{UNSPACED}]|[^\W_]+")
_NAME = Pattern("[a-z_]+")
# A time as memctl writes it, or a count and the time of the last: "0 ".
_TIME = Pattern(r"(\d+ )?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z)?")

_Phrase = tuple[str, ...]


class ErasedCell(NamedTuple):
    """A value that was erased from a column; ``field`` and ``was`` are ``None`` for the row itself."""

    relation: str
    row_key: str
    field: str | None
    was: str | bytes | None


class ErasedWords(NamedTuple):
    """Names, numbers and rare words of erased texts: gone with their stems, or used by others."""

    gone: frozenset[str] = frozenset()
    still_said: frozenset[str] = frozenset()


class Erasing:
    """An erasure that is going on.

    Attributes
    ----------
    tried
        True where all will be taken back: the index stays in the parts that it is in.
    words
        After it: the words of what has gone, but no common ones.
    """

    def __init__(self, store: Store, asked: Iterable[str] = ()) -> None:
        self.store = store
        self.tables = tables_of(store)
        self.asked = list(asked)  # what repeats these goes, too
        self.tried = False
        self.words = ErasedWords()
        self._noted: list[ErasedCell] | None = None

    @property
    def cells(self) -> list[ErasedCell]:
        """All that has gone so far, in its order."""
        return self._read() if self._noted is None else self._noted

    def removed(self, relation: str) -> list[str]:
        """Return the keys of the rows of a table that have gone so far, each once."""
        keys = [one.row_key for one in self.cells if (one.relation, one.field) == (relation, None)]
        return list(dict.fromkeys(keys))

    def begin(self) -> None:
        """Note from now on what goes. In a transaction."""
        connection = self.store.connection()
        connection.execute(table_sql.MAKE_CELLS)
        for table in self.tables:
            for statement in table.noting():
                connection.execute(statement)

    def finish(self) -> None:
        """Erase what quotes that, and let no word of it stay in an index."""
        self._erase_quotes()
        for row in self.store.rows(SQL.dangling):
            deletion = table_sql.delete_numbered(row["relation"])
            self.store.execute(deletion, {"number": row["number"]})
        for row in () if self.tried else self.store.rows(SQL.word_indexes):
            self.store.execute(table_sql.optimize(row["name"]))
        self._noted = self._read()

    def _erase_quotes(self) -> None:
        """Erase what repeats erased texts; keep the words of the most specific ones.

        A word or a run of words that another turn, episode, fact or name says tells of that one as
        well, and stays. One word is a quote where it is a name, a number or no common word, or where
        the column is a mere trace of what was asked. The rows of the texts are gone already.
        """
        columns = [(table, column) for table in self.tables for column in table.columns]
        memories = {(t.name, c.name) for t, c in columns if c.rule in (OWN, INDEXED)}
        texts = [told(one.was) for one in self._read() if (one.relation, one.field) in memories]
        gone = _GoneWords(self.store, self.tables, texts, self.asked)
        for table in self.tables:
            repeating = [column for column in table.columns if column.repeats]
            if repeating and gone.anything:
                _erase_in(self.store, table, repeating, gone)
        self.words = ErasedWords(gone.strong | gone.strong_stems, gone.still_said)

    def end(self) -> None:
        """Note nothing any more."""
        connection = self.store.connection()
        for (name,) in connection.execute(SQL.triggers).fetchall():
            connection.execute(f'drop trigger temp."{name}"')
        connection.execute(table_sql.DROP_CELLS)

    def _read(self) -> list[ErasedCell]:
        return [ErasedCell(*row) for row in self.store.rows(table_sql.READ_CELLS)]


class _CurrentErasing(threading.local):
    """The erasure that this thread is in."""

    erasing: Erasing | None = None


_going = _CurrentErasing()


@contextmanager
def erasing(store: Store, asked: Iterable[str] = ()) -> Iterator[Erasing]:
    """Let every delete inside erase what quotes the row, in any table. In a transaction.

    Inside of another it joins that one, at whose end the quotes go.

    Parameters
    ----------
    asked
        Texts by which the rows were chosen: what repeats them goes, too.
    """
    going = _going.erasing
    if going is not None and going.store is store:
        going.asked += asked
        yield going
        return
    try:
        # Who chose the rows had a scope; what quotes them may be anybody's.
        with store.unscoped():
            _going.erasing = current = Erasing(store, asked)
            current.begin()
            yield current
            _going.erasing = None
            current.finish()
            current.end()
    finally:
        _going.erasing = None  # what was noted goes with the transaction that is rolled back


def told(value: Any, *, ours: bool = False) -> str:
    """Return the text of a cell: the texts in JSON, else the text; nothing of bytes.

    ``ours``: it is JSON of memctl, whose numbers and times tell nothing.
    """
    if not isinstance(value, str):
        return ""
    if value[:1] in {"[", "{"}:
        try:
            found = [*_texts_in(json.loads(value))]
            if ours:
                found = [one for one in found if isinstance(one, str) and not _TIME.fullmatch(one)]
            return "\n".join(map(str, found))
        except ValueError:
            pass
    return value


def _texts_in(value: Any) -> Iterator[str | float]:
    if isinstance(value, str):
        yield told(value)  # JSON in JSON
    elif isinstance(value, dict):
        for name, one in value.items():
            if not _NAME.fullmatch(name):  # a name of a field tells nothing
                yield name
            yield from _texts_in(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts_in(one)
    elif value is not None and not isinstance(value, bool):
        yield value


class _GoneWords:
    """Words and phrases of erased texts that no other text has.

    The strong ones are a quote by themselves: names, numbers, rare words, and what was asked for;
    others say those that are `still_said`.
    """

    def __init__(
        self, store: Store, tables: Sequence[TableRules], texts: list[str], asked: list[str]
    ) -> None:
        index_rows(store)
        self._store = store
        self._index = IndexWords(store)
        words = {word for text in (*texts, *asked) for word in content_words(text)}
        self._gone = {word for word in words if not self._index.any_occurs([word])}
        self._phrases = {phrase for text in (*texts, *asked) for phrase in _phrases(text)}
        self._take_out_names(tables)
        wanted = {word for text in asked for word in content_words(text)}
        self.strong = frozenset(
            word for word in self._gone if word in wanted or not is_real_word(word)
        )
        said = words - self._gone
        self.still_said = frozenset(
            word for word in said if word in wanted or not is_real_word(word)
        )
        self._lengths = sorted({len(phrase) for phrase in self._phrases})
        self._known: dict[_Phrase, bool] = {}
        self._stems = self._stems_of(self._gone)
        self.strong_stems = self._stems_of(self.strong)

    @property
    def anything(self) -> bool:
        """True where something may be quoted."""
        return bool(self._gone or self._phrases)

    def stems_by_word(self, texts: Iterable[str]) -> dict[str, frozenset[str]]:
        """Return the stems of every word in some texts."""
        listed = sorted({word for text in texts for word in content_words(text)})
        cut = self._index.split(listed)
        return {
            word: frozenset(token.stem for token in tokens)
            for word, tokens in zip(listed, cut, strict=True)
        }

    def quoted_in(self, text: str, stems: dict[str, frozenset[str]], *, by_word: bool) -> bool:
        """Return whether a text quotes what is gone."""
        said = frozenset[str]().union(*(stems[word] for word in content_words(text)))
        if said & self.strong_stems or len(said & self._stems) >= (1 if by_word else _TOGETHER):
            return True
        words = _words(text)
        if len(words) == 1 and words[0] in self._gone:
            return True
        runs = (
            tuple(words[at : at + length])
            for length in self._lengths
            for at in range(len(words) - length + 1)
        )
        return any(run in self._phrases and not self._lives(run) for run in runs)

    def _lives(self, phrase: _Phrase) -> bool:
        if phrase not in self._known:
            self._known[phrase] = self._index.occur_together(content_words(" ".join(phrase)))
        return self._known[phrase]

    def _take_out_names(self, tables: Sequence[TableRules]) -> None:
        """Erase words from memories outside of the index: names, labels, titles."""
        for table in tables:
            for column in table.columns:
                if column.rule == OWN and (self._gone or self._phrases):
                    for (value,) in self._store.rows(table.distinct(column)):
                        text = told(value)
                        self._gone.difference_update(content_words(text))
                        self._phrases.discard(tuple(_words(text)))

    def _stems_of(self, words: Iterable[str]) -> frozenset[str]:
        return frozenset[str]().union(*self.stems_by_word([" ".join(words)]).values())


def _erase_in(
    store: Store, table: TableRules, columns: Sequence[ColumnRule], gone: _GoneWords
) -> None:
    """Erase the rows, or blank the columns, of a table in which something is quoted."""
    going: dict[str, list[Sequence[Any]]] = {}
    for page in _pages(store, table, columns):
        texts = [
            [
                told(value, ours=column.ours)
                for column, value in zip(columns, row[len(table.key) :], strict=True)
            ]
            for row in page
        ]
        stems = gone.stems_by_word(text for row in texts for text in row)
        for row, said in zip(page, texts, strict=True):
            hit = {
                column.rule
                for column, text in zip(columns, said, strict=True)
                if text and gone.quoted_in(text, stems, by_word=column.by_word)
            }
            if hit:
                goes = sorted(rule for rule in hit if rule not in BLANKS)
                going.setdefault(goes[0] if goes else "", []).append(row[: len(table.key)])
    for rule, keys in going.items():
        for key in keys:
            store.execute(table.erase_in_row(columns, rule), _key_of(key))


def _pages(
    store: Store, table: TableRules, columns: Sequence[ColumnRule]
) -> Iterator[list[Sequence[Any]]]:
    """Yield the rows of a table, a page at a time: their keys, and the values of some columns."""
    asked: dict[str, Any] = {"most": _PAGE}
    while page := store.rows(table.page(columns, first=len(asked) == 1), asked):
        yield [tuple(row) for row in page]
        asked |= _key_of(page[-1][: len(table.key)])


def _key_of(values: Sequence[Any]) -> dict[str, Any]:
    return {f"key_{number}": value for number, value in enumerate(values)}


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _phrases(text: str) -> Iterator[_Phrase]:
    """Yield the runs of words of a text that are quotes of it; a short text is one itself."""
    words = _words(text)
    if 1 < len(words) < _RUN and content_words(text):
        yield tuple(words)
    grammar = {word for word in words if not content_words(word)}
    telling = [word not in grammar for word in words]
    for at in range(len(words) - _RUN + 1):
        if sum(telling[at : at + _RUN]) >= _TELLING:
            yield tuple(words[at : at + _RUN])
