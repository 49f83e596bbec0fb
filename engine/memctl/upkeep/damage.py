"""Tells a damaged store from a defect: what no code of memctl expects may stand in the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.errors import MemctlError, NotFoundError, StoreDamagedError
from memctl.upkeep.doctor import checks_of_content

if TYPE_CHECKING:
    from types import TracebackType

    from memctl.store.store import Store


def damage_behind(error: BaseException, store: Store) -> StoreDamagedError | None:
    """Return the damage of a store that may have caused an error of the engine; ``None``: none has.

    An error that memctl raises on purpose has its reason already, but that something is not there
    may be the damage's doing: of its pages and texts, no picture hides a name. One that is raised outside of the engine has nothing to do with the
    store.
    """
    missing = isinstance(error, NotFoundError)
    if (isinstance(error, MemctlError) and not missing) or not isinstance(error, Exception):
        return None
    if not _passed_engine(error.__traceback__):
        return None
    try:
        wrong = [one for one in checks_of_content(store, pictures=not missing) if not one.ok]
    except StoreDamagedError as damage:
        return damage
    except MemctlError:
        return None  # it cannot be read now
    if not wrong:
        return None
    return StoreDamagedError(f'"{store.path}" is damaged: {wrong[0].check}: {wrong[0].detail}')


def _passed_engine(trace: TracebackType | None) -> bool:
    while trace is not None:
        if str(trace.tb_frame.f_globals.get("__name__")).startswith("memctl."):
            return True
        trace = trace.tb_next
    return False
