"""``memctl import`` and ``memctl export``: what other systems and stores hold, taken and given.

Both have forms that their first word names, beside a general one: ``import pack FILE``,
``import [from] PATH``.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from memctl.base.counting import counted as number_of
from memctl.base.counting import sized
from memctl.base.errors import RefusedError, UsageError
from memctl_cli.call import Answer, Call
from memctl_cli.command import Commands, Group
from memctl_cli.commands.options import DryRun, PublicKey, Replace, Sign, Text, Texts, Unsigned, Yes
from memctl_cli.completed_values import offered
from memctl_cli.output.plain_table import wrapped
from memctl_cli.output.records import Column, table, table_of
from memctl_cli.output.words import counted, progress_bar, shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from typer._click import Context

    from memctl.porting.exports.exporter import Exported
    from memctl.porting.importer import Imported
    from memctl.porting.packs.app_memory import MergeReport
    from memctl.porting.packs.packs import PackContents
    from memctl_cli.output.console import Console


class _Forms(Group):
    """A group that hands what names none of its forms to the last one, the general form."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Put the general form's name before words that name no form."""
        named = args and (args[0] in self.commands or args[0] in ctx.help_option_names)
        if args and not named and len(self.commands) > 1:
            args = [list(self.commands)[-1], *args]
        return super().parse_args(ctx, args)


imports = Commands(
    cls=_Forms,
    help="Take in what another system, a pack or another store holds.\n\n"
    "Example: memctl import notes.md --dry-run",
)
export = Commands(
    cls=_Forms,
    help="Write a memory in another form: pack, or to FORMAT PATH.\n\n"
    "Example: memctl export markdown notes",
)

Force = Annotated[bool, Option("--force", help="Take that of another app or site.")]

_SHOWN = 10  # refused records on a screen


@imports.command("pack")
def import_pack(
    call: Call,
    file: Annotated[str, Argument(help="The pack.")],
    key: PublicKey = None,
    unsigned: Unsigned = False,
    force: Force = False,
    dry_run: DryRun = False,
) -> Answer:
    """Merge a pack into the memory of an app.

    Example: memctl --app harbor import pack harbor.pack --key PUBLIC_KEY
    """
    with call.memory() as memory:
        merged = memory.packs.import_pack(
            file, key=key, unsigned=unsigned, force=force, dry_run=dry_run
        )
    return Answer(merged, lambda console: _show_merged(console, merged))


@imports.command("store")
def import_store(
    call: Call,
    file: Annotated[str, Argument(help="The file of the other store.")],
    force: Force = False,
    dry_run: DryRun = False,
) -> Answer:
    """Merge another store of the same app: turns, episodes, facts, screens, skills.

    Example: memctl --app harbor import store /mnt/laptop/harbor.db --dry-run
    """
    with call.memory() as memory:
        merged = memory.packs.import_store(file, force=force, dry_run=dry_run)
    return Answer(merged, lambda console: _show_merged(console, merged))


@imports.command("from")
def import_from(
    call: Call,
    words: Annotated[
        list[str],
        Argument(
            help="A file or folder, after its format where that is not recognised.",
            metavar="[SOURCE] PATH",
            autocompletion=offered("format"),
        ),
    ],
    dry_run: Annotated[
        bool, Option("--dry-run", help="Count what would be taken; write nothing.")
    ] = False,
    table: Annotated[
        Text, Option(help="The table of an SQLite file, the array of a JSON file.")
    ] = None,
    column: Annotated[
        Texts, Option(help="THEIRS=OURS, for CSV and tables; may be given again.")
    ] = None,
    prune: Annotated[
        bool,
        Option(
            "--prune", help="Forget what was taken out of memctl's own Markdown since its export."
        ),
    ] = False,
) -> Answer:
    """Take what another system holds: what was taken before adds nothing.

    The word "from" may be left out. Example: memctl import from chatgpt conversations.json --dry-run
    """
    from memctl.porting.importer import records_in

    if len(words) not in {1, 2}:
        raise UsageError("import takes a path, after its format", hint="memctl import notes.jsonl")
    options = {"table": table, "columns": _columns(column or []), "prune": prune}
    given = {key: value for key, value in options.items() if value}
    watched = not call.as_json and sys.stderr is not None and sys.stderr.isatty()
    total = records_in(words[-1], words[0] if words[1:] else None, given) if watched else None
    with call.memory() as memory, progress_bar("records", total, visible=watched) as progress:
        imported = memory.import_from(
            words[-1], *words[:-1], dry_run=dry_run, options=given, progress=progress
        )
    lines = "\n".join(_imported(imported))
    answer = Answer(asdict(imported), lines, imported.written, command="import")
    if not imported.refusals or imported.written or imported.known:
        return answer
    if not call.as_json:
        call.print(answer)
    first = imported.refused[0]
    raise RefusedError(
        f"nothing was taken of {imported.path}, for each record was refused: {first.where}: {first.why}",
        hint="correct it, or name its format: memctl import SOURCE PATH",
    )


