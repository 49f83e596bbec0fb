"""Completion in the shell: Typer speaks with the shells, memctl's own options may be anywhere."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NoReturn

from typer._click.shell_completion import CompletionItem, ShellComplete, add_completion_class
from typer._completion_classes import (
    BashComplete,
    FishComplete,
    PowerShellComplete,
    ZshComplete,
)
from typer.completion import shell_complete

from memctl_cli.app import FLAGS, VALUED, command_of, hoisted

if TYPE_CHECKING:
    from collections.abc import Mapping

# What bash would read as something else, in a word that it takes as it is.
_SPECIAL = re.compile(r"([^\w@%+=:,./-])")


class _Anywhere(ShellComplete):
    """A shell that takes the program's own options anywhere."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        """Return the words that fit, as Typer does."""
        with suppress(Exception):  # a shell that completes has no place for an error
            leading, rest = hoisted(args)
            valued = bool(args) and args[-1] == (leading or [""])[-1] and args[-1] in VALUED
            self.cli: Any = command_of(rest[0] if rest and not valued else None)
            words = leading if valued else [*leading, *rest]
            found = super().get_completions(words, incomplete)
            if rest and incomplete.startswith("-") and not valued and "--" not in rest:
                everywhere = (one for one in (*VALUED, *FLAGS) if one.startswith(incomplete))
                found += map(CompletionItem, everywhere)
            return found
        return []


class _Bash(_Anywhere, BashComplete):
    def format_completion(self, item: CompletionItem) -> str:
        """Return a word as bash reads it: it takes what is offered letter by letter."""
        return _SPECIAL.sub(r"\\\1", str(item.value))


class _Zsh(_Anywhere, ZshComplete):
    pass


class _Fish(_Anywhere, FishComplete):
    pass


class _PowerShell(_Anywhere, PowerShellComplete):
    pass


_SHELLS: Mapping[str, type[_Anywhere]] = {
    "bash": _Bash,
    "zsh": _Zsh,
    "fish": _Fish,
    "powershell": _PowerShell,
    "pwsh": _PowerShell,
}


def complete(instruction: str) -> NoReturn:
    """Answer a shell, whose words are in its environment variables, and exit."""
    for name, shell in _SHELLS.items():
        add_completion_class(shell, name)
    program = command_of("status")
    raise SystemExit(shell_complete(program, {}, "memctl", "_MEMCTL_COMPLETE", instruction))
