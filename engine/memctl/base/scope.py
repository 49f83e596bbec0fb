"""The owners of rows: a scope is set by whoever opens the store, and can only be narrowed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from memctl.base.errors import OutOfScopeError, UsageError
from memctl.base.near_words import one_of

Reach = Literal["all", "session", "long-term"]
_REACHES = ("all", "session", "long-term")
# A session key of an agent host has at least these parts: "agent:<name>:<channel>".
_KEY_PARTS = 3


@dataclass(frozen=True, slots=True)
class Scope:
    """The owners whose rows are read and written."""

    # Only this one's rows; ``""``: the rows of nobody in particular, ``None``: everybody's.
    user: str | None = None
    agent: str | None = None
    # The session that is going on; other sessions' rows are out of reach. ``None``: every session's
    # rows are within reach, and there is none to write to.
    session: str | None = None
    subagent: bool = False  # reads what its parent reads, writes nothing
    # Its rows, and those of none; ``""``: of none alone, ``None``: of all.
    project: str | None = None

    @classmethod
    def of_session_key(cls, key: str, *, user: str | None = None) -> Scope:
        """Read the scope out of a host's session key.

        ``agent:main:...`` is the main agent, ``agent:<name>:...`` another one with facts
        of its own, ``...:subagent:<id>`` a subagent of the agent that is named.
        """
        parts = key.split(":")
        if parts[0] != "agent" or len(parts) < _KEY_PARTS or not parts[1]:
            raise UsageError(
                f'"{key}" is no session key', hint='a key reads "agent:<name>:<channel>"'
            )
        agent = "" if parts[1] == "main" else parts[1]
        return cls(user=user, agent=agent, session=key, subagent="subagent" in parts[2:])

    def narrowed(
        self,
        *,
        user: str | None = None,
        agent: str | None = None,
        session: str | None = None,
        project: str | None = None,
    ) -> Scope:
        """Return this scope for one user, agent, ...; raise OutOfScopeError where it is another's."""
        if user is agent is session is project is None:
            return self
        return replace(
            self,
            user=_narrower(self.user, user, "user"),
            agent=_narrower(self.agent, agent, "agent"),
            session=_narrower(self.session, session, "session"),
            project=_narrower(self.project, project, "project"),
        )

    def reading(self, reach: Reach = "all") -> dict[str, str | None]:
        """Return the parameters that bind a query to this scope.

        Raises
        ------
        UsageError
            When `reach` is unknown, or is the session and none is open.
        """
        if reach not in _REACHES:
            raise UsageError(f'scope "{reach}" is unknown', hint=one_of(reach, _REACHES))
        if reach == "session":
            self._open_session()
        return {
            "scope_user": self.user,
            "scope_agent": self.agent,
            "scope_project": self.project,
            "scope_session": self.session,
            "scope_reach": reach,
        }

    @property
    def owner(self) -> dict[str, str]:
        """The owner columns of a new row."""
        return {
            "user_id": self.user or "",
            "agent_id": self.agent or "",
            "project": self.project or "",
        }

    def writing(self, *, long_term: bool) -> Mapping[str, str]:
        """Return the owner columns of a new fact.

        Raises
        ------
        UsageError
            When it belongs to a session and none is open.
        """
        return {**self.owner, "session_id": "" if long_term else self._open_session()}

    @property
    def sees_all(self) -> bool:
        """True where no fact is out of reach, whoever's it is or was."""
        return not self.narrows and self.session is None

    @property
    def narrows(self) -> bool:
        """True where rows of some owners are out of reach."""
        return not (self.user is None and self.agent is None and self.project is None)

    @property
    def actor(self) -> str:
        """The name of the one who acts, as history records it."""
        return self.agent or self.user or "main"

    def _open_session(self) -> str:
        if not self.session:
            raise UsageError(
                "no session is open", hint="open the store with a session, or use long-term memory"
            )
        return self.session


def _narrower(own: str | None, asked: str | None, what: str) -> str | None:
    if asked is None or asked == own:
        return own
    if own is None:
        return asked
    raise OutOfScopeError(
        f"this store was opened for another {what}", hint=f"leave {what}_id out, or open it anew"
    )
