"""Which parameter of which command takes which values, and where these are read."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memctl.memory import Memory

# Words that lead to a parameter, or the parameter wherever it stands, with the kind of its values.
_TABLE = """
    app         --app, context --also, mcp --also
    session     --session, session end name, dream run --again, extract --thread
    session     episodes list --thread, recall --thread, remember --thread
    category    --category, -c
    component   --component, components * name, components * names, locate name, diff first
    gone        components restore names
    state       --state, states * state, states merge one, states merge other
    state       path from_state, path to_state, transitions record from_state
    state       transitions record to_state
    screen      wait name
    page        --page
    skill       skills * name, skills * names, wal skill name
    report      report name
    setting     config * key
    choice      config set value
    assignment  --set
    layout      export to layout
    format      import from words
    host        hook install host
    kind        recall --kind
    confidence  remember --confidence, memory store --confidence
    role        log --role
"""
_VERBS = {
    "components": "show rename pin unpin forget erase list",
    "states": "show rename",
    "skills": "show approve reject archive update export run next",
    "config": "get set unset",
}


def _read(table: str) -> dict[str, str]:
    values = {}
    for line in table.strip().splitlines():
        kind, places = line.split(maxsplit=1)
        for place in places.split(","):
            noun, star, parameter = place.strip().partition(" * ")
            for verb in _VERBS[noun].split() if star else [""]:
                values[f"{noun} {verb} {parameter}" if star else noun] = kind
    return values


VALUES: Mapping[str, str] = _read(_TABLE)


# What the engine holds as a collection of words, and what stands in a help text alone.
_WORDS = {
    "setting": ("memctl.config.settings", "KNOWN"),
    "category": ("memctl.base.categories", "KINDS"),
    "layout": ("memctl.porting.exports.exporter", "LAYOUTS"),
    "format": ("memctl.porting.formats", "FORMATS"),
    "host": ("memctl_cli.hooks.install", "HOSTS"),
}
_FIXED = {
    "kind": ("turn", "episode", "fact", "state"),
    "confidence": ("low", "medium", "high"),
    "role": ("user", "assistant", "system", "tool"),
}


def values_of(kind: str, given: Mapping[str, Any], words: Mapping[str, Any]) -> Sequence[str]:
    """Return all values of a kind.

    Parameters
    ----------
    kind
        As `VALUES` has it.
    given, words
        The program's options, and what the command was given so far.
    """
    if kind in _WORDS:
        module, name = _WORDS[kind]
        return list(getattr(import_module(module), name))
    if kind in _OTHERS:
        return _OTHERS[kind](given, words)
    if kind in _FIXED:
        return _FIXED[kind]
    import memctl
    from memctl.base.home import parse_address

    address = str(parse_address(given.get("address") or "agent"))
    with memctl.open(address, given.get("home"), readonly=True) as memory:
        return _STORED[kind](memory) if memory.store.exists else []


def _apps(given: Mapping[str, Any], _: Mapping[str, Any]) -> list[str]:
    import memctl

    return [store.app for store in memctl.stores(given.get("home"))]


def _reports(_: Mapping[str, Any], __: Mapping[str, Any]) -> list[str]:
    from memctl.reports.questions import REPORTS

    return [*REPORTS, "all"]


def _choices(_: Mapping[str, Any], words: Mapping[str, Any]) -> Sequence[str]:
    """Return what the setting that is named takes."""
    from memctl.config.settings import KNOWN

    setting = KNOWN[str(words.get("key"))]
    return ("true", "false") if isinstance(setting.default, bool) else setting.choices


def _assignments(given: Mapping[str, Any], words: Mapping[str, Any]) -> list[str]:
    return [f"{key}=" for key in values_of("setting", given, words)]


def _pages(memory: Memory) -> list[str]:
    return [page for one in memory.states.list() if (page := one.page)]


_OTHERS: Mapping[str, Callable[[Mapping[str, Any], Mapping[str, Any]], Sequence[str]]] = {
    "app": _apps,
    "report": _reports,
    "choice": _choices,
    "assignment": _assignments,
}
_STORED: Mapping[str, Callable[[Memory], Sequence[str]]] = {
    "component": lambda memory: memory.components.names(),
    "gone": lambda memory: [one.name for one in memory.components.list(forgotten=True)],
    "state": lambda memory: memory.states.called(),
    "screen": lambda memory: [*memory.states.called(), *memory.components.names()],
    "page": _pages,
    "skill": lambda memory: [skill.name for skill in memory.skills.list()],
    "session": lambda memory: [one.id for one in memory.sessions.list(limit=-1)],
}
