"""Hooks of hosts: calls of Claude Code, Codex, Cursor and OpenClaw, and their answers.

The events are known before anything else is read: another word behind ``hook`` is a command.
"""

EVENTS = ("prompt", "reply", "tool", "compact", "start", "end")
