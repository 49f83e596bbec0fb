"""The ``memctl`` command."""

from memctl_cli.main import main

__all__ = ["main"]
