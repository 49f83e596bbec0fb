"""Events of hooks, known before anything else is read: what else calls ``hook`` is a command."""

__all__ = ["EVENTS"]

EVENTS = ("prompt", "reply", "tool", "compact", "start", "end")
