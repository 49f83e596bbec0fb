"""Screens of real apps, learned once and met again."""
