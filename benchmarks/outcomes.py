"""What a run of a skill comes to, judged by what the app holds and not by what is said."""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import TYPE_CHECKING, Any, Literal

from benchmarks.running import print_table

if TYPE_CHECKING:
    from collections.abc import Sequence

# Whether a deed can be done: where not, only a halt is right; ``either`` where both are; ``unsure``
# where nobody can know whether it was; ``so`` where it is done already.
Can = Literal["yes", "no", "either", "unsure", "so"]
OUTCOMES = ("done", "unsaid", "halted", "needless", "wrong", "false")
CAPTION = (
    "done: the deed happened and the run says so; unsaid: it happened, the run does not say so; "
    "halted: where that is right; needless: where it could have been done; wrong: something else was "
    "changed; false: it says done, nothing happened; s: seconds a step, the median of those done."
)
Result = dict[str, Any]


def outcome(can: str, status: str, was: str) -> str:
    """Return what a run comes to, one of `OUTCOMES`.

    Parameters
    ----------
    can
        Whether it can be done.
    status
        What the run says: ``done`` or another word.
    was
        What became of the app: ``deed``, ``nothing`` or ``other``.
    """
    if was == "other":
        return "wrong"
    if was == "deed":
        if status == "done":
            return "done"
        return "halted" if can == "unsure" else "unsaid"
    if status == "done":
        return "done" if can == "so" else "false"
    return "needless" if can == "yes" else "halted"


def summed(results: Sequence[Result]) -> dict[str, Any]:
    """Return what runs come to; silent wrong are those that say done and it is not so."""
    doable = [one for one in results if one["can"] == "yes"]
    return {
        "runs": len(results),
        **Counter(one["outcome"] for one in results),
        "doable": len(doable),
        "done_of_doable": sum(one["outcome"] == "done" for one in doable),
        "silent_wrong": sum(r["status"] == "done" and r["was"] != "deed" for r in results),
        "seconds_a_step": _seconds(results),
    }


def print_outcomes(results: Sequence[Result], key: str, title: str) -> None:
    """Print how many runs came to what, by one of their keys."""
    if not results:
        return
    names = dict.fromkeys(one[key] for one in results)
    rows = [(name, *_cells([one for one in results if one[key] == name])) for name in names]
    rows.append(("all", *_cells(results)))
    print_table(title, (key, "runs", *OUTCOMES, "s"), rows, CAPTION)
    told = summed(results)
    print(
        f"done of doable {told['done_of_doable']} of {told['doable']}, "
        f"says done, and it is not so: {told['silent_wrong']} of {told['runs']}"
    )


def print_bad(results: Sequence[Result], *keys: str) -> None:
    """Print each run that was not as it should be."""
    for name in ("wrong", "false", "unsaid", "needless"):
        for one in results:
            if one["outcome"] == name:
                about = "/".join(str(one[key]) for key in keys)
                print(f"{name:<9}{about}: {one['status']}, {one['why']}"[:250])


def _cells(results: Sequence[Result]) -> list[str]:
    counts = Counter(one["outcome"] for one in results)
    seconds = _seconds(results)
    cells = [str(counts[name] or "") for name in OUTCOMES]
    return [str(len(results)), *cells, "" if seconds is None else f"{seconds:.2f}"]


def _seconds(results: Sequence[Result]) -> float | None:
    """Return the median seconds a step of what was done where nothing waits on purpose."""
    taken = [
        one["seconds"] / one["steps"]
        for one in results
        if one["outcome"] == "done" and one["steps"] and not one.get("waits")
    ]
    return round(median(taken), 3) if taken else None