@export.command("pack")
def export_pack(
    call: Call,
    file: Annotated[Text, Argument(help="The file to be made.")] = None,
    sign: Sign = None,
    new_key: Annotated[Text, Option(help="Make a private key, and no pack.")] = None,
    without: Annotated[Texts, Option(help="Leave out components of this name.")] = None,
    texts: Annotated[
        bool, Option("--texts", help="Take labelled content of one screen along.")
    ] = False,
    facts: Annotated[
        Texts,
        Option(
            "--facts",
            metavar="CATEGORY",
            help="Facts of this category, too: decision, rule, technical or lesson; may be repeated.",
        ),
    ] = None,
    approve: Annotated[
        Texts, Option("--approve", metavar="ID", help="A fact that may leave; may be repeated.")
    ] = None,
    approve_all: Annotated[
        bool, Option("--approve-all", help="Every fact that --list offers may leave.")
    ] = False,
    only_list: Annotated[
        bool, Option("--list", "--dry-run", help="Only say what would go in.")
    ] = False,
    replace: Replace = False,
    yes: Yes = False,
) -> Answer:
    """Write an app's screens, graph and skills, and nothing personal, as one file.

    What goes in is printed first, and each fact is approved by a person before it leaves.

    Example: memctl --app harbor export pack harbor.pack --sign my.key

    Example: memctl export pack team.pack --facts rule --facts decision --sign my.key
    """
    if new_key is not None:
        from memctl.porting.packs.signing import new_key as make_key

        public = make_key(new_key)
        data = {"path": new_key, "public_key": public}
        return Answer(data, f"{new_key} is secret; give away: {public}")
    chosen = tuple(without or ())
    with call.memory(readonly=True, existing=True) as memory:
        contents = memory.packs.contents(without=chosen, texts=texts, facts=facts or ())
        listed = Answer(contents, lambda console: _show_contents(console, contents))
        if only_list:
            return listed
        if file is None:
            raise UsageError("nothing says which file", hint="memctl export pack FILE")
        if (approve or approve_all) and not facts:
            raise UsageError("no category of facts is named", hint="--facts rule, for example")
        if not call.as_json:
            call.print(listed)
        approved = (
            _approved(call, contents, approve or [], everything=approve_all) if facts else None
        )
        with_facts = "" if approved is None else f" with {counted(len(approved), 'fact')}"
        # Who names the facts in the command has seen the list.
        sure = yes or approve_all or bool(approve)
        call.confirm(f"write this{with_facts} to {file}?", yes=sure)
        made = memory.packs.export_pack(
            file,
            sign,
            without=chosen,
            texts=texts,
            replace=replace,
            facts=facts or (),
            approved=approved,
        )
    by = f"signed by {made.signed_by}" if made.signed_by else "unsigned"
    left = f", {counted(len(made.facts), 'fact')}" if facts else ""
    return Answer(made, f"{made.path}: {sized(made.size or 0)}, {by}{left}")


@export.command("to")
def export_to(
    call: Call,
    layout: Annotated[
        str,
        Argument(
            metavar="FORMAT",
            help="markdown, jsonl, parquet, openclaw, memoryclaw, gui-memory.",
            autocompletion=offered("layout"),
        ),
    ],
    path: Annotated[str, Argument(help="The folder; of jsonl, the file.")],
    tier: Annotated[
        Texts,
        Option(help="turns, episodes, facts, aliases, knowledge or skills; may be given again."),
    ] = None,
    since: Annotated[Text, Option(help="Only what is of this time or later, ISO-8601.")] = None,
    until: Annotated[Text, Option(help="Only what is of before this time, ISO-8601.")] = None,
    tag: Annotated[
        Texts, Option(help="Episodes of a tag, facts of a category or tag; repeatable.")
    ] = None,
    state: Annotated[
        Texts, Option(help="active, pending, superseded or forgotten; repeatable.")
    ] = None,
    profile: Annotated[
        Text, Option(help="A named selection of the setting export_profiles.")
    ] = None,
    force: Annotated[
        bool, Option("--force", help="Write over what is no earlier export, or was edited since.")
    ] = False,
) -> Answer:
    """Write what the store holds into files: to read, edit, keep in git and import again.

    The word "to" may be left out. Example: memctl export to markdown notes --tier facts
    """
    with (
        call.memory(readonly=True) as memory,
        progress_bar("rows", visible=not call.as_json) as progress,
    ):
        exported = memory.export_to(
            path,
            layout,
            tiers=tier or (),
            since=since,
            until=until,
            tags=tag or (),
            states=state or (),
            profile=profile,
            force=force,
            progress=progress,
        )
    count = sum(exported.written.values())
    return Answer(asdict(exported), _exported(exported), count, command="export")


