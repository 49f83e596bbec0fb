"""``python -m memctl``: the command that the package installs.

It is looked up by name, so that the engine imports nothing of the command line.
"""

from __future__ import annotations

import sys
from importlib.metadata import entry_points

if __name__ == "__main__":
    command, *_ = entry_points(group="console_scripts", name="memctl")
    sys.exit(command.load()())
