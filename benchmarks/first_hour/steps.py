"""What a newcomer wants to have done in the first hour, and by which line of README it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.first_hour.typed_lines import Wanted

__all__ = ["STEPS", "Step", "step_lines"]


class Step(NamedTuple):
    """A wish, the beginning of the line that fulfils it, and a piece of the answer that shows it."""

    what: str
    begins: str
    shows: str


STEPS = (
    Step("see what it is", ".venv/bin/memctl demo", "Harbor is a small invoicing app"),
    Step("learn a page of an app that is served", "memctl learn http:", "Add_guest"),
    Step("find a button on it", "memctl locate Delete http:", "Delete_by_Bob_Cole: x "),
    Step("run a skill", "memctl skills run add-a-guest --url", "done after step 3"),
    Step("log what was said", "memctl log ", "turn 1"),
    Step("ask", "memctl recall ", "Ann moved the launch to 3 March"),
    Step("store a fact", "memctl memory store ", "ADD f_"),
    Step("store what it has changed to", "memctl memory store ", "SUPERSEDE f_"),
    Step("read the report", "memctl --app harbor report", "HEALTH  harbor"),
)


def step_lines(lines: Sequence[Wanted]) -> list[int]:
    """Return the place of each step's line: the first behind the step before.

    Raises
    ------
    LookupError
        When README says no such line there.
    """
    found: list[int] = []
    for step in STEPS:
        behind = found[-1] + 1 if found else 0
        places = [at for at in range(behind, len(lines)) if lines[at].text.startswith(step.begins)]
        if not places:
            raise LookupError(f'README has no line "{step.begins}" to {step.what}')
        found.append(places[0])
    return found
