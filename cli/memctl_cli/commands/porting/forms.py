"""Commands with forms of their own, beside a general one: ``import pack FILE``, ``import [from] PATH``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from typer._click import Context


class _Forms(TyperGroup):
    """A group that hands what names none of its forms to the last one, the general form."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Put the general form's name before words that name no form."""
        named = args and (args[0] in self.commands or args[0] in ctx.help_option_names)
        if args and not named and len(self.commands) > 1:
            args = [list(self.commands)[-1], *args]
        return super().parse_args(ctx, args)


def forms(functions: Mapping[str, Callable[..., None]], *, text: str) -> typer.Typer:
    """Return a command with some forms that are named by their first word.

    Parameters
    ----------
    functions
        First word to its form; the last is general, and its word may be left out.
    text
        The help of the whole.
    """
    app = typer.Typer(cls=_Forms, help=text)
    told: Any = app.command
    for name, function in functions.items():
        told(name)(function)
    return app
