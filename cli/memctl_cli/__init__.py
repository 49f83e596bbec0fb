"""The ``memctl`` command."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit; see `memctl_cli.program.main`."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if "hook" in words:
        from memctl_cli.hooks.run import is_hook, run_hook

        if is_hook(words):
            code = run_hook(words)
            if arguments is None:
                # The store is closed and the answer written: a host waits for the process alone.
                os._exit(code)
            sys.exit(code)
    from memctl_cli.program import main as run

    run(words)
