"""Commands of Typer that take a `Call`, read plain values at once, and explain themselves as JSON.

Typer checks the value of every option with pydantic, also of an option that was not given, and
loads it for that: 0.06 s, longer than most commands take. What is plain needs no library to be
read. Everything else (a number out of range, a word where a number belongs) goes Typer's own way,
and is taken or refused there with Typer's words.
"""

from __future__ import annotations

import os
import re
import typing
from dataclasses import asdict, dataclass, replace
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup

from memctl_cli.call import Answer, Call
from memctl_cli.output.envelope import as_json, envelope

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from typer._click import Command as AnyCommand
    from typer._click import Context, HelpFormatter, Parameter

_EXAMPLE = "Example:"
_TYPES = {"str": "text", "int": "whole number", "float": "number", "bool": "flag", "Path": "path"}
# What help shows of a value, instead of the name of Python's type; of a switch nothing.
_KINDS = {str: "text", int: "number", float: "number", Path: "path", bool: ""}
# Digits that nobody reads otherwise: no spaces, no underscores, no "1e3", no "nan".
_WHOLE = re.compile(r"-?[0-9]{1,18}\Z", re.ASCII)
_DECIMAL = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?\Z", re.ASCII)
# A number as answers name what it is of.
_NAMED = re.compile(r"(?:turn|episode|recall):([0-9]{1,18})\Z", re.ASCII)
# What the page of a noun, or of the program, holds of each command in it.
_BRIEF = ("command", "usage", "summary", "panel")


class Commands(typer.Typer):
    """A group of commands."""

    def __init__(self, **more: Any) -> None:
        more.setdefault("cls", Group)
        super().__init__(**more)

    def command(self, *name: Any, **more: Any) -> Callable[[Any], Any]:
        """Register a function as a command."""
        return super().command(*name, cls=Command, **more)


class _Explained:
    """Parameters and help, alike for commands and groups."""

    context_class: type[Context] = Call

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        for parameter in typing.cast("AnyCommand", self).params:
            mend(parameter)

    def get_help_option(self, ctx: Context) -> Any:
        """Return the option ``--help``."""
        option = super().get_help_option(ctx)  # type: ignore[misc]
        if option is not None:
            mend(option)
        return option

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the help: as JSON where ``--json`` is given."""
        if not ctx.find_root().params.get("as_json"):
            super().format_help(ctx, formatter)  # type: ignore[misc]
            return
        page = described(typing.cast("AnyCommand", self), ctx.command_path)
        inner = [{name: getattr(command, name) for name in _BRIEF} for command in page.commands]
        data = {**asdict(replace(page, commands=())), "commands": inner}
        formatter.write(as_json(envelope(data, "help", "", 0, None, {})))


class Command(_Explained, TyperCommand):
    """A command whose function returns its `Answer`."""

    def invoke(self, ctx: Context) -> Any:
        """Call the function and print its answer; return the exit code."""
        answer = super().invoke(ctx)
        if not isinstance(answer, Answer):
            return answer
        assert isinstance(ctx, Call)  # noqa: S101  (its context class)
        ctx.print(answer)
        return answer.exit_code


class Group(_Explained, TyperGroup):
    """A noun: commands under one word."""


def mend(parameter: Any) -> None:
    """Let a parameter read plain values, and be spelt as errors and the reference spell it."""
    if "get_runtime_param" in vars(parameter):
        return
    annotation = parameter.type_descriptor.annotation
    members = typing.get_args(annotation)
    kind = members[0] if typing.get_origin(annotation) is list else annotation
    if parameter.param_type_name == "argument":
        parameter.metavar = (parameter.metavar or parameter.name or "").upper()
    if kind in _KINDS:
        parameter.display_type_rich = lambda ctx: _KINDS[kind]  # noqa: ARG005  (Typer names it)
        limits = parameter.type_descriptor.parameter_info
        if limits.parser is None:
            usual = parameter.get_runtime_param
            parameter.get_runtime_param = lambda: _PlainValues(kind, limits, usual)


@dataclass(frozen=True)
class _PlainValues:
    """Reads the values of one parameter, where Typer keeps its own reader."""

    kind: Any
    limits: Any
    usual: Callable[[], Any]

    def coerce(self, value: Any, param: Parameter, ctx: Context) -> Any:
        """Return the value of a word, as Typer's own reader would."""
        several = param.multiple or param.nargs == -1
        if value is None:
            return () if several else None
        values = list(value) if several and isinstance(value, (list, tuple)) else [value]
        if self.kind is int and param.param_type_name == "argument":
            values = [_number(one) for one in values]
        try:
            read = [self._within(self._read(one)) for one in values]
        except ValueError:
            given = values if several else values[0]
            return self.usual().coerce(given, param=param, ctx=ctx)
        return read if several else read[0]

    def _read(self, value: Any) -> Any:
        if type(value) is self.kind and self.kind in {int, float}:
            return value  # a default
        text = value if isinstance(value, str) else ""
        digits = {int: _WHOLE, float: _DECIMAL}.get(self.kind)
        if (
            (self.kind is str and text is value)
            or (digits is not None and digits.match(text))
            or (self.kind is Path and text is value and self._is_plain_path(text))
        ):
            return self.kind(text)
        raise ValueError

    def _is_plain_path(self, value: str) -> bool:
        if self.limits.exists or "\0" in value:
            return False
        # Not Path.exists: it raises where a folder may not be searched.
        return not os.path.exists(value) or os.access(value, os.R_OK)  # noqa: PTH110

    def _within(self, value: Any) -> Any:
        least, most = self.limits.min, self.limits.max
        if (least is not None and value < least) or (most is not None and value > most):
            raise ValueError
        return value


