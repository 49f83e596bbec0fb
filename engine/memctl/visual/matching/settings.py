"""The thresholds that decide what counts as a hit and how hard it is looked for."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["DEFAULT", "FAST", "THOROUGH", "Settings"]


@dataclass(frozen=True, slots=True)
class Settings:
    """What a place must show to be a hit, and the effort of the search.

    Parameters
    ----------
    min_score
        Least normalised cross-correlation (``TM_CCOEFF_NORMED``), -1 to 1.
    max_contrast
        Largest ``|ln(std on the screen / std of the template)|`` of the gray values.
        Correlation is blind to contrast: a pale button correlates perfectly with a bold one.
    max_colour
        Largest difference of the mean of any colour channel, in gray levels (0-255).
        Correlation is blind to brightness and hue as well.
    max_overlap
        Two places of one template whose boxes share more than this (intersection over
        union) are one place; the better one stays. Pixel-identical places all stay.
    anchors
        Keypoints of a template that are compared with the screen's; 0 leaves only the exact
        stages, 12 is all that are stored.
    likeness
        Least correlation of two keypoints' patches that proposes a place, -1 to 1.
    min_estimate
        Least correlation over the template's probe pixels that is worth an exact look.
    tries
        Places of one template that are looked at exactly in the fuzzy stage.
    max_candidates
        Places proposed for one screenshot; more are dropped and counted.
    """

    min_score: float = 0.8
    max_contrast: float = 0.15
    max_colour: float = 12.0
    max_overlap: float = 0.3
    anchors: int = 3
    likeness: float = 0.88
    min_estimate: float = 0.72
    tries: int = 4
    max_candidates: int = 400_000


DEFAULT = Settings()
FAST = Settings(anchors=0)
THOROUGH = Settings(anchors=8, likeness=0.75, min_estimate=0.65, tries=8)
