"""Change marks of stores."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from memctl.store.store_file import Stamp

if TYPE_CHECKING:
    from pathlib import Path


def change_mark(path: Path) -> str:
    """Return a mark that differs once a store has been written."""
    return sha256(repr(Stamp.of(path).marks).encode()).hexdigest()[:16]
