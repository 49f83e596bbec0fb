"""Commands on whole stores: settings, status, checks, copies, and what is erased for ever."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from memctl.base.counting import sized
from memctl.base.errors import MemctlError, NotFoundError, UsageError
from memctl.config.setting import spelt
from memctl.store.pages import ListPage, page_of
from memctl_cli.call import Answer, Call
from memctl_cli.command import Commands
from memctl_cli.commands.options import AllStores, Limited, Text, Why, Yes
from memctl_cli.completed_values import offered
from memctl_cli.output.records import Column, page_text, print_list, table, table_of
from memctl_cli.output.words import counted, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.config.settings import SettingValue
    from memctl.upkeep.eraser import Erasure
    from memctl.upkeep.erasure_proof import Proof
    from memctl.upkeep.status import Status
    from memctl_cli.output.console import Console

config = Commands(help="Settings of a store, or of all of a home: list, get, set, unset.")

Key = Annotated[
    str,
    Argument(
        help='A setting\'s name; see "memctl config list".', autocompletion=offered("setting")
    ),
]
HomeWide = Annotated[
    bool, Option("--home-wide", help="In the home's settings.toml, for all of its stores.")
]

_NOT_PROVEN = 1
_DAMAGED = 5
_MOST_SHOWN = 8
_HOLDS = {True: "holds what was erased", False: "nothing of it found", None: "cannot be read"}


@config.command("list")
def list_(
    call: Call,
    limit: Annotated[int | None, Option(min=1, help="At most so many; else all.")] = None,
) -> Answer:
    """List every setting, its value and where that comes from.

    Example: memctl config list
    """
    with call.memory(readonly=True, reading=False) as memory:
        found = page_of(memory.settings.list(), limit)

    def show(console: Console) -> None:
        _show_settings(console, found)
        console.print(page_text(found, "setting"))

    return Answer(found, show)


@config.command()
def get(call: Call, key: Key) -> Answer:
    """Print the value of a setting, and on standard error where that comes from.

    Example: memctl config get forgetting
    """
    with call.memory(readonly=True, reading=False) as memory:
        found = memory.settings.describe(key)

    def show(console: Console) -> None:
        console.print(spelt(found.value))
        where = f", {found.where}" if found.where else ""
        typer.echo(f"from: {found.source}{where}", err=True)

    return Answer(found, show)


# A value may begin as options do: "-1".
@config.command("set", context_settings={"ignore_unknown_options": True})
def set_(
    call: Call,
    key: Key,
    value: Annotated[str, Argument(help="The new value.", autocompletion=offered("choice"))],
    home_wide: HomeWide = False,
) -> Answer:
    """Keep a setting in the store, or for all stores of the home.

    Example: memctl --app harbor config set forgetting everywhere
    """
    with call.memory() as memory:
        found = memory.settings.set(key, value, home_wide=home_wide)
    return Answer(found, lambda console: _show_settings(console, [found]))


@config.command()
def unset(call: Call, key: Key, home_wide: HomeWide = False) -> Answer:
    """Remove a setting from the store, so that the home's value or the default holds again.

    Example: memctl --app harbor config unset forgetting
    """
    with call.memory() as memory:
        found = memory.settings.unset(key, home_wide=home_wide)
    return Answer(found, lambda console: _show_settings(console, [found]))


def stores(call: Call, limit: Limited = None) -> Answer:
    """List the stores of this home, what was written last first: addresses, sizes, files.

    Example: memctl --home ~/memory stores
    """
    import memctl

    home = call.home_folder
    found = page_of(memctl.stores(home), call.limit(limit))

    def show(console: Console) -> None:
        files = [replace(one, path=str(Path(one.path).relative_to(home))) for one in found]
        print_list(console, "store", ListPage(files, total=found.total))
        for one in found:
            if one.trouble:
                console.print(shown(f"no store: {one.trouble}"), soft_wrap=True)
        console.print(shown(f"in {home}"))

    return Answer(found, show)


def browse(
    call: Call,
    port: Annotated[
        int, Option(min=0, max=65_535, help="Port on 127.0.0.1; 0: any that is free.")
    ] = 8001,
    all_stores: AllStores = False,
    no_open: Annotated[
        bool, Option("--no-open", help="Only print the address; open no browser.")
    ] = False,
) -> None:
    """Open a store in Datasette, read-only: tables, pictures, questions, in your browser.

    It listens on 127.0.0.1 alone, until Ctrl-C, and needs the extra "browse" of memctl-engine.
    Whoever uses this machine meanwhile can read the store there.

    Example: memctl --app harbor browse
    """
    try:
        from memctl_cli.browsing.server import serve

        __import__("datasette")
    except ModuleNotFoundError as error:
        if error.name and error.name.partition(".")[0] == "datasette":
            raise UsageError(
                "Datasette is not installed", hint="pip install 'memctl-engine[browse]'"
            ) from None
        raise

    def started(address: str) -> None:
        call.print(Answer({"address": address}, address))
        sys.stdout.flush()
        if not no_open:
            import webbrowser

            webbrowser.open(address)

    serve(_files(call, all_stores=all_stores), port, started)


def status(call: Call) -> Answer:
    """Show what one store holds.

    Example: memctl --app harbor status
    """
    with call.memory(readonly=True) as memory:
        found = memory.status()
    return Answer(found, lambda console: _show_status(console, found))


def schema(
    call: Call,  # noqa: ARG001  (every command is given one)
    name: Annotated[Text, Argument(help="A table or view; all of them by default.")] = None,
) -> Answer:
    """Print the tables and views with what every column means.

    Example: memctl schema component
    """
    from memctl.store.schema_text import schema_objects

    found = schema_objects(name)

    def show(console: Console) -> None:
        for one in found:
            for line in one.comment.splitlines():
                console.print(f"-- {line}", soft_wrap=True)
            console.print(one.sql + ";\n", soft_wrap=True)

    return Answer(found, show)


def doctor(
    call: Call,
    fix: Annotated[
        bool,
        Option(
            "--fix",
            help="Mend what can be mended; a backup is made before anything broken is removed.",
        ),
    ] = False,
) -> Answer:
    """Examine a store; exit 5 when something is wrong with it.

    Example: memctl --app harbor doctor --fix
    """
    with call.memory(existing=True) as memory:
        found = memory.doctor(fix=fix)
    code = 0 if all(one.ok for one in found) else _DAMAGED
    return Answer(found, lambda on: on.print(table_of("check", found)), exit_code=code)


def backup(
    call: Call,
    target: Annotated[
        Path | None, Argument(help="The file; else a dated one in the home's folder of backups.")
    ] = None,
    force: Annotated[bool, Option("--force", help="Replace a file that is there.")] = False,
    all_: Annotated[bool, Option("--list", help="List the backups in the home.")] = False,
    limit: Limited = None,
) -> Answer:
    """Copy a store into one checked file, while others write.

    Example: memctl --app harbor backup harbor-friday.db
    """
    from memctl.upkeep.store_copies import copies_of

    with call.memory(readonly=True) as memory:
        if not all_:
            made = memory.backup(target, force=force)
            return Answer(made, f"{made.app}: {sized(made.bytes)}, checked, in {made.path}")
        copies = copies_of(memory.store.path, memory.address)
    files = page_of(copies[::-1], call.limit(limit))

    def show(console: Console) -> None:
        print_list(console, "backup", files)
        if files:
            console.print(shown(f"in {files[0].parent}"), soft_wrap=True)

    return Answer(ListPage(map(str, files), total=files.total), show)


def restore(
    call: Call,
    backup: Annotated[Path, Argument(help="The file of a backup.")],
    force: Annotated[
        bool, Option("--force", help="Take the backup of another app or site.")
    ] = False,
) -> Answer:
    """Let a store hold what a backup holds; what it held is kept.

    Example: memctl --app harbor restore harbor-friday.db
    """
    import memctl

    done = memctl.restore(backup, call.address, call.home, force=force)
    kept = f"\nwhat it was is kept in {done.kept}" if done.kept else ""
    return Answer(done, f"{done.app} is what {done.backup} holds{kept}")


def recover(
    call: Call,
    out: Annotated[
        Path | None, Option(help="The new file; else one beside the backups in the home.")
    ] = None,
) -> Answer:
    """Save what can be read of a damaged store into a new file; the store is left alone.

    Example: memctl --app harbor recover --out harbor-saved.db
    """
    import memctl
    from memctl.reports.sources import store_at

    done = memctl.recover(call.address, call.home, out)
    command = store_at(call.address, call.home).command

    def show(console: Console) -> None:
        tables = [one for one in done.tables if one.kept or one.lost or one.ranges]
        console.print(table_of("recovered table", tables))
        console.print(shown(f"{counted(done.kept, 'row')} in {done.path}"), soft_wrap=True)
        restored = f"{command} restore {shlex.quote(str(done.path))}"
        console.print(shown(f"put it in place: {restored}"), soft_wrap=True)

    return Answer(done, show)


def vacuum(call: Call) -> Answer:
    """Give back the room that a store no longer needs.

    Example: memctl --app harbor vacuum
    """
    with call.memory(existing=True) as memory:
        done = memory.vacuum()
    sizes = f"{sized(done.bytes_before)} before, {sized(done.bytes_after)} after"
    return Answer(done, f"{done.app}: {sizes}")


def erase(
    call: Call,
    ids: Annotated[
        list[str] | None,
        Argument(help="turn:12, episode:3, f_..., s_..., recall:7, or a component's name."),
    ] = None,
    query: Annotated[Text, Option(help="All that holds every word of it.")] = None,
    component: Annotated[Text, Option(help="A thing on a screen, by name or id.")] = None,
    state: Annotated[
        Text, Option(help="A screen, and what stands on no other.", autocompletion=offered("state"))
    ] = None,
    participant: Annotated[Text, Option(help="What a person said or is told of.")] = None,
    before: Annotated[Text, Option(help="All from before a date.", metavar="DATE")] = None,
    why: Why = "asked for",
    finish: Annotated[
        bool, Option("--finish", help="Finish one that another process or the disk held up.")
    ] = False,
    yes: Yes = False,
) -> Answer:
    """Remove rows, what is linked with them and every byte of both, and prove it.

    It shows what would go, and asks. It cannot be undone. Exit 1: bytes are left.

    Example: memctl erase turn:12 f_3921fa271ecc
    """
    chosen: dict[str, Any] = {
        "query": query,
        "component": component,
        "state": state,
        "participant": participant,
        "before": before,
    }
    if finish and (ids or any(value is not None for value in chosen.values())):
        raise UsageError("--finish chooses nothing", hint="give it alone")
    with call.memory(existing=True) as memory:
        if finish:
            erased = memory.erase(finish=True)
        else:
            if not yes:
                plan = memory.erase(*(ids or ()), **chosen, dry_run=True)
                if not call.as_json:
                    lines = [f"would go: {_listed(plan.items)}", *_counts(plan)]
                    call.print(Answer(plan, "\n".join(lines)))
                linked = sum(plan.rows.values()) + sum(plan.blanked.values()) - len(plan.items)
                rows, traces = counted(len(plan.items), "row"), counted(max(linked, 0), "trace")
                call.confirm(f"erase {rows} and {traces} of it for ever?", yes=yes)
            erased = memory.erase(*(ids or ()), **chosen, why=why, confirm=True)
        command = memory.store.address.command(memory.store.path) or "memctl"
    proven = erased.proof is not None and erased.proof.proven
    code = 0 if proven else _NOT_PROVEN
    return Answer(erased, "\n".join(_erased(erased, command)), len(erased.items), exit_code=code)


def _show_settings(console: Console, values: Sequence[SettingValue]) -> None:
    console.print(table_of("setting", values))
    for file in {
        value.where.rpartition(":")[0] for value in values if value.source == "settings.toml"
    }:
        typer.echo(f"settings.toml: {file}", err=True)


def _files(call: Call, *, all_stores: bool) -> dict[str, Path]:
    """Return the files of stores that can be opened, by their addresses."""
    if not all_stores:
        with call.memory(readonly=True, existing=True) as memory:
            return {call.address: memory.store.path}
    import memctl

    result: dict[str, Path] = {}
    for store in memctl.stores(call.home):
        try:
            with call.memory(readonly=True, existing=True, address=store.app):
                result[store.app] = Path(store.path)
        except MemctlError as error:
            typer.echo(f"memctl: left out: {error.message}", err=True)
    if not result:
        raise NotFoundError(f"no store in {call.home_folder}", hint="memctl stores lists them")
    return result


def _show_status(console: Console, found: Status) -> None:
    console.print(f"{found.app}  {found.path}", soft_wrap=True)
    console.print(
        f"created {found.created_at}, schema {found.schema_version}, {sized(found.bytes)}"
    )
    # What SQLite keeps for its indexes, and what is empty, is of no use to a person.
    filled = [(name, count) for name, count in found.rows.items() if count and "_fts" not in name]
    console.print(table((Column("table", kind="name"), Column("rows", kind="number")), filled))
    if found.waiting:
        console.print(shown(found.waiting))


def _erased(erased: Erasure, command: str) -> list[str]:
    lines = [f"erased: {_listed(erased.items)}", *_counts(erased)] if erased.items else []
    if erased.proof is not None:
        lines += _proof(erased.proof)
    if erased.others:
        lines.append(f"still said by {counted(erased.others, 'other row')}:")
        lines.append(f"  {_listed(erased.still_said, of=erased.others)}")
        ids = " ".join(map(shlex.quote, erased.still_said))
        lines.append(f"  to erase them, too: {command} erase {ids}")
    lines += [f"copy made earlier: {copy.path} ({_HOLDS[copy.holds]})" for copy in erased.copies]
    return [*lines, "copies and exports that lie elsewhere are not known"]


def _counts(plan: Erasure) -> list[str]:
    parts = {"rows": plan.rows, "emptied": plan.blanked}
    return [
        f"  {what}: {', '.join(f'{count} {name}' for name, count in counts.items())}"
        for what, counts in parts.items()
        if counts or what == "rows"
    ]


def _proof(proof: Proof) -> list[str]:
    lines = [f"read {file.name}: {sized(file.bytes)}" for file in proof.files]
    looked = f"{counted(proof.pieces, 'piece')} and {counted(proof.words, 'word')} looked for"
    if proof.proven:
        anew = "written anew; the word index holds nothing that no row says"
        return [*lines, f"{looked}: 0 found" if proof.pieces else anew]
    if proof.unfinished:
        lines.append(f"rows are gone; not proven yet: {proof.unfinished}")
    if proof.found:
        lines.append(f"{looked}: {len(proof.found)} left")
        lines += [f"  {place}" for place in proof.found[:_MOST_SHOWN]]
    return lines


def _listed(items: tuple[str, ...], *, of: int | None = None) -> str:
    more = (len(items) if of is None else of) - min(len(items), _MOST_SHOWN)
    return ", ".join(items[:_MOST_SHOWN]) + (f" and {more:,} more" if more else "")
