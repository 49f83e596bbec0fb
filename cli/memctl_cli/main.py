"""Runs the command line: options anywhere, one place for errors, exit codes."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import typer
from typer._click.exceptions import ClickException  # Typer carries Click inside itself

from memctl.errors import MemctlError, UsageError
from memctl_cli.app import app
from memctl_cli.output import print_failure

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

# Options of the program that may stand anywhere, also behind the command.
_FLAGS = frozenset({"--json"})
_VALUES = frozenset({"--home", "--app", "--session", "--set"})

_INTERRUPTED = 130
_USAGE = 2


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit: 0 done, 1 to 6 as in `memctl.errors`, 130 interrupted."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    sys.exit(_run(given))


def _run(given: list[str]) -> int:
    leading, rest = _hoisted(given)
    as_json = "--json" in leading
    command = next((word for word in rest if not word.startswith("-")), "")
    try:
        result = app(args=[*leading, *rest], prog_name="memctl", standalone_mode=False)
    except MemctlError as error:
        print_failure(error, command, as_json=as_json)
        return error.exit_code
    except ClickException as error:
        print_failure(_usage(error), command, as_json=as_json)
        return _USAGE
    except (typer.Abort, KeyboardInterrupt):
        return _INTERRUPTED
    except BrokenPipeError:
        # The reader has seen enough; Python would complain once more while closing stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print_failure(_system(error), command, as_json=as_json)
        return MemctlError.exit_code
    return result if isinstance(result, int) else 0


def _hoisted(words: list[str]) -> tuple[list[str], list[str]]:
    """Part the program's own options from the rest, up to a ``--``."""
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


def _usage(error: ClickException) -> UsageError:
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "memctl"
    message = " ".join(error.format_message().split()) or "nothing to do"
    return UsageError(message, hint=f'see "{path} --help"')


def _system(error: OSError) -> MemctlError:
    name = f'"{error.filename}": ' if error.filename else ""
    return MemctlError(f"{name}{error.strerror or error}")
