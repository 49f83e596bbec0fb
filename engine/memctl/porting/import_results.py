"""What an import did, or would do."""

from __future__ import annotations

from dataclasses import dataclass, field

from memctl.porting.foreign_records import UnreadRecord

__all__ = ["Imported"]

_LISTED = 1_000  # refused records that are listed; all are counted


@dataclass(slots=True)
class Imported:
    """The answer of an import.

    Parameters
    ----------
    source, path
        The format, and the file or folder.
    dry_run
        Whether nothing was written.
    met
        Records that were met.
    taken
        Records that were written, by kind: turn, episode, fact, alias, skill, ...
    known
        Records that an earlier import has taken.
    refused
        Records that were refused, with why: the first thousand.
    refusals
        How many were refused.
    remarks
        What is worth saying of the source.
    """

    source: str
    path: str
    dry_run: bool = False
    met: int = 0
    taken: dict[str, int] = field(default_factory=dict)
    known: int = 0
    refused: list[UnreadRecord] = field(default_factory=list)
    refusals: int = 0
    remarks: list[str] = field(default_factory=list)

    @property
    def written(self) -> int:
        """How many records were written, of all kinds."""
        return sum(self.taken.values())

    def take(self, kind: str, records: int = 1) -> None:
        """Count records of a kind as written."""
        self.taken[kind] = self.taken.get(kind, 0) + records

    def refuse(self, where: str, why: str) -> None:
        """Count a record as refused, and list it where there is room."""
        self.refusals += 1
        if len(self.refused) < _LISTED:
            self.refused.append(UnreadRecord(where, why))
