"""Replays one recorded set of calls against two checkouts and compares their answers."""
