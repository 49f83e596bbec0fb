"""Records of the procedural memory: a skill, its steps, and how its runs went."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from memctl.scenes.effects import Effects
from memctl.scenes.targets import Target
from memctl.store.results import Result

OUTCOMES = {"done": "confirmed", "failed": "refuted", "uncertain": "uncertain"}
"""How a run ended, by its status: proven, disproven, or neither. A halted one did not act."""


@dataclass(frozen=True, slots=True)
class SkillStep(Result):
    """One act of a skill, and the screen that is expected after it.

    Parameters
    ----------
    action
        ``click``, ``double click``, ``right click``, ``hover``, ``drag``, ``type``, ``key``,
        ``scroll``, ``goto`` or ``read``; of a host's tools the tool's name.
    component_id, target
        The component that is acted on, ``None`` where it was forgotten or none is; what it is
        called. Both may hold names of parameters in braces.
    beside
        What stands in its row, where others look the same.
    detail
        What is typed or pressed, or where to.
    from_state, to_state
        The screen before the act, and after it: ids of states, ``None`` where nobody saw it.
    output
        The name under which the text that stands there is given back; empty for none.
    irreversible
        Whether it cannot be undone.
    mean_ms
        How long it took until the screen was there, in milliseconds; ``None`` where unknown.
    place, onto
        How its target is known on its page, and where a drag is let go; ``None`` by picture alone.
    effects
        What it changed when it was shown.
    page
        The path of the page that it was shown on; empty where nobody saw one.
    tool
        The tool of a host that does it; empty for an act on the screen.
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
    place: Target | None = None
    onto: Target | None = None
    effects: Effects = Effects()  # noqa: RUF009  (frozen)
    page: str = ""
    tool: str = ""

    @property
    def words(self) -> str:
        """The act in words: ``click Delete in the row that says {who}``."""
        detail = None if self.action in {"drag", "scroll"} else self.detail
        if self.place is not None:
            where = self.place.words()
            if self.action in {"type", "key"}:
                return f"{self.action} {detail or ''} in {where}".replace("  ", " ")
            onto = f"onto {self.onto.words()}" if self.onto is not None else None
            return " ".join(part for part in (self.action, where, onto, detail) if part)
        target = self.target
        if target and self.beside:  # of a look-alike named after its row: another row may be meant
            target = target.split("_by_", 1)[0]
        row = f"in the row that says {self.beside}" if self.beside else None
        return " ".join(part for part in (self.tool or self.action, target, row, detail) if part)


@dataclass(frozen=True, slots=True)
class ParameterSpec(Result):
    """What a parameter takes.

    Parameters
    ----------
    kind
        ``text``, ``number``, ``email``, ``date``, ``url`` or ``boolean``.
    description
        What it is, for people.
    required
        Whether a run needs it.
    """

    kind: str = "text"
    description: str = ""
    required: bool = True


@dataclass(frozen=True, slots=True)
class SkillDraft(Result):
    """A skill as it is proposed: what its steps are, and what that is known from.

    Parameters
    ----------
    parameters
        Names with a value that each had.
    specs
        What the parameters take, by name; text where nothing is said.
    verify
        Checks apart from the screen, each with its kind: ``reload``, ``http``, ``sql``, ``command``.
    aliases
        Names under which it is known as well.
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
    specs: Mapping[str, ParameterSpec] = field(default_factory=dict)
    verify: tuple[Mapping[str, Any], ...] = ()
    aliases: tuple[str, ...] = ()
    support: int | None = None
    expected: float | None = None
    p_value: float | None = None
    chance_rate: float | None = None
    sources: tuple[tuple[str, int], ...] = ()
    shown_looks: int | None = None
    shown_seconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill(SkillDraft):
    """A skill of the store: its draft, the decision on it, and the outcome of its runs.

    Parameters
    ----------
    status
        ``draft``, ``active``, ``rejected`` or ``archived``.
    runs, done, stopped
        Runs of it, those that were done, and those that were not or were told to be wrong.
    success
        Wilson's 95 % lower bound of its success rate, 0 to 1; ``None`` before its first run.
    """

    id: str
    status: str
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
class SkillRun(Result):
    """One run of a skill.

    Parameters
    ----------
    status
        ``done``: every effect was seen (confirmed). ``failed``: the app refused, or what had to change
        did not (refuted). ``uncertain``: neither is proven. ``halted``: it stopped before an act.
        ``running``, or ``dropped`` after it was killed.
    step
        The last step that was done; 0 for none.
    params, outputs
        Values that it was given, and that it read.
    predicted
        The chance of success that the twin saw, 0 to 1.
    looks, seconds
        Full looks that it took, and its time.
    feedback
        What a person said of it afterwards: ``right``, ``wrong`` or nothing.
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
    feedback: str | None = None

    @property
    def outcome(self) -> str:
        """``confirmed``, ``refuted`` or ``uncertain``; empty for a run that did not act to its end."""
        return OUTCOMES.get(self.status, "")


@dataclass(frozen=True, slots=True)
class SkillRunStep(Result):
    """One step of a run, as it went.

    Parameters
    ----------
    outcome
        ``done``, ``recovered``, ``failed``, ``uncertain`` or ``halted``.
    why
        Why it stopped, or what was mended.
    look
        What was looked at before it: ``none``, its ``target``, or the ``full`` screen.
    before_png, after_png
        The screen before and after a step that stopped, where a full look was taken.
    proposal
        Where one other thing fits in all but one respect: its ``old`` and ``new`` target, and where
        it is in the picture after it (``at``).
    """

    number: int
    outcome: str
    why: str
    seconds: float
    look: str
    before_png: bytes | None
    after_png: bytes | None
    proposal: Mapping[str, Any] | None = None


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
