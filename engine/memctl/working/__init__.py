"""Working memory: what is going on now. The journal of the task at hand, sessions, and the context."""
