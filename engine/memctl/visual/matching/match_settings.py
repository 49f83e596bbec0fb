"""The thresholds of a hit, and the effort of the search."""

from __future__ import annotations

from dataclasses import dataclass, replace

__all__ = ["DEFAULT", "FAST", "THOROUGH", "MatchSettings"]


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """The thresholds that a place must reach to be a hit, and the effort of the search.

    Parameters
    ----------
    min_score
        Least normalised cross-correlation (``TM_CCOEFF_NORMED``), -1 to 1.
    identity
        Whether labels are compared stroke by stroke before a place is given out.
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
    max_shade
        Largest difference of the means of two such patches, in gray levels.
    min_estimate
        Least correlation over the template's probe pixels that is worth an exact crop.
    strides
        Pixels that a proposed place may be off, in each direction.
    coarse
        Templates of straight lines that are correlated with a half-size copy of the
        screenshot, in one frame; others wait their turn and are counted.
    audit
        Tiles of the screen, a 256th of it each, that are searched by brute force for
        a template that was not found.
    max_candidates
        Places proposed for one screenshot; more are dropped and counted.
    resized_contrast, resized_colour
        ``max_contrast`` and ``max_colour`` for templates that were learned at another scale
        than the screenshot's: text of another size is drawn with other strokes.
    """

    min_score: float = 0.8
    identity: bool = True
    max_contrast: float = 0.15
    max_colour: float = 12.0
    max_overlap: float = 0.3
    anchors: int = 3
    likeness: float = 0.88
    max_shade: float = 16.0
    min_estimate: float = 0.72
    strides: int = 1
    coarse: int = 0
    audit: int = 1
    max_candidates: int = 400_000
    resized_contrast: float = 0.35
    resized_colour: float = 20.0

    @property
    def relaxed(self) -> MatchSettings:
        """The same effort with the bounds for resized screenshots."""
        return replace(self, max_contrast=self.resized_contrast, max_colour=self.resized_colour)

    @property
    def for_resized(self) -> MatchSettings:
        """More effort too: in a resized copy nothing is exactly equal."""
        if not self.anchors:
            return self.relaxed
        wide = replace(self.relaxed, likeness=min(self.likeness, 0.75), strides=2)
        return replace(wide, anchors=max(self.anchors, 8), min_estimate=0.6)


DEFAULT = MatchSettings()
FAST = MatchSettings(anchors=0, audit=0)
THOROUGH = MatchSettings(anchors=6, likeness=0.8, min_estimate=0.65, coarse=24, audit=4)
