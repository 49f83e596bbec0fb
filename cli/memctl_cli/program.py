"""Runs the command line: options anywhere, one place for errors, exit codes."""

from __future__ import annotations

import codecs
import io
import os
import sys
from typing import TYPE_CHECKING

import typer
from typer._click.exceptions import ClickException  # Typer carries Click inside itself

from memctl.base.errors import MemctlError, UsageError
from memctl.base.steps import remarked
from memctl_cli.app import GROUPS, VALUED, command_of, hoisted
from memctl_cli.output.envelope import print_failure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typer._click import Command

_INTERRUPTED = 130
# Columns; what a table cannot be drawn in is no width. Hosts that know none say 0.
_NARROWEST = 20
# What stands for a sign on a terminal that knows no Unicode; else "?".
_NEAREST = {
    **dict.fromkeys("─━═—", "-"),
    **dict.fromkeys("│┃║", "|"),
    **dict.fromkeys("╭╮╰╯┌┐└┘├┤┬┴┼", "+"),
    "…": "...",
    "\xd7": "x",
    "\xa0": " ",
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit: 0 done, 1 to 6 as in `memctl.base.errors`, 130 interrupted."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if instruction := os.environ.get("_MEMCTL_COMPLETE"):
        from memctl_cli.completion import complete

        complete(instruction)
    _mend_surroundings()
    remarks: list[str] = []
    with remarked(remarks):
        code = _run(given)
    if "--json" not in hoisted(given)[0]:  # there they are in the answer
        for remark in remarks:
            typer.echo(f"memctl: {remark}", err=True)
    sys.exit(code)


def _mend_surroundings() -> None:
    """Widen a terminal that is too narrow, and write a near sign for what an encoding lacks.

    Without it a name in another script would end a command in the middle of its answer.
    """
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdecimal() and int(columns[:9]) < _NARROWEST:
        if int(columns):
            os.environ["COLUMNS"] = str(_NARROWEST)
        else:
            del os.environ["COLUMNS"]
    codecs.register_error("memctl", _nearest)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not stream.encoding.lower().startswith("utf"):
            stream.reconfigure(errors="memctl")


def _nearest(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(_NEAREST.get(sign, "?") for sign in text), error.end


def _run(given: list[str]) -> int:
    leading, rest = hoisted(given)
    as_json = "--json" in leading
    try:
        # Moved to the front, an option that lacks its value would eat the command.
        if given and given[-1] in VALUED and leading[-1:] == given[-1:]:
            raise UsageError(  # noqa: TRY301  (told as all errors are)
                f"{given[-1]} takes a text", hint='see "memctl --help"'
            )
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
        if as_json or not _printed_help(error):
            _report(failure, _command(rest), as_json=as_json)
        return failure.exit_code
    return result if isinstance(result, int) else 0


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


def _printed_help(error: Exception) -> bool:
    """Print the help of a noun without a verb, ``memctl components``; return whether there is one."""
    context = getattr(error, "ctx", None)
    if isinstance(error, ClickException) and error.message == "Missing command." and context:
        context.get_help()  # Typer prints it
        return True
    return False


def _explained(error: Exception, words: list[str]) -> MemctlError | None:
    """Return an error as memctl's own; ``None`` for a defect whose traceback is asked for."""
    from memctl_cli.command_errors import command_line_error, usage_error

    if isinstance(error, MemctlError):
        return command_line_error(error, _called(words)[0])
    if isinstance(error, ClickException):
        return usage_error(error, *_called(words))
    if isinstance(error, OSError):
        name = f'"{error.filename}": ' if error.filename else ""
        return MemctlError(f"{name}{error.strerror or error}")
    if os.environ.get("MEMCTL_DEBUG"):
        return None
    return MemctlError(
        f"a defect in memctl: {type(error).__name__}: {error}",
        hint="MEMCTL_DEBUG=1 shows where; please report it",
    )
