"""The thresholds that decide what counts as a hit, in one place."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Settings"]


@dataclass(frozen=True, slots=True)
class Settings:
    """What a place must show to be a hit.

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
    """

    min_score: float = 0.8
    max_contrast: float = 0.15
    max_colour: float = 12.0
    max_overlap: float = 0.3
