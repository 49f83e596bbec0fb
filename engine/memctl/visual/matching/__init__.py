"""Finding remembered templates on a screenshot: arrays in, answers out; no files, no store."""

from memctl.visual.matching.dirty import Previous
from memctl.visual.matching.features import FEATURE_VERSION, extract, is_current
from memctl.visual.matching.find import Located, find, locate
from memctl.visual.matching.findings import Findings, Hit, Miss, Place, Refusal
from memctl.visual.matching.learnable import is_learnable
from memctl.visual.matching.prepared import TemplateSet
from memctl.visual.matching.settings import DEFAULT, FAST, THOROUGH, Settings
from memctl.visual.matching.template import Template

__all__ = [
    "DEFAULT",
    "FAST",
    "FEATURE_VERSION",
    "THOROUGH",
    "Findings",
    "Hit",
    "Located",
    "Miss",
    "Place",
    "Previous",
    "Refusal",
    "Settings",
    "Template",
    "TemplateSet",
    "extract",
    "find",
    "is_current",
    "is_learnable",
    "locate",
]
