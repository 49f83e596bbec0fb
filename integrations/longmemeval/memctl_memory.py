"""The memory of LongMemEval-V2's harness, kept by memctl: `insert` and `query`.

A trajectory becomes an episode (its goal, how it ended, what was done) and a turn for each of its
states: what was done there, then the thought, the address and the accessibility tree. A query is
one recall within a budget of tokens. Without the harness the class stands alone.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import memctl
from memctl.base.errors import SecretRefusedError
from memctl.guard.door import masked

try:
    from memory_modules.memory import Memory, register_memory  # type: ignore[import-not-found]
except ImportError:  # without the harness, as in tests

    class Memory:  # type: ignore[no-redef]
        """What the harness's base class is asked for here: it keeps the parameters."""

        def __init__(self, memory_params: dict[str, Any]) -> None:
            self.memory_params = dict(memory_params)

    def register_memory(kind: type) -> type:
        """Return the class as it is: there is no harness to register it in."""
        return kind


if TYPE_CHECKING:
    from memctl.search.recall_results import Row

_TOKENS = 8_000
_FILE = "memctl.db"


@register_memory
class MemctlMemory(Memory):  # type: ignore[misc]
    """Trajectories of an agent in a store of memctl.

    Parameters
    ----------
    memory_params
        ``home`` (folder of the store; a temporary one by default), ``max_tokens`` of an answer
        (8,000), ``settings`` of memctl (such as ``fallback`` and ``fallback_model``).
    """

    memory_type = "memctl"

    def __init__(self, memory_params: dict[str, Any]) -> None:
        super().__init__(memory_params)
        self._tokens = int(memory_params.get("max_tokens") or _TOKENS)
        self._settings = dict(memory_params.get("settings") or {})
        self._folder = tempfile.TemporaryDirectory()
        home = memory_params.get("home") or self._folder.name
        self._memory = memctl.open("agent", home, settings=self._settings)

    def insert(self, trajectory: dict[str, Any]) -> None:
        """Keep one whole trajectory."""
        name, states = str(trajectory["id"]), trajectory.get("states") or []
        with self._memory.store.transaction():
            turns = [self._log(name, state) for state in states]
            done = [str(state["action"]) for state in states if state.get("action")]
            told = [trajectory.get("outcome"), trajectory.get("start_url"), *done]
            self._memory.remember(
                self._clean(trajectory.get("goal")) or name,
                self._clean("\n".join(map(str, filter(None, told)))),
                thread=name,
                turns=turns,
            )

    def query(self, query: str, query_image: str | None = None) -> list[dict[str, str]]:  # noqa: ARG002
        """Return what answers a question, the best first; nothing where nothing is likely to.

        The picture of a question is not looked at.
        """
        found = self._memory.recall(query, max_tokens=self._tokens, record=False)
        return [{"type": "text", "value": _told(row)} for row in found]

    def close(self) -> None:
        """Close the store; a temporary one is removed."""
        self._memory.close()
        self._folder.cleanup()

    def _save_backend(self, output_dir: Path) -> None:
        self._memory.backup(Path(output_dir) / _FILE)

    def _load_backend(self, input_dir: Path) -> None:
        self._memory.close()
        self._memory = memctl.open(Path(input_dir) / _FILE, settings=self._settings)

    def _log(self, trajectory: str, state: dict[str, Any]) -> int:
        tree = state.get("accessibility_tree") or state.get("text") or ""
        thought = state.get("thought") or state.get("thoughts") or ""
        details = "\n".join(part for part in (thought, state.get("url") or "", tree) if part)
        action = state.get("action") or "looked at the page"
        try:
            return self._memory.log(action, "assistant", session=trajectory, details=details)
        except SecretRefusedError:
            action, details = self._clean(action), self._clean(details)
            return self._memory.log(action, "assistant", session=trajectory, details=details)

    def _clean(self, text: str | None) -> str:
        return masked(self._memory.store, text) if text else ""


def _told(row: Row) -> str:
    place = f"{row.thread}, state {row.seq - 1}" if row.seq else str(row.thread)
    return f"[{place}] {row.text}\n{row.details}".rstrip()
