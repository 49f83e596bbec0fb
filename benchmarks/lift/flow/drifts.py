"""Flow's demo app as it drifts, what the right end of each drift is, and what was done there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DRIFTS", "Drift", "judged", "verdict"]

_PATIENT, _TYPE = "p1", "Triage"  # what the demonstration saves for whom


class Drift(NamedTuple):
    """A way in which the app is met again, by the name that its own query ``?drift=`` has for it.

    Parameters
    ----------
    shows
        ``all``: everything that was pressed is there under its name, so a halt is wrong;
        ``renamed``: all is there, one thing under another name or twice: a halt is as right as
        the deed; ``less``: what was pressed is not there, or the app asks for what nobody
        showed: a halt is right.
    """

    name: str
    shows: Literal["all", "renamed", "less"]
    what: str

    @property
    def query(self) -> str:
        """What stands behind the app's address."""
        return "" if self.name == "none" else f"?drift={self.name}"


DRIFTS = (
    Drift("none", "all", "as it was shown"),
    Drift("theme", "all", "dark"),
    Drift("move", "all", "buttons on the other side"),
    Drift("font", "all", "larger letters"),
    Drift("zoom", "all", "all at 125 %"),
    Drift("slow", "all", "each screen 4 s later"),
    Drift("grow", "all", "four rows above the right one"),
    Drift("lookalike", "all", "a row alike above the right one"),
    Drift("sort", "all", "rows in another order"),
    Drift("theme,grow", "all", "dark, and more rows"),
    Drift("theme,sort", "all", "dark, in another order"),
    Drift("theme,lookalike", "all", "dark, and a row alike"),
    Drift("font,lookalike", "all", "larger letters, and a row alike"),
    Drift("zoom,sort", "all", "125 %, in another order"),
    Drift("move,grow", "all", "buttons moved, more rows"),
    Drift("rename", "renamed", "Open is View, Save is Submit"),
    Drift("redesign", "renamed", "Save is renamed and moved"),
    Drift("relink", "renamed", "New Encounter is renamed, moved"),
    Drift("typelabel", "renamed", "Triage renamed, Consult there"),
    Drift("ambiguous", "renamed", "the right row twice"),
    Drift("missing", "less", "the right row is gone"),
    Drift("empty", "less", "no rows"),
    Drift("notice", "less", "a page of news before the rows"),
    Drift("provider", "less", "a question before the form"),
    Drift("reqfield", "less", "a new field that must be filled"),
    Drift("menu", "less", "Save is in a menu of a menu"),
    Drift("modal", "less", "a survey instead of saving"),
    Drift("modal-once", "less", "a survey before saving"),
)


def judged(saved: Mapping[str, list[Mapping[str, Any]]], note: str) -> str:
    """Return ``done``, ``not done`` or ``wrong`` by what the app holds after a run.

    Parameters
    ----------
    saved
        The app's records by patient, each with ``type`` and ``note``.
    note
        What was to be saved, for the patient and as the type of the demonstration.
    """
    if not any(saved.values()):
        return "not done"
    wanted = {"type": _TYPE, "note": note}
    others = [records for patient, records in saved.items() if patient != _PATIENT and records]
    return "done" if not others and saved.get(_PATIENT) == [wanted] else "wrong"


def verdict(drift: Drift, status: str, was: str) -> str:
    """Return ``done``, ``rightly halted``, ``wrongly halted``, ``wrong``, or ``claimed``.

    Parameters
    ----------
    status
        What the runner says: ``done`` or another word.
    was
        What `judged` says.
    """
    if was in {"done", "wrong"}:
        return was
    if status == "done":
        return "claimed"
    return "wrongly halted" if drift.shows == "all" else "rightly halted"
