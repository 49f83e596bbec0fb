"""Grows a store as months of use would: seeded, written in bulk, sound for ``memctl doctor``."""

from benchmarks.reports.growing.store import APP, Size, grow

__all__ = ["APP", "Size", "grow"]
