"""Settings of the dream: a profile, and thresholds that override its own."""

from __future__ import annotations

from memctl.config.setting import Setting

__all__ = ["DREAM_SETTINGS"]

_OWN = "; -1: the profile's own."
_NUMBERS = (
    ("min_score", -1.0, 1, "Least score of a candidate that is promoted"),
    ("min_recalls", -1, 1_000, "Least recalls; with OpenClaw's formula, signals of any kind"),
    ("min_queries", -1, 1_000, "Least different questions; 0: not asked"),
    (
        "half_life_days",
        -1.0,
        100_000,
        "Days after which the last signal is worth half; 0: no fading",
    ),
    ("max_age_days", -1, 100_000, "Most days since the last signal; 0: not asked"),
    ("limit", -1, 100_000, "Promotions of one run"),
    ("min_statements", -1, 1_000, "Least days on which a candidate was stated that nobody recalls"),
    ("min_keep_recalled", -1.0, 100, "Least keep score of a candidate that was recalled"),
    ("min_keep_restated", -1.0, 100, "Least keep score of a candidate that was only restated"),
    ("min_days_often", -1, 10**6, "Days on which a candidate was stated, to be said often"),
    ("min_keep_often", -1.0, 100, "Least keep score of a candidate that was said often"),
    ("min_span_days", -1, 100_000, "Least days from a candidate's first to its last signal"),
    ("max_boot_overlap", -1.0, 1, "Share of its words that boot files may hold; 0: not asked"),
)
DREAM_SETTINGS = (
    Setting(
        "dream_profile",
        "memctl",
        "Whose formula and thresholds promote candidates to facts.",
        choices=("memctl", "openclaw", "openclaw-0.80", "never-forget"),
    ),
    *(
        Setting(f"dream_{name}", default, f"{purpose}{_OWN}", low=-1, high=high)
        for name, default, high, purpose in _NUMBERS
    ),
    Setting(
        "dream_auto",
        default=True,
        help="Dream in the background when a hook starts a session and a dream is due.",
    ),
    Setting(
        "dream_due_hours",
        24,
        "Hours after a dream until the next one is due.",
        low=0,
        high=10_000,
    ),
    Setting(
        "dream_due_turns",
        20,
        "Turns that no dream has read, so that one is due.",
        low=1,
        high=10**6,
    ),
    Setting(
        "dream_due_facts",
        200,
        "Facts that hold, from which on any turn makes it due.",
        low=1,
        high=10**6,
    ),
    Setting(
        "dream_due_notes",
        50,
        "Days of notes, from which on any turn makes it due.",
        low=1,
        high=10**6,
    ),
    Setting(
        "dream_dense_category",
        5,
        "Facts of one category, from which on an entry of its own is suggested.",
        low=2,
        high=10**6,
    ),
    Setting(
        "dream_alike",
        0.3,
        "Share of their words, by rareness, from which on two wordings speak for each other.",
        low=0.1,
        high=1,
    ),
)
