"""What is said where somebody stops a run with Ctrl-C."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def goes_on_later(command: str, *, apply: bool) -> Iterator[None]:
    """Say on standard error, where a run that writes is interrupted, which command goes on with it."""
    try:
        yield
    except KeyboardInterrupt:
        if apply:
            told = f'stopped; the next "memctl dream {command} --apply" goes on from here'
            print(f"memctl: {told}", file=sys.stderr)  # noqa: T201  (this is the CLI)
        raise
