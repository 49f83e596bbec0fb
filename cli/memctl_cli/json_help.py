"""``--json --help``: the page of a command as JSON, for whoever calls it without reading prose."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memctl_cli.output.envelope import jsonable, print_answer

if TYPE_CHECKING:
    from typer._click import Command, Context, Parameter

# What the page of a noun, or of the program, says of each command in it.
_BRIEF = ("command", "usage", "summary", "panel")


def answer_help_in_json(command: Command) -> None:
    """Let the help of `command`, and of the commands in it, be JSON where ``--json`` is given."""
    usual = command.get_help_option
    vars(command)["get_help_option"] = lambda ctx: _answering(usual(ctx))
    for inner in getattr(command, "commands", {}).values():
        answer_help_in_json(inner)


def _answering(option: Any) -> Any:
    """Return the option for help, which Click makes once, with an answer in JSON before its own."""
    if option is None or "answers_json" in vars(option):
        return option
    usual = option.callback

    def answer(ctx: Context, parameter: Parameter, value: bool) -> None:
        if value and not ctx.resilient_parsing and ctx.find_root().params.get("as_json"):
            _print_page(ctx)
            ctx.exit()
        usual(ctx, parameter, value)

    vars(option).update(callback=answer, answers_json=True)
    return option


def _print_page(ctx: Context) -> None:
    from memctl_cli.command_tree import described

    page = described(ctx.command, ctx.command_path)
    brief = [{name: getattr(one, name) for name in _BRIEF} for one in page.commands]
    data = {**jsonable(replace(page, commands=())), "commands": brief}
    print_answer(data, command="help", app="", duration_ms=0, count=None)
