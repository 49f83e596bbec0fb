"""Runs: one at a time, recorded row by row, resumed, rehearsed and taken back."""
