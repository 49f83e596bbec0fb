"""How the help of a command spells its arguments, and what it says of a value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typer._click import Command

# What is said of a value, instead of the name of Python's type; of a switch nothing.
_KINDS = {"str": "text", "int": "number", "float": "number", "Path": "path", "bool": ""}


def spell_parameters(command: Command) -> None:
    """Let help spell arguments as errors and the reference do, and name no type of Python's.

    Of `command` and of the commands in it: NEW, where Typer says {new}.
    """
    for one in command.params:
        _spell(one)
    usual = command.get_help_option
    vars(command)["get_help_option"] = lambda ctx: _spell(usual(ctx))
    for inner in getattr(command, "commands", {}).values():
        spell_parameters(inner)


def _spell(parameter: Any) -> Any:
    if parameter is None:
        return None
    if parameter.param_type_name == "argument":
        vars(parameter)["metavar"] = (parameter.metavar or parameter.name or "").upper()
    kind = _KINDS.get(parameter.bare_type().removeprefix("list[").removesuffix("]"))
    if kind is not None:
        vars(parameter)["display_type_rich"] = lambda ctx: kind  # noqa: ARG005  (Typer names it)
    return parameter
