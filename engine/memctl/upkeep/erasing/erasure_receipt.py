"""Receipt of an erasure: what has gone, what was read to prove it, and what others may still hold."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file that was read to the end: its name and size in bytes."""

    name: str
    bytes: int


@dataclass(frozen=True, slots=True)
class FileCopy:
    """A copy of the store that was made earlier; ``holds``: something erased was found in it.

    ``None``: it cannot be read.
    """

    path: str
    bytes: int
    holds: bool | None


@dataclass(frozen=True, slots=True)
class Proof:
    """The proof of an erasure.

    Parameters
    ----------
    proven
        True when the files were written anew, read, and nothing erased was in them.
    pieces, words
        How many pieces of texts and pictures, and words of the index, were looked for.
    files
        The files that were read: database, write-ahead log, its index.
    found
        The places where something is left: file and page.
    unfinished
        Why the files could not be written anew, and what finishes it; empty where they were.
    """

    proven: bool
    pieces: int
    words: int
    files: tuple[ReadFile, ...]
    found: tuple[str, ...] = ()
    unfinished: str = ""


@dataclass(frozen=True, slots=True)
class Erasure:
    """An erasure, or what one would take: ids and counts, never a text.

    Parameters
    ----------
    done
        False where it was only tried, and taken back.
    items
        The rows that were chosen and those made of them: ``"turn:12"``, ``"f_3921fa271ecc"``,
        ``"component:7"``, ``"s_a3f2c1"``.
    rows
        Rows that went, by table.
    blanked
        Cells that were emptied because they quoted something, by table and column.
    still_said, others
        Rows that say the same and were not chosen, the first of them by id, and how many.
    copies
        Copies that were made earlier, as far as the home shows them.
    proof
        ``None`` where it was only tried.
    """

    done: bool
    items: tuple[str, ...]
    rows: dict[str, int]
    blanked: dict[str, int]
    still_said: tuple[str, ...] = ()
    others: int = 0
    copies: tuple[FileCopy, ...] = ()
    proof: Proof | None = None
