"""Finding remembered templates on a screenshot: arrays in, answers out; no files, no store."""

from memctl.visual.matching.features import FEATURE_VERSION, extract, is_current
from memctl.visual.matching.find import find, locate
from memctl.visual.matching.search_result import (
    DEFAULT,
    ComponentHit,
    MatchSettings,
    Miss,
    SearchResult,
    Stopwatch,
)
from memctl.visual.matching.template import Template
from memctl.visual.matching.template_set import TemplateSet

__all__ = [
    "DEFAULT",
    "FEATURE_VERSION",
    "ComponentHit",
    "MatchSettings",
    "Miss",
    "SearchResult",
    "Stopwatch",
    "Template",
    "TemplateSet",
    "extract",
    "find",
    "is_current",
    "locate",
]
