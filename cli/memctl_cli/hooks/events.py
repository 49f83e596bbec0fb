"""Events of hooks, known before anything else is read: what else calls ``hook`` is a command."""

EVENTS = ("prompt", "reply", "tool", "compact", "start", "end")
