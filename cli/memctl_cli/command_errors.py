"""Errors in the words of the command line: ``--max-tokens`` for Python's ``max_tokens``.

The engine names parameters as Python spells them, Typer explains values with the words of
pydantic; both become the words that a command is typed with.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from typer._click.exceptions import (  # Typer carries Click inside itself
    BadOptionUsage,
    BadParameter,
    ClickException,
    MissingParameter,
    NoSuchOption,
)

from memctl.base.errors import MemctlError, UsageError
from memctl.base.near_words import meant, one_of
from memctl.base.pattern import Pattern
from memctl_cli.command import CommandWord, word_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from typer._click import Command

_OPTION = Pattern(r"--?[a-z][a-z-]*")
# A parameter where a message begins with it: `since "May" is ...`, `"limit" is too large`.
_FIRST = re.compile(r'^"?([a-z_]+)"?(?= (?:"|is |are |takes ))')
# One of several: `"facts[0]" looks like a secret`.
_OF_SEVERAL = re.compile(r'^"([a-z_]+)\[(\d+)\]"')
# One that can be nothing else: max_tokens, memory_id.
_SNAKE = re.compile(r'"?\b([a-z]+(?:_[a-z]+)+)\b"?(?:=)?')
_GIVE = re.compile(r"^(give|set) ([a-z_]+(?:(?:, | or )[a-z_]+)*)$")
_ERRNO = re.compile(r"\[Errno \d+\] ([^:]+)(?:: '.*')?")
_NO_UTF8 = re.compile(r"'utf-8' codec can't decode .*")
_NOT_CHOSEN = re.compile(r"'(.*)' is not one of", re.DOTALL)
_NO_COMMAND = re.compile(r"No such command '(.*?)'")
_EXTRA = re.compile(r"Got unexpected extra argument\S* \((.*)\)")
# Nouns whose name in Python is another one: m.facts, m.journal, m.settings.
_OF_PYTHON = {"fact": "memory", "journal": "wal", "setting": "config"}
_FEW = 3
_EVERYWHERE = ("--help", "--json", "--app", "--home", "--session", "--set")
_A = {"whole number": "a whole number", "number": "a number", "path": "a path", "flag": "no value"}


def command_line_error(error: MemctlError, command: Command | None) -> MemctlError:
    """Let an error name the options and arguments of a command as they are typed."""
    spelt: dict[str, str] = {}
    for param in command.params if command is not None else ():
        spelt[param.name] = word_of(param).name
    error.message = _spoken(error.message, spelt)
    error.hint = _spoken(error.hint, spelt)
    return error


def usage_error(error: ClickException, command: Command, path: str) -> UsageError:
    """Return an error of Typer in memctl's words: what is wrong, and what may be meant.

    Parameters
    ----------
    error
        Of Typer, which names its command not always.
    command, path
        The command that was called, and the words that call it.
    """
    context = getattr(error, "ctx", None)
    command, path = (command, path) if context is None else (context.command, context.command_path)
    see = f'see "{path} --help"'
    parameter = getattr(error, "param", None)
    if isinstance(error, NoSuchOption):
        return _no_option(error.option_name, command, see, path)
    if isinstance(error, BadOptionUsage):
        return UsageError(_misused(error, command), hint=see)
    if isinstance(error, BadParameter) and parameter is not None:
        return _bad_value(word_of(parameter), error, see)
    return _wrong_words(error, command, see, path)


def _wrong_words(error: ClickException, command: Command, see: str, path: str) -> UsageError:
    """Return the error of a command that does not exist, or of words that are too many."""
    message = " ".join(error.format_message().split())
    if message in {"", "Missing command."}:
        return UsageError("nothing to do", hint=see)
    if wrong := _NO_COMMAND.match(message):
        near = _near_command(wrong[1], getattr(command, "commands", {}), see)
        called = f"{path} {wrong[1]:.40}".removeprefix("memctl ")
        return UsageError(f'there is no command "{called}"', hint=near)
    if extra := _EXTRA.match(message):
        quote = f"quote a text of several words, {see}"
        return UsageError(f'no more words are taken: "{extra[1]:.40}"', hint=quote)
    return UsageError(message, hint=see)


def _near_command(word: str, commands: Mapping[str, Command], see: str) -> str:
    """Suggest a command: a word like it, the noun of a verb, or of a Python name."""
    nouns = [name for name, command in commands.items() if word in getattr(command, "commands", {})]
    if 0 < len(nouns) <= _FEW:
        result = [f'"{noun} {word}"' for noun in nouns]
        return f"did you mean {' or '.join(result)}?"
    named = _OF_PYTHON.get(word.removesuffix("s"), "")
    return f'did you mean "{named}"?' if named in commands else meant(word, commands, see)


def _misused(error: BadOptionUsage, command: Command) -> str:
    taken = next((param for param in command.params if error.option_name in param.opts), None)
    kind = "a value" if taken is None else _taken(word_of(taken))
    return f"{error.option_name} takes {kind if 'requires' in error.message else 'no value'}"


def _no_option(name: str, command: Command, see: str, path: str) -> UsageError:
    texts = any(not one.spellings and one.type == "text" for one in map(word_of, command.params))
    quoting = f'{see}, or "{path} -- TEXT" for a text that begins so' if texts else see
    if not _OPTION.fullmatch(name):  # no text is repeated
        return UsageError("no such option", hint=quoting)
    known = [spelling for parameter in command.params for spelling in word_of(parameter).spellings]
    hint = meant(name, [*known, *_EVERYWHERE], quoting)
    return UsageError(f'there is no option "{name}"', hint=hint)


def _bad_value(word: CommandWord, error: BadParameter, see: str) -> UsageError:
    if isinstance(error, MissingParameter):
        return UsageError(f"{word.name} is missing", hint=see)
    wrong = _NOT_CHOSEN.search(error.message)
    if wrong and word.choices:
        return UsageError(
            f'{word.name} takes no "{wrong[1]:.40}"', hint=one_of(wrong[1], word.choices)
        )
    known = word.type != "text" or word.choices
    return UsageError(f"{word.name} takes {_taken(word)}" if known else error.message, hint=see)


def _taken(word: CommandWord) -> str:
    """Describe the values of a word: "a whole number of 1 to 50"."""
    if word.choices:
        return f"one of {', '.join(word.choices)}"
    low, high = word.minimum, word.maximum
    ends = [f"{low:,.10g}" if low is not None else "", f"{high:,.10g}" if high is not None else ""]
    bounds = (
        " to ".join(ends) if all(ends) else f"{ends[0]} or more" if ends[0] else f"up to {ends[1]}"
    )
    return _A.get(word.type, "a text") + (f" of {bounds}" if any(ends) else "")


def _spoken(text: str, spelt: Mapping[str, str]) -> str:
    """Return a message with each parameter as it is typed, and without Python's own words."""
    if given := _GIVE.match(text):
        text = f"{given[1]} " + re.sub("[a-z_]+", lambda one: spelt.get(one[0], one[0]), given[2])
    text = _OF_SEVERAL.sub(lambda one: f"{spelt.get(one[1], one[1])} {int(one[2]) + 1}", text)
    text = _FIRST.sub(lambda found: spelt.get(found[1], found[0]), text)
    text = _SNAKE.sub(lambda found: spelt.get(found[1], found[0]), text)
    return _NO_UTF8.sub("it is no text in UTF-8", _ERRNO.sub(r"\1", text))
