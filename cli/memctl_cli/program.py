"""Runs the command line: options anywhere, one place for errors, exit codes."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import typer
from typer._click.exceptions import ClickException  # Typer carries Click inside itself

from memctl.base.errors import MemctlError, UsageError
from memctl_cli.app import GROUPS, command_of
from memctl_cli.output.envelope import print_failure
from memctl_cli.output.signs import show_what_can_be_shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typer._click import Command

# Options of the program that may stand anywhere, also behind the command.
_FLAGS = frozenset({"--json"})
_VALUES = frozenset({"--home", "--app", "--session", "--set"})

_INTERRUPTED = 130

# Columns; what a table cannot be drawn in is no width. Hosts that know none say 0.
_NARROWEST = 20


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit: 0 done, 1 to 6 as in `memctl.base.errors`, 130 interrupted."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if asked := os.environ.get("_MEMCTL_COMPLETE"):
        from memctl_cli.completion import complete

        complete(asked, _hoisted)
    _mend_width()
    show_what_can_be_shown()
    sys.exit(_run(given))


def _mend_width() -> None:
    """Leave out a width of the environment that is none, and widen one that is too narrow."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdecimal() and int(columns[:9]) < _NARROWEST:
        if int(columns):
            os.environ["COLUMNS"] = str(_NARROWEST)
        else:
            del os.environ["COLUMNS"]


def _run(given: list[str]) -> int:
    leading, rest = _hoisted(given)
    as_json = "--json" in leading
    try:
        _refuse_missing_value(given, leading)
        command = command_of(rest[0] if rest else None)
        result = command(args=[*leading, *rest], prog_name="memctl", standalone_mode=False)
        if sys.stdout is not None:  # it is None where the caller has closed it
            sys.stdout.flush()
    except (typer.Abort, KeyboardInterrupt):
        return _INTERRUPTED
    except BrokenPipeError:
        _give_up_stdout()  # the reader has seen enough
        return 0
    except Exception as error:
        failure = _explained(error, rest)
        if failure is None:
            raise
        if not as_json and _shown_noun(error):
            return failure.exit_code
        _report(failure, _command(rest), as_json=as_json)
        return failure.exit_code
    return result if isinstance(result, int) else 0


def _refuse_missing_value(given: list[str], leading: list[str]) -> None:
    """Refuse an option of the program that ends a call: moved to the front, it would eat a word."""
    if given and given[-1] in _VALUES and leading[-1:] == given[-1:]:
        raise UsageError(f"{given[-1]} takes a text", hint='see "memctl --help"')


def _command(words: list[str]) -> str:
    """Return the command as an answer names it: ``learn``, ``config set``."""
    named = [word for word in words if not word.startswith("-")]
    form = named[1:2] if named and named[0] in GROUPS else []
    return " ".join([*named[:1], *(word for word in form if word.replace("-", "").isalnum())])


def _called(words: list[str]) -> tuple[Command, str]:
    """Return the command that the words of a call lead to, and the words that name it."""
    command = command_of(words[0] if words else None)
    path = ["memctl"]
    for word in words:
        inner = getattr(command, "commands", {})
        if word not in inner:
            break
        command = inner[word]
        path.append(word)
    return command, " ".join(path)


def _report(failure: MemctlError, command: str, *, as_json: bool) -> None:
    try:
        print_failure(failure, command, as_json=as_json)
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        _give_up_stdout()
        if as_json:  # else it stands on stderr already
            print_failure(failure, command, as_json=False)


def _give_up_stdout() -> None:
    """Send standard output nowhere: Python would complain once more while closing it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _shown_noun(error: Exception) -> bool:
    """Print the help of a noun that stands alone, ``memctl components``; return whether one does."""
    context = getattr(error, "ctx", None)
    if isinstance(error, ClickException) and error.message == "Missing command." and context:
        context.get_help()  # Typer prints it
        return True
    return False


def _explained(error: Exception, words: list[str]) -> MemctlError | None:
    """Return an error as memctl's own; ``None`` for a defect whose traceback is asked for."""
    from memctl_cli.output.command_words import command_line_error, usage_error

    if isinstance(error, MemctlError):
        return command_line_error(error, _called(words)[0])
    if isinstance(error, ClickException):
        return usage_error(error, *_called(words))
    if isinstance(error, OSError):
        return _system(error)
    return None if os.environ.get("MEMCTL_DEBUG") else _defect(error)


def _hoisted(words: list[str]) -> tuple[list[str], list[str]]:
    """Separate the program's own options from the other words, up to a ``--``."""
    leading: list[str] = []
    rest: list[str] = []
    pending = iter(words)
    for word in pending:
        name, equals, _ = word.partition("=")
        if word == "--":
            return leading, [*rest, word, *pending]
        if name in _FLAGS or (name in _VALUES and equals):
            leading.append(word)
        elif name in _VALUES:
            leading += [word, *([value] if (value := next(pending, None)) is not None else [])]
        else:
            rest.append(word)
    return leading, rest


def _system(error: OSError) -> MemctlError:
    name = f'"{error.filename}": ' if error.filename else ""
    return MemctlError(f"{name}{error.strerror or error}")


def _defect(error: Exception) -> MemctlError:
    return MemctlError(
        f"a defect in memctl: {type(error).__name__}: {error}",
        hint="MEMCTL_DEBUG=1 shows where; please report it",
    )
