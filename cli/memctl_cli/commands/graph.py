"""``memctl states``, ``transitions`` and ``path``: the screens of an app, and what leads where."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from memctl.base.errors import UsageError
from memctl.store.pages import ListPage
from memctl_cli.call import Answer, Call
from memctl_cli.command import Commands
from memctl_cli.commands.batches import batch_shown, carry_out
from memctl_cli.commands.options import (
    DryRun,
    FromState,
    Limited,
    State,
    Text,
    Texts,
    ToState,
    Yes,
    areas_of,
)
from memctl_cli.completed_values import offered
from memctl_cli.output.records import listed, table_of
from memctl_cli.output.words import area_words, counted, percent, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.memory import Memory
    from memctl.visual.graph.states import StateDetail
    from memctl.visual.graph.transitions import Path, Transition
    from memctl.visual.learning.state_updates import Mending
    from memctl_cli.output.console import Console

states = Commands(help="States, the app's screens: list, show, rename, merge, restore.")
transitions = Commands(
    help="Transitions between states: list, record, pending, commit, discard, ..."
)

Ids = Annotated[
    list[int] | None, Argument(help="Ids, as pending lists them; all where none is given.")
]
Days = Annotated[
    int | None, Option(min=1, help="Only those recorded longer than so many days ago.")
]


@states.command("list")
def list_states(
    call: Call,
    limit: Limited = None,
    unnamed: Annotated[
        bool, Option("--unnamed", help="Only those without a name and a page.")
    ] = False,
) -> Answer:
    """List the states, what was seen last first.

    Example: memctl --app harbor states list --unnamed
    """
    with call.memory(readonly=True) as memory:
        found = memory.states.list(unnamed=unnamed, limit=call.limit(limit))
    return Answer(found, listed("state", found))


@states.command()
def show(call: Call, state: State) -> Answer:
    """Show one state and what defines it.

    Example: memctl --app harbor states show s_3fa2c1
    """
    with call.memory(readonly=True) as memory:
        found = memory.states.get(state)
    return Answer(found, lambda console: _show_state(console, found))


@states.command()
def rename(
    call: Call, state: State, name: Annotated[str, Argument(help="The state's name.")]
) -> Answer:
    """Give a state a name.

    Example: memctl --app harbor states rename s_3fa2c1 Invoices
    """
    with call.memory(existing=True) as memory:
        found = memory.states.rename(state, name)
    return Answer(found, f"{found.id} is now {found.name}")


@states.command()
def ignore(
    call: Call,
    state: State,
    areas: Annotated[
        Texts,
        Argument(
            metavar="X,Y,W,H[=LABEL]",
            help="More areas, in pixels at device-pixel ratio 1 from the window's corner.",
        ),
    ] = None,
    remove: Annotated[
        Texts, Option(metavar="X,Y,W,H", help="An area that counts again; may be repeated.")
    ] = None,
    clear: Annotated[bool, Option("--clear", help="All of it counts again.")] = False,
) -> Answer:
    """Show the areas of a state that do not count, add some, or take them back.

    Example: memctl --app harbor states ignore s_3fa2c1 1200,0,80,30=clock

    Example: memctl --app harbor states ignore s_3fa2c1 --remove 1200,0,80,30
    """
    added, removed = areas_of("area", areas), areas_of("--remove", remove)
    if (bool(added), bool(removed), clear).count(True) > 1:
        raise UsageError("areas, --remove and --clear exclude each other", hint="give one of them")
    changes = bool(clear or added or removed)
    with call.memory(existing=changes, readonly=not changes) as memory:
        if changes:
            given = [*added, *removed]
            state_now = memory.states.ignore(state, given, add=bool(added), remove=bool(removed))
        else:
            state_now = memory.states.get(state)
    return Answer(state_now.ignored, _ignored(state_now))


@states.command()
def merge(
    call: Call,
    one: Annotated[
        Text, Argument(help="A state's id, name or page.", autocompletion=offered("state"))
    ] = None,
    other: Annotated[
        Text, Argument(help="The same screen's other state.", autocompletion=offered("state"))
    ] = None,
    auto: Annotated[
        bool, Option("--auto", help="Find the states that are one screen; shows them first.")
    ] = False,
    yes: Yes = False,
) -> Answer:
    """Declare two states the same screen; restore undoes it.

    Example: memctl --app harbor states merge s_3fa2c1 s_77b0e2

    Example: memctl --app harbor states merge --auto --yes
    """
    if auto:
        if one is not None:
            raise UsageError("--auto finds the states by itself", hint="leave out the states")
        with call.memory(existing=True) as memory:
            mending = memory.visual.merge_states(apply=yes)
        return Answer(mending, lambda console: _show_mending(console, mending, done=yes))
    if one is None or other is None:
        raise UsageError("two states are needed", hint="memctl states merge ONE OTHER, or --auto")
    with call.memory(existing=True) as memory:
        merged = memory.states.merge(one, other)
    return Answer(merged, f"{merged.merged} is now part of {merged.into}")


@states.command("restore")
def restore_state(call: Call, state: State) -> Answer:
    """Bring a merged or forgotten state back.

    Example: memctl --app harbor states restore s_77b0e2
    """
    with call.memory(existing=True) as memory:
        found = memory.states.restore(state)
    return Answer(found, f"{found.id} is back")


@transitions.command("list")
def list_transitions(call: Call, limit: Limited = None) -> Answer:
    """List the known transitions, what was used last first.

    Example: memctl --app harbor transitions list
    """
    with call.memory(readonly=True) as memory:
        found = memory.transitions.list(limit=call.limit(limit))
        return _answer(memory, found, found)


@transitions.command()
def pending(
    call: Call,
    days: Days = None,
    discarded: Annotated[
        bool, Option("--discarded", help="The discarded ones, which restore brings back.")
    ] = False,
    limit: Limited = None,
) -> Answer:
    """List the transitions whose outcome nobody has confirmed, the newest first.

    Example: memctl --app harbor transitions pending
    """
    with call.memory(readonly=True) as memory:
        found = memory.transitions.pending(days=days, discarded=discarded, limit=call.limit(limit))
        return _answer(memory, found, found)


@transitions.command()
def record(
    call: Call,
    from_state: FromState,
    action: Annotated[str, Argument(help="click:Save, type:hello, key:Enter, ...")],
    to_state: ToState,
    ms: Annotated[float | None, Option(help="How long it took, in milliseconds.")] = None,
    commit: Annotated[
        bool, Option("--commit", help="Count it at once instead of leaving it pending.")
    ] = False,
) -> Answer:
    """Record that an act on one state led to another; it stays pending until committed.

    Example: memctl --app harbor transitions record Invoices click:New_invoice s_5acae9 --ms 420
    """
    with call.memory(existing=True) as memory, memory.store.transaction():
        noted = memory.transitions.record(from_state, action, to_state, elapsed_ms=ms)
        if commit and noted.id is not None:
            noted = memory.transitions.commit([noted.id])[0]
        return _answer(memory, noted, [noted])


@transitions.command()
def commit(
    call: Call,
    ids: Ids = None,
    failed: Annotated[bool, Option("--failed", help="Count them as failed.")] = False,
) -> Answer:
    """Confirm pending transitions, or count them as failed.

    Example: memctl --app harbor transitions commit 12 13
    """
    with call.memory(existing=True) as memory:
        done = memory.transitions.commit(ids or None, failed=failed)
        return _answer(memory, done, done)


def _add_moving(verb: str, summary: str, *examples: str) -> None:
    def move(
        call: Call, ids: Ids = None, days: Days = None, dry_run: DryRun = False, yes: Yes = False
    ) -> Answer:
        gone = verb == "discard"
        with call.memory(existing=True) as memory:
            found = memory.transitions.pending(days=days, discarded=not gone)
            count = carry_out(
                call,
                memory,
                lambda: int(getattr(memory.transitions, verb)(ids or None, days=days)),
                lambda number: f"{verb} {counted(number, 'transition')}?",
                dry_run=dry_run,
                yes=yes or bool(ids),
            )
        rows = [f"{t.id} {t.action}" for t in found if not ids or t.id in ids]
        done = "discarded" if gone else "pending again"
        human = batch_shown(rows, "transition", done, dry_run=dry_run, restorable=gone)
        return Answer({"discarded" if gone else "restored": count}, human, count, dry_run=dry_run)

    typed = "".join(
        f"\n\n    Example: memctl --app harbor transitions {example}" for example in examples
    )
    move.__doc__ = f"{summary}{typed}\n"
    transitions.command(verb)(move)


_add_moving(
    "discard",
    "Drop pending transitions without counting them; restore undoes it.",
    *("discard 14", "discard --days 7 --dry-run"),
)
_add_moving("restore", "Let discarded transitions be pending again.", "restore --days 7 --dry-run")


def path(call: Call, from_state: FromState, to_state: ToState) -> Answer:
    """Print the most likely way from one state to another, with its probability.

    Example: memctl --app harbor path Dashboard Invoices
    """
    with call.memory(readonly=True) as memory:
        found = memory.transitions.path(from_state, to_state)
    return Answer(found, lambda console: _show_path(console, found), len(found.steps))


def _answer(memory: Memory, data: object, transitions: Sequence[Transition]) -> Answer:
    """Answer with transitions, whose states people know by their names."""
    names = memory.states.names_of(
        state for one in transitions for state in (one.from_state, one.to_state)
    )
    rows = ListPage(
        (
            replace(
                one,
                from_state=names.get(one.from_state) or one.from_state,
                to_state=names.get(one.to_state) or one.to_state,
            )
            for one in transitions
        ),
        total=getattr(transitions, "total", None),
    )
    # Only what waits has an id to be named by.
    waits = any(transition.id is not None for transition in transitions)
    return Answer(data, listed("transition: with its id" if waits else "transition", rows))


def _show_path(console: Console, found: Path) -> None:
    if not found.steps:
        console.print("no step: that is where you are")
        return
    console.print(table_of("step of a path", enumerate(found.steps, 1)))
    time = "" if found.expected_ms is None else f", about {found.expected_ms:.0f} ms"
    least = percent(found.probability)
    console.print(f"the whole way: at least {least}, the product of its steps{time}")


def _show_mending(console: Console, mending: Mending, *, done: bool) -> None:
    would = "" if done else "would be "
    for one in mending.merged:
        console.print(f"{one.merged} {would}merged into {one.into} (alike {one.similarity:.2f})")
    for gone in mending.forgotten:
        console.print(f"{gone.name} {would}forgotten: {gone.why}")
    if not mending.merged:
        console.print("no two states are one screen")
    elif not done:
        console.print("nothing was changed; add --yes to do it")


def _show_state(console: Console, state: StateDetail) -> None:
    name = f"  {state.name}" if state.name else ""
    console.print(f"{state.id}{name}  {state.status}, visited {counted(state.visit_count, 'time')}")
    console.print(table_of("component of a state", state.components))
    if state.ignored:
        console.print(_ignored(state))
    if state.description:
        console.print(shown(state.description))


def _ignored(state: StateDetail) -> str:
    return f"ignored   {area_words(state.ignored) or 'nothing'}"
