"""Completion in the shell: commands, options, and the values that are known to the store.

Typer speaks with the shells. Here stands which parameter takes which values, and that the
program's own options may stand anywhere. A store is read and never made; where anything fails,
nothing is offered, and nothing is said.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

from typer._click.shell_completion import CompletionItem, ShellComplete, add_completion_class
from typer._completion_classes import (
    BashComplete,
    FishComplete,
    PowerShellComplete,
    ZshComplete,
)

from memctl_cli.app import command_of
from memctl_cli.completed_values import VALUES, values_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from typer._click import Command, Context

_PROGRAM, _VARIABLE = "memctl", "_MEMCTL_COMPLETE"
_MOST = 1000  # a shell that offers more is of no use
# What bash would read as something else, in a word that it takes as it is.
_SPECIAL = re.compile(r"([^\w@%+=:,./-])")


class _Anywhere(ShellComplete):
    """A shell to which the program's own options are the same wherever they stand."""

    hoisted: Callable[[list[str]], tuple[list[str], list[str]]]

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        """Return what fits, as Typer does, with the values of the store."""
        with suppress(Exception):  # a shell that completes has no place for an error
            leading, rest = self.hoisted(args)
            takes_value = bool(args) and args[-1] == (leading or [""])[-1] and args[-1] in _VALUED
            words = leading if takes_value else [*leading, *rest]
            self.cli: Command = command_of(rest[0] if rest and not takes_value else None)
            _offer_values(self.cli)
            found = super().get_completions(words, incomplete)
            if rest and incomplete.startswith("-") and not takes_value and "--" not in rest:
                found += [CompletionItem(one) for one in _ANYWHERE if one.startswith(incomplete)]
            return found
        return []


class _Bash(_Anywhere, BashComplete):
    def format_completion(self, item: CompletionItem) -> str:
        """Return a word as bash reads it: it takes what is offered as it stands."""
        return _SPECIAL.sub(r"\\\1", str(item.value))


class _Zsh(_Anywhere, ZshComplete):
    pass


class _Fish(_Anywhere, FishComplete):
    pass


class _PowerShell(_Anywhere, PowerShellComplete):
    pass


_SHELLS: dict[str, type[_Anywhere]] = {
    "bash": _Bash,
    "zsh": _Zsh,
    "fish": _Fish,
    "powershell": _PowerShell,
    "pwsh": _PowerShell,
}
_VALUED = ("--home", "--app", "--session", "--set")
_ANYWHERE = (*_VALUED, "--json")


def complete(
    instruction: str, hoisted: Callable[[list[str]], tuple[list[str], list[str]]]
) -> NoReturn:
    """Answer a shell and exit.

    Parameters
    ----------
    instruction
        What the shell asks, ``complete_bash``; the words stand in its environment variables.
    hoisted
        Separates the program's own options from the other words.
    """
    from typer.completion import shell_complete

    for name, shell in _SHELLS.items():
        shell.hoisted = staticmethod(hoisted)
        add_completion_class(shell, name)
    raise SystemExit(shell_complete(command_of("status"), {}, _PROGRAM, _VARIABLE, instruction))


def _offer_values(command: Command, path: str = "") -> None:
    """Let every parameter of a command, and of those in it, offer the values of its kind."""
    for parameter in command.params:
        spelt = parameter.opts[0] if parameter.param_type_name == "option" else parameter.name
        kind = VALUES.get(f"{path} {spelt}".strip()) or VALUES.get(spelt)
        if kind and not getattr(parameter, "is_flag", False):
            vars(parameter)["shell_complete"] = _offering(kind)
    for name, inner in getattr(command, "commands", {}).items():
        _offer_values(inner, f"{path} {name}".strip())


def _offering(kind: str) -> Callable[[Context, str], list[CompletionItem]]:
    def offer(context: Context, incomplete: str) -> list[CompletionItem]:
        with suppress(Exception):
            values = values_of(kind, context.find_root().params, context.params)
            return [CompletionItem(one) for one in _fitting(values, incomplete)]
        return []

    return offer


def _fitting(values: Sequence[str], incomplete: str) -> list[str]:
    fitting = (one for one in values if one.startswith(incomplete) and one.isprintable())
    return sorted(set(fitting))[:_MOST]
