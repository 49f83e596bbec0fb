"""The report of a merge: what came in, what was united with what was there, what is in doubt."""

from __future__ import annotations

from dataclasses import dataclass, field

from memctl.porting.packs.app_memory import Tally


@dataclass(frozen=True, slots=True)
class Conflict:
    """What two memories say differently; both are kept, or one waits.

    ``kind`` is component, state, skill or fact; ``name`` what it is called here.
    """

    kind: str
    name: str
    why: str


@dataclass
class MergeReport:
    """The report of a merge.

    Parameters
    ----------
    source
        The file that was merged.
    address, origin
        The app or site that it is the memory of, and the store that wrote it.
    signed_by
        The public key that signed it, in Base64; ``None`` for a store or an unsigned pack.
    added, united
        How many of each kind are new here, and how many were one with what is here.
    refused
        What stayed out, and how much of it: what looks like a secret, what was erased here.
    conflicts
        What both know, differently.
    written
        False for a dry run: nothing was kept.
    """

    source: str
    address: str = ""
    origin: str = ""
    signed_by: str | None = None
    added: Tally = field(default_factory=Tally)
    united: Tally = field(default_factory=Tally)
    refused: Tally = field(default_factory=Tally)
    conflicts: list[Conflict] = field(default_factory=list)
    written: bool = True
