"""The rules that decide whether a text holds a secret."""

from __future__ import annotations

from memctl.guard.rules.custom import CustomRule
from memctl.guard.rules.search import find_secret, mask_secrets

__all__ = ["CustomRule", "find_secret", "mask_secrets"]