def _number(value: Any) -> Any:
    """Return the number of an id such as ``turn:12``; anything else as it is."""
    named = _NAMED.match(value) if isinstance(value, str) else None
    return named[1] if named else value


@dataclass(frozen=True)
class CommandWord:
    """One argument or option of a command.

    Attributes
    ----------
    name
        As it is shown: ``TEXT``, ``--limit``.
    spellings
        Every way to write an option, what switches it off among them; empty for an argument.
    type
        ``text``, ``whole number``, ``number``, ``path`` or ``flag``.
    value
        What stands for the value in a usage line, where that is more than the type.
    choices
        All values that there are; empty where any is taken.
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
    commands: tuple[CommandPage, ...] = ()


def described(command: AnyCommand, path: str = "memctl") -> CommandPage:
    """Return the page of a command that some words call, with those of the commands in it."""
    paragraphs = [one.strip() for one in cleandoc(command.help or "").split("\n\n")]
    text = "\n\n".join(one for one in paragraphs if not one.startswith(_EXAMPLE))
    examples = (
        paragraph.removeprefix(_EXAMPLE)
        for paragraph in paragraphs
        if paragraph.startswith(_EXAMPLE)
    )
    words = [word_of(param) for param in command.params if not getattr(param, "hidden", False)]
    arguments = tuple(one for one in words if not one.spellings)
    inner: dict[str, AnyCommand] = getattr(command, "commands", {})
    return CommandPage(
        command=path,
        usage=" ".join(
            [path, "[OPTIONS]", *map(_in_usage, arguments), *(["COMMAND"] if inner else [])]
        ),
        summary=" ".join(_unmarked(text).split("\n\n")[0].split()),
        help=_unmarked(text),
        examples=tuple(" ".join(_unmarked(example).split()) for example in examples),
        panel=getattr(command, "rich_help_panel", None) or None,
        arguments=arguments,
        options=tuple(word for word in words if word.spellings),
        commands=tuple(described(one, f"{path} {name}") for name, one in inner.items()),
    )


def pages(page: CommandPage) -> Iterator[CommandPage]:
    """Yield a page and all below it, in the order of the help."""
    yield page
    for command in page.commands:
        yield from pages(command)


def word_of(parameter: Parameter) -> CommandWord:
    """Return one argument or option as plain values."""
    seen: Any = parameter  # the fields of Typer's own class
    option = seen.param_type_name == "option"
    kind = seen.type_descriptor
    members = typing.get_args(kind.annotation)
    one = members[0] if typing.get_origin(kind.annotation) is list else kind.annotation
    return CommandWord(
        name=seen.opts[0] if option else (seen.metavar or seen.name).upper(),
        spellings=(*seen.opts, *seen.secondary_opts) if option else (),
        help=_unmarked(" ".join((seen.help or "").split())),
        type=_TYPES.get(getattr(one, "__name__", "str"), "text"),
        value=seen.metavar,
        default=_plain(seen.default),
        choices=tuple(str(getattr(each, "value", each)) for each in kind.choices or ()),
        minimum=kind.parameter_info.min,
        maximum=kind.parameter_info.max,
        required=bool(seen.required),
        repeated=bool(seen.multiple or seen.nargs == -1),
        environment=seen.envvar
        if isinstance(seen.envvar, str) or not seen.envvar
        else seen.envvar[0],
    )


def _in_usage(word: CommandWord) -> str:
    spelt = f"{word.name}{'...' if word.repeated else ''}"
    return spelt if word.required else f"[{spelt}]"


def _plain(default: Any) -> Any:
    if callable(default) or default is None:
        return None
    if isinstance(default, (list, tuple)):
        return [_plain(one) for one in default]
    return default if isinstance(default, (str, int, float)) else str(default)


def _unmarked(text: str) -> str:
    r"""Return a help text as it is shown: ``\[`` is a bracket that is no markup."""
    return text.replace("\\[", "[")
