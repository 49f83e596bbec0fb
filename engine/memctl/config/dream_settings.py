"""Numbers of the dream's score and gates, in named sets."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from memctl.base.near_words import one_of


@dataclass(frozen=True, slots=True)
class ScoreSet:
    """Every number of the score and its gates; the defaults are memctl's own."""

    # Weights of the six measures.
    relevance: float = 0.30
    frequency: float = 0.24
    diversity: float = 0.15
    recency: float = 0.15
    consolidation: float = 0.10
    richness: float = 0.06
    # Weights of how often Light and REM took a candidate up.
    light: float = 0.0
    rem: float = 0.0
    keep: float = 0.5  # share of the relevance that is the keep score; the rest is signals' scores
    best_rank: float = 3  # lowest place of a recall's hit that counts; 0: any
    cover: float = 0.5  # least share of a recall's words that the candidate has, 0 to 1
    once_a_day: float = 1  # 1: the same question, or a statement, counts once a day
    said: float = 0.5  # worth of a day on which it was stated; of a recall, or a question: 1
    full_count: float = 5  # signals of the whole frequency
    full_questions: float = 3  # questions of the whole diversity
    half_life_days: float = 30  # after which recency is worth half; 0: no fading
    # Gates; a 0 is not asked.
    min_score: float = 0.55
    min_keep: float = 3
    min_signals: float = 2
    min_questions: float = 0  # different ones
    min_days: float = 2  # with a signal
    min_span_days: float = 3  # from the first signal to the last
    max_age_days: float = 0  # since the last signal
    max_boot_overlap: float = 0.6  # share of its words in the boot text, itself not allowed
    standing_orders: float = 1  # 1: "always" and "never" pass the gates of score and amount at once
    limit: float = 10  # promotions of one run


_OPENCLAW = ScoreSet(
    light=0.06,
    rem=0.09,
    keep=0,
    best_rank=0,
    cover=0,
    once_a_day=0,
    said=0,
    full_count=10,
    full_questions=5,
    half_life_days=14,
    min_score=0.75,
    min_keep=0,
    min_signals=3,
    min_questions=3,
    min_days=0,
    min_span_days=0,
    max_age_days=30,
    max_boot_overlap=0,
    standing_orders=0,
)
SCORE_SETS = {
    "memctl": ScoreSet(),
    "openclaw": _OPENCLAW,  # OpenClaw 2026.9
    # Memory Never Forget 4.13 on OpenClaw 2026.4, which counted days as questions.
    "never-forget": replace(_OPENCLAW, said=1, min_score=0.5),
}
"""The sets by name: memctl's own numbers, and those of the systems that it follows."""

_NAMES = tuple(field.name for field in fields(ScoreSet))


def score_set(text: str) -> ScoreSet:
    """Read a set and the numbers that differ from it: ``openclaw min_score=.8``.

    Raises ValueError when there is no such set or number, or a number is below 0.
    """
    name, *given = text.split() or [""]
    if name not in SCORE_SETS:
        raise ValueError(f'there is no profile "{name}": {one_of(name, SCORE_SETS)}')
    changed = {}
    for one in given:
        number, _, value = one.partition("=")
        if number not in _NAMES:
            raise ValueError(f'a profile has no "{number}": {one_of(number, _NAMES)}')
        try:
            changed[number] = float(value)
        except ValueError:
            raise ValueError(
                f'"{value}" is no number: {number}={getattr(SCORE_SETS[name], number)}'
            ) from None
        if not 0 <= changed[number] <= 1e6:  # noqa: PLR2004
            raise ValueError(f"{number} is from 0 to 1,000,000, not {value}")
    return replace(SCORE_SETS[name], **changed)


def wrong_score_set(text: str) -> str:
    """Return the error in a text for `score_set`; empty for none."""
    try:
        score_set(text)
    except ValueError as error:
        return str(error)
    return ""
