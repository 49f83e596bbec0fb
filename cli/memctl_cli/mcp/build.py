"""Puts the tools of the MCP server together, by profile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl import __version__
from memctl.base.errors import UsageError
from memctl.base.near_words import one_of
from memctl.search.vectors.embed import BackgroundVectors
from memctl_cli.mcp import app_tools, fact_tools, talk_tools
from memctl_cli.mcp.server import MemoryServer

if TYPE_CHECKING:
    from memctl.memory import Memory

_FACTS = (
    *("memory_search", "memory_store", "memory_get", "memory_list", "memory_forget"),
    *("memory_update", "memory_delete_all", "memory_history", "memory_lookup", "pending"),
)
_TALK = ("recall", "feedback", "log", "remember", "journal", "context", "forget")
_SCREENS = ("learn", "match", "locate", "path", "components", "states", "transitions")

PROFILES = {
    "memory": (*_FACTS, *_TALK),
    "screens": (*_SCREENS, "journal", "context", "forget"),
    "all": (*_FACTS, *_TALK, *_SCREENS),
}
"""The tools that each profile serves. At most 2,500, 1,500 and 4,500 tokens (estimated) of names,
descriptions and parameters: every prompt of an agent carries them."""


def profile_of(address: str, asked: str | None = None) -> str:
    """Return the profile that is asked for; else `memory` for an assistant's store, `screens` for an app's.

    Raises
    ------
    UsageError
        When there is no such profile.
    """
    if asked is None:
        return "memory" if address == "agent" else "screens"
    if asked not in PROFILES:
        raise UsageError(f'there is no profile "{asked[:40]}"', hint=one_of(asked, PROFILES))
    return asked


def build(
    memory: Memory,
    *,
    profile: str | None = None,
    also: Memory | None = None,
    takes_part: bool = False,
) -> MemoryServer:
    """Return a server for one open memory; `MemoryServer.run` serves it.

    Parameters
    ----------
    profile
        The tools that it serves: ``memory``, ``screens`` or ``all``.
    also
        Another memory whose facts the context reads along.
    takes_part
        Whether the session is the one that the host has begun by then, not one of its own.
    """
    named = profile_of(str(memory.store.address), profile)
    silent = memory.settings["recall_strategy"] == "off"
    server = MemoryServer(
        profile=PROFILES[named],
        version=__version__,
        instructions="" if silent else memory.facts.guide(),
        vectors=BackgroundVectors(memory.store, memory.settings),
        first=memory.take_part if takes_part else None,
        store=memory.store.path,
    )
    fact_tools.add_to(server, memory)
    talk_tools.add_recall(server, memory)
    talk_tools.add_journal(server, memory, also)
    app_tools.add_screens(server, memory)
    app_tools.add_graph(server, memory)
    app_tools.add_skills(server, memory)
    return server
