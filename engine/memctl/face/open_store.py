"""One open store: what every part of the face stands on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from memctl.base.arguments import checked_class
from memctl.base.errors import MemctlError
from memctl.config.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

    from memctl.base.home import Address
    from memctl.base.scope import Scope
    from memctl.config.setting import Value
    from memctl.store.store import Store

# The collections that a memory's repr counts.
_COUNTED = ("components", "states", "turns", "episodes", "facts")


@checked_class
class OpenStore:
    """One open store with its settings and its scope; ``with`` closes it.

    Parameters
    ----------
    store
        The file.
    flags
        Settings that win over the environment and the store.
    chrome
        The memory of the browser around a site, ``None`` for an app.
    scope
        Whose facts are read and written; everybody's where nothing is said.
    """

    def __init__(
        self,
        store: Store,
        *,
        flags: Mapping[str, Value] | None = None,
        chrome: Self | None = None,
        scope: Scope | None = None,
    ) -> None:
        self.store = store
        self._scope = scope
        self._flags = dict(flags or {})
        self.settings = Settings(store, flags)
        self._chrome = chrome

    def __enter__(self) -> Self:
        self.store.refuse_closed()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if error is not None:
                self._refuse_damage(error)
        finally:
            self.close()

    def _refuse_damage(self, error: BaseException) -> None:
        """Raise `StoreDamagedError` where an error of the engine comes from a damaged file."""
        from memctl.upkeep.damage import damage_behind

        stores = [one.store for one in (self, self._chrome) if one is not None]
        for damage in (damage_behind(error, store) for store in stores if not store.closed):
            if damage is not None:
                raise damage from error

    def close(self) -> None:
        """Close the files."""
        self.store.close()
        if self._chrome is not None:
            self._chrome.close()

    @property
    def address(self) -> Address:
        """The app or site that this is the memory of."""
        return self.store.address

    def __repr__(self) -> str:
        """Return the address and the sizes of the collections; never raises."""
        try:
            sizes = (
                {name: len(getattr(self, name)) for name in _COUNTED} if self.store.exists else {}
            )
            told = ", ".join(f"{size} {name}" for name, size in sizes.items() if size) or "empty"
        except (MemctlError, OSError) as error:
            told = type(error).__name__
        return f"<memctl.Memory {self.address}, {told}>"
