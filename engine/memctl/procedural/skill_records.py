"""Records of the procedural memory: a skill, its steps, and how its runs went."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Skill", "SkillDraft", "SkillRun", "SkillRunStep", "SkillStep", "WatchedStep"]


@dataclass(frozen=True, slots=True)
class SkillStep:
    """One act of a skill, and the screen that is expected after it.

    Parameters
    ----------
    action
        ``click``, ``double click``, ``right click``, ``hover``, ``drag``, ``type``, ``key``,
        ``scroll``, ``goto`` or ``read``; of a host's tools the tool's name.
    component_id, target
        The component that is acted on, ``None`` where it was forgotten or none is; what it was
        called.
    beside
        What stands in its row, where others look the same; may hold a parameter.
    detail
        What is typed or pressed, or where to; ``{name}`` stands for a parameter.
    from_state, to_state
        The screen before the act, and after it: ids of states, ``None`` where nobody saw it.
    output
        The name under which the text that stands there is given back; empty for none.
    irreversible
        Whether it cannot be undone.
    mean_ms
        How long it took until the screen was there, in milliseconds; ``None`` where unknown.
    appearing, vanishing
        Components that came with it, and that went with it, when it was shown: what proves that it
        led where it leads.
    """

    number: int
    action: str
    component_id: int | None = None
    target: str | None = None
    beside: str | None = None
    detail: str | None = None
    from_state: str | None = None
    to_state: str | None = None
    output: str | None = None
    irreversible: bool = False
    mean_ms: float | None = None
    appearing: tuple[int, ...] = ()
    vanishing: tuple[int, ...] = ()

    @property
    def words(self) -> str:
        """The act in words: ``click Delete beside {who}``."""
        target, beside, detail = self.target, self.beside, self.detail
        if target and beside:  # of a look-alike named after its row: another row may be meant
            target = target.split("_by_", 1)[0]
        parts = (self.action, target, f"beside {beside}" if beside else None, detail)
        return " ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class SkillDraft:
    """A skill as it is proposed: what its steps are, and what that is known from.

    Parameters
    ----------
    parameters
        Names with a value that each had.
    support, expected, p_value, chance_rate
        Of a mined one: sequences that hold it, how many would by chance, the chance of that many,
        and the drafts that the same miner finds in a shuffled log.
    sources
        Kinds (``transition``, ``act``, ``tool call``) and ids of the rows that it is known from.
    shown_looks, shown_seconds
        Of a recorded one: full looks of its demonstration, and the seconds of the app and the looks,
        without what the person took.
    """

    name: str
    steps: tuple[SkillStep, ...]
    description: str = ""
    origin: str = "recorded"
    url: str | None = None
    triggers: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    parameters: Mapping[str, str] = field(default_factory=dict)
    support: int | None = None
    expected: float | None = None
    p_value: float | None = None
    chance_rate: float | None = None
    sources: tuple[tuple[str, int], ...] = ()
    shown_looks: int | None = None
    shown_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill of the store, with the record of its runs.

    Parameters
    ----------
    status
        ``draft``, ``active``, ``rejected`` or ``archived``.
    runs, done, stopped
        Runs of it, those that reached the end, and those that halted or failed.
    success
        Wilson's 95 % lower bound of its success rate, 0 to 1; ``None`` before its first run.
    """

    id: str
    name: str
    description: str
    status: str
    origin: str
    url: str | None
    triggers: tuple[str, ...]
    facts: tuple[str, ...]
    steps: tuple[SkillStep, ...]
    parameters: Mapping[str, str]
    support: int | None
    expected: float | None
    p_value: float | None
    chance_rate: float | None
    sources: tuple[tuple[str, int], ...]
    shown_looks: int | None
    shown_seconds: float | None
    why: str
    created_at: str
    decided_at: str | None
    runs: int
    done: int
    stopped: int
    success: float | None
    last_run_at: str | None

    @property
    def archived_at(self) -> str | None:
        """When it was put away or rejected; ``None`` for a living one."""
        return self.decided_at if self.status in {"rejected", "archived"} else None


@dataclass(frozen=True, slots=True)
class SkillRun:
    """One run of a skill.

    Parameters
    ----------
    status
        ``running``, ``done``, ``halted``, ``failed`` or ``dropped``.
    step
        The last step that was done; 0 for none.
    params, outputs
        Values that it was given, and that it read.
    predicted
        The chance of success that the twin saw, 0 to 1.
    looks, seconds
        Full looks that it took, and its time.
    """

    id: int
    skill_id: str
    status: str
    step: int
    params: Mapping[str, str]
    outputs: Mapping[str, str]
    predicted: float | None
    why: str
    looks: int
    seconds: float
    started_at: str
    ended_at: str | None


@dataclass(frozen=True, slots=True)
class SkillRunStep:
    """One step of a run, as it went.

    Parameters
    ----------
    outcome
        ``done``, ``recovered``, ``halted`` or ``failed``.
    why
        Why it stopped, or what was mended.
    look
        What was looked at before it: ``none``, its ``target``, or the ``full`` screen.
    before_png, after_png
        The screen before and after a step that stopped, where a full look was taken.
    """

    number: int
    outcome: str
    why: str
    seconds: float
    look: str
    before_png: bytes | None
    after_png: bytes | None


@dataclass(frozen=True, slots=True)
class WatchedStep:
    """One step of a run as who watches it sees it; nothing of this is kept.

    Parameters
    ----------
    words
        What was done, with the values of the run; those that are secret stay names in braces.
    outcome, why, seconds
        As `SkillRunStep` has them.
    png
        The screen just before the act, or where the step halted.
    x, y
        Where it acted, in pixels of the picture; ``None`` where it needed no place, or found none.
    """

    number: int
    words: str
    outcome: str
    why: str
    seconds: float
    png: bytes
    x: float | None = None
    y: float | None = None
