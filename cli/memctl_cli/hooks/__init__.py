"""Hooks of hosts: what Claude Code, Codex, Cursor and OpenClaw tell, and what they are answered."""
