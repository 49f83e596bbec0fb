"""Values that a shell offers for a parameter: of the store, or of a list of the engine's.

A store is read and never made; where anything fails, nothing is offered.
"""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

import typer  # noqa: TC002  (Typer reads annotations at run time)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memctl.memory import Memory

_MOST = 1000  # a shell that offers more is of no use
_FIXED = {
    "kind": ("turn", "episode", "fact", "state"),
    "confidence": ("low", "medium", "high"),
    "role": ("user", "assistant", "system", "tool"),
}
_LISTED = {
    "setting": ("memctl.config.settings", "KNOWN"),
    "category": ("memctl.base.categories", "KINDS"),
    "layout": ("memctl.porting.exports.exporter", "LAYOUTS"),
    "format": ("memctl.porting.formats", "FORMATS"),
    "host": ("memctl_cli.hooks.install", "HOSTS"),
    "report": ("memctl.reports.questions", "REPORTS", "all"),
}
_STORED: Mapping[str, Callable[[Memory], Sequence[str]]] = {
    "component": lambda memory: memory.components.names(),
    "gone": lambda memory: [one.name for one in memory.components.list(forgotten=True)],
    "state": lambda memory: memory.states.called(),
    "screen": lambda memory: [*memory.states.called(), *memory.components.names()],
    "page": lambda memory: [one.page for one in memory.states.list() if one.page],
    "skill": lambda memory: [skill.name for skill in memory.skills.list()],
    "session": lambda memory: [one.id for one in memory.sessions.list(limit=-1)],
}


def offered(kind: str) -> Callable[[typer.Context, str], list[str]]:
    """Make the completion of a parameter whose values are of a kind."""

    def offer(context: typer.Context, incomplete: str) -> list[str]:
        with suppress(Exception):  # a shell that completes has no place for an error
            values = _values(kind, context.find_root().params, context.params)
            fitting = {
                value for value in values if value.startswith(incomplete) and value.isprintable()
            }
            return sorted(fitting)[:_MOST]
        return []

    return offer


def _values(kind: str, given: Mapping[str, Any], words: Mapping[str, Any]) -> Sequence[str]:
    """Return all values of a kind, by the program's options and the command's words so far."""
    if kind in _FIXED:
        return _FIXED[kind]
    if kind in _LISTED:
        module, name, *more = _LISTED[kind]
        return [*getattr(import_module(module), name), *more]
    if kind == "assignment":
        return [f"{key}=" for key in _values("setting", given, words)]
    if kind == "choice":  # what the setting that is named takes
        from memctl.config.settings import KNOWN

        setting = KNOWN[str(words.get("key"))]
        return ("true", "false") if isinstance(setting.default, bool) else setting.choices
    import memctl
    from memctl.base.home import parse_address

    if kind == "app":
        return [store.app for store in memctl.stores(given.get("home"))]
    address = str(parse_address(given.get("address") or "agent"))
    with memctl.open(address, given.get("home"), readonly=True) as memory:
        return _STORED[kind](memory) if memory.store.exists else []