def _approved(
    call: Call, contents: PackContents, named: list[str], *, everything: bool
) -> Sequence[str]:
    """Return the ids of the facts that may leave: those that the command names, or a person chose."""
    offered = [fact.id for fact in contents.facts]
    if named or everything or not offered:
        return [*named, *(offered if everything else ())]
    rows = [f"{fact.id} {shown(fact.text)}" for fact in contents.facts]
    hint = "--approve ID names those that may, --approve-all takes all; --list shows them"
    question = f"may {counted(len(offered), 'fact')} leave?"
    return [offered[place] for place in call.pick(question, rows, hint=hint)]


def _columns(pairs: list[str]) -> dict[str, str]:
    result = {}
    for pair in pairs:
        theirs, equals, ours = pair.partition("=")
        if not equals:
            raise UsageError(f'--column "{pair}" is not THEIRS=OURS', hint="--column body=text")
        result[theirs] = ours
    return result


def _imported(imported: Imported) -> list[str]:
    would = "would be " if imported.dry_run else ""
    kinds = ", ".join(number_of(number, kind) for kind, number in imported.taken.items())
    met = number_of(imported.met, "record")
    lines = [f"{imported.source}: {met} met, {would}taken: {kinds or 'nothing'}"]
    if imported.known:
        lines.append(f"known from an earlier import: {imported.known}")
    lines += imported.remarks
    lines += [f"refused: {one.where}: {one.why}" for one in imported.refused[:_SHOWN]]
    if imported.refusals > _SHOWN:
        lines.append(f"refused: {imported.refusals - _SHOWN} more; --json lists them")
    return lines


def _exported(exported: Exported) -> str:
    left_out = exported.written.get("left out")
    kinds = ", ".join(
        number_of(number, kind) for kind, number in exported.written.items() if kind != "left out"
    )
    files = number_of(exported.files, "file")
    line = f"{kinds or 'nothing'} written into {files}: {exported.path}"
    remark = f"\nleft out, for this form has no place for them: {left_out}"
    return line + (remark if left_out else "")


def _show_contents(console: Console, contents: PackContents) -> None:
    console.print(f"From {contents.address}, a pack of:")
    for kind, names in (
        ("component", contents.components),
        ("state", contents.states),
        ("skill", contents.skills),
    ):
        console.print(f"  {counted(len(names), kind)}{':' if names else ''}")
        several = (f"{name} ({n})" if n > 1 else name for name, n in Counter(names).items())
        if names:
            console.print(f"    {wrapped(', '.join(several), console.width, hang='    ')}")
    pictures = counted(contents.pictures, "picture")
    console.print(f"  {pictures}, {counted(contents.transitions, 'transition')}")
    if contents.facts:
        console.print(table_of("fact that may leave", contents.facts))
    if contents.withheld:
        console.print(table_of("fact that stays", contents.withheld))
    show_left_out(console, contents.left_out)


def _show_merged(console: Console, merged: MergeReport) -> None:
    done = "Merged" if merged.written else "Would merge"
    by = f", signed by {merged.signed_by}" if merged.signed_by else ""
    console.print(f"{done} {merged.source} of {merged.address}{by}")
    if kinds := sorted({*merged.added, *merged.united}):
        cells = [(kind, merged.added[kind], merged.united[kind]) for kind in kinds]
        console.print(table((Column("", kind="name"), Column("new"), Column("known")), cells))
    show_left_out(console, merged.refused)
    for id_, text in merged.withdrawn.items():
        console.print(shown(f"{id_} holds no more: {text}"))
    if merged.conflicts:
        console.print(table_of("conflict", merged.conflicts))


def show_left_out(console: Console, counts: Mapping[str, int]) -> None:
    """Print why something stays out of a pack, or a store, and how much."""
    if counts:
        console.print("Left out:")
    for why, number in sorted(counts.items()):
        console.print(f"  {number} {why}")
