"""The days that the demo's story is spread over: a fortnight that ends now."""

from __future__ import annotations

import os
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from memctl.base import clock

if TYPE_CHECKING:
    from collections.abc import Iterator

DAYS = 14


class Calendar:
    """Stops the clock at moments of the last fortnight.

    What happens at one moment is noted with it, so that the reports have days to compare.
    """

    def __init__(self) -> None:
        self._end = datetime.fromisoformat(clock.now())

    def moment(self, share: float) -> str:
        """Return the moment when this share of the fortnight has passed, 0 to 1."""
        at = self._end - timedelta(days=DAYS) * (1 - share)
        return clock.parse_time(at.isoformat())

    @contextmanager
    def at(self, share: float) -> Iterator[None]:
        """Let the clock show that moment inside."""
        before = os.environ.get("MEMCTL_NOW")
        os.environ["MEMCTL_NOW"] = self.moment(share)
        try:
            yield
        finally:
            if before is None:
                del os.environ["MEMCTL_NOW"]
            else:
                os.environ["MEMCTL_NOW"] = before
