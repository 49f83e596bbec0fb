"""The commands as a tree of plain values: what ``--json --help`` and the reference are made of."""

from __future__ import annotations

import typing
from dataclasses import dataclass, field
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typer._click import Command, Parameter

_EXAMPLE = "Example:"
_TYPES = {"str": "text", "int": "whole number", "float": "number", "bool": "flag"}


@dataclass(frozen=True)
class CommandWord:
    """One argument or option of a command.

    Attributes
    ----------
    name
        As it is shown: ``TEXT``, ``--limit``.
    spellings
        Every way to write an option, what switches it off among them; empty for an argument.
    help
        What it is.
    type
        ``text``, ``whole number``, ``number``, ``path`` or ``flag``.
    value
        What stands for the value in a usage line, where that says more than the type.
    default
        The value where it is not given; ``None`` where there is none.
    choices
        All values that there are; empty where any is taken.
    minimum, maximum
        The range of a number, both included.
    required, repeated
        Whether it has to be given, and whether it may be several times.
    environment
        The environment variable that gives it as well.
    """

    name: str
    spellings: tuple[str, ...]
    help: str
    type: str
    value: str | None
    default: Any
    choices: tuple[str, ...]
    minimum: float | None
    maximum: float | None
    required: bool
    repeated: bool
    environment: str | None


@dataclass(frozen=True)
class CommandPage:
    """One command: its words, what it does, and the commands in it.

    Attributes
    ----------
    command
        ``memctl``, ``memctl learn``, ``memctl config set``.
    usage
        One line that shows how it is written.
    summary, help
        Its first sentence; all of the text, without the examples.
    examples
        Lines to be typed.
    panel
        The heading under which the program's help lists it.
    """

    command: str
    usage: str
    summary: str
    help: str
    examples: tuple[str, ...]
    panel: str | None
    arguments: tuple[CommandWord, ...]
    options: tuple[CommandWord, ...]
    commands: tuple[CommandPage, ...] = field(default=())


def described(command: Command, path: str = "memctl") -> CommandPage:
    """Return the page of a command, with those of the commands in it.

    Parameters
    ----------
    command
        Of `memctl_cli.app.command_of`, or one within it.
    path
        The words that call it.
    """
    told, examples = _told(command.help or "")
    shown = [one for one in command.params if not getattr(one, "hidden", False)]
    words = [word_of(one) for one in shown]
    inner: dict[str, Command] = getattr(command, "commands", {})
    arguments = tuple(one for one in words if not one.spellings)
    return CommandPage(
        command=path,
        usage=_usage(path, arguments, inner),
        summary=" ".join(told.split("\n\n")[0].split()),
        help=told,
        examples=examples,
        panel=getattr(command, "rich_help_panel", None) or None,
        arguments=arguments,
        options=tuple(one for one in words if one.spellings),
        commands=tuple(described(one, f"{path} {name}") for name, one in inner.items()),
    )


def pages(page: CommandPage) -> Iterator[CommandPage]:
    """Yield a page and all below it, in the order of the help."""
    yield page
    for one in page.commands:
        yield from pages(one)


def _told(text: str) -> tuple[str, tuple[str, ...]]:
    paragraphs = [one.strip() for one in cleandoc(text).split("\n\n")]
    examples = (one.removeprefix(_EXAMPLE) for one in paragraphs if one.startswith(_EXAMPLE))
    told = "\n\n".join(one for one in paragraphs if not one.startswith(_EXAMPLE))
    return _unmarked(told), tuple(" ".join(_unmarked(one).split()) for one in examples)


def _usage(path: str, arguments: tuple[CommandWord, ...], inner: dict[str, Command]) -> str:
    words = [
        f"{one.name}{'...' if one.repeated else ''}"
        if one.required
        else f"[{one.name}{'...' if one.repeated else ''}]"
        for one in arguments
    ]
    return " ".join([path, "[OPTIONS]", *words, *(["COMMAND"] if inner else [])])


def word_of(parameter: Parameter) -> CommandWord:
    """Return one argument or option as plain values."""
    seen: Any = parameter  # the fields of Typer's own class
    option = seen.param_type_name == "option"
    environment = seen.envvar if isinstance(seen.envvar, str) or not seen.envvar else seen.envvar[0]
    kind = seen.type_descriptor
    return CommandWord(
        name=seen.opts[0] if option else (seen.metavar or seen.name).upper(),
        spellings=(*seen.opts, *seen.secondary_opts) if option else (),
        help=_unmarked(" ".join((seen.help or "").split())),
        type=_type(kind.annotation),
        value=seen.metavar,
        default=_plain(seen.default),
        choices=tuple(str(getattr(one, "value", one)) for one in kind.choices or ()),
        minimum=kind.parameter_info.min,
        maximum=kind.parameter_info.max,
        required=bool(seen.required),
        repeated=bool(seen.multiple or seen.nargs == -1),
        environment=environment,
    )


def _type(annotation: Any) -> str:
    members = typing.get_args(annotation)
    one = members[0] if typing.get_origin(annotation) is list else annotation
    name = getattr(one, "__name__", "str")
    return "path" if name == "Path" else _TYPES.get(name, "text")


def _plain(default: Any) -> Any:
    if callable(default) or default is None:
        return None
    if isinstance(default, (list, tuple)):
        return [_plain(one) for one in default]
    return default if isinstance(default, (str, int, float)) else str(default)


def _unmarked(text: str) -> str:
    r"""Return a help text as it is shown: ``\[`` is a bracket that is no markup."""
    return text.replace("\\[", "[")
