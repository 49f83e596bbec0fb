"""Commands that do one thing to many rows: foreseen, asked about, done in one transaction."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from memctl_cli.output.words import counted, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memctl.memory import Memory
    from memctl_cli.call import Call
    from memctl_cli.output.console import Console

# Rows that are named to a person; --json has all.
_MOST = 16

T = TypeVar("T")


class _TakenBackError(Exception):
    """Ends the transaction of what was only tried."""


def carry_out(
    call: Call,
    memory: Memory,
    act: Callable[[], T],
    question: Callable[[T], str],
    *,
    dry_run: bool,
    yes: bool,
) -> T:
    """Do something to many rows, once a person agrees; return what was done, or would be.

    Parameters
    ----------
    act
        What is done, and its result; false where there is nothing to do.
    question
        What is asked, of the result as it would be; empty where there is nothing to ask.
    dry_run
        Whether it is only tried: done, and taken back.
    yes
        Whether nobody is asked.

    Raises
    ------
    RefusedError
        When the answer is no, or there is nobody to ask.
    """
    if yes and not dry_run:
        return act()
    foreseen: list[T] = []
    with suppress(_TakenBackError), memory.store.transaction():
        foreseen.append(act())
        raise _TakenBackError
    if dry_run or not foreseen[0] or not (asked := question(foreseen[0])):
        return foreseen[0]
    call.confirm(asked, yes=False)
    return act()


def batch_shown(
    rows: Sequence[str],
    noun: str,
    done: str,
    *,
    dry_run: bool,
    restorable: bool = False,
    one: str = "",
) -> Callable[[Console], None]:
    """Return a printer of the number of rows that were changed, or would be.

    `restorable` adds that restore undoes it; `one` names a single row that was chosen by name: it
    gets a sentence.
    """

    def show(console: Console) -> None:
        undo = "; restore brings {} back" if restorable and rows and not dry_run else ""
        if one and not dry_run:
            console.print(f"{one} is {done}{undo.format('it')}")
            return
        line = f"{'would be ' if dry_run else ''}{done}: {counted(len(rows), noun)}"
        console.print(line + undo.format("them"))
        for row in rows[:_MOST]:
            console.print(shown(f"  {row}"))
        if len(rows) > _MOST:
            console.print(f"  and {len(rows) - _MOST:,} more; --json lists all")

    return show
