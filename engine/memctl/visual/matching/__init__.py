"""Finding remembered templates on a screenshot: arrays in, answers out; no files, no store."""

from memctl.visual.matching.find import Located, find, locate
from memctl.visual.matching.findings import Findings, Hit, Miss, Place
from memctl.visual.matching.learnable import is_learnable
from memctl.visual.matching.settings import Settings
from memctl.visual.matching.template import Template

__all__ = [
    "Findings",
    "Hit",
    "Located",
    "Miss",
    "Place",
    "Settings",
    "Template",
    "find",
    "is_learnable",
    "locate",
]
