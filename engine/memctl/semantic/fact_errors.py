"""What the facts refuse, under the codes that agents of the mem0 tools know.

::

    UsageError
    ├── MissingFactsError            exit 2   missing_facts
    ├── MissingParamError            exit 2   missing_param
    ├── MixedBatchError              exit 2   mixed_batch
    └── FilterError                  exit 2   bad_filter
    RefusedError
    ├── ConfirmationRequiredError    exit 3   confirmation_required
    ├── ImmutableFactError           exit 3   immutable
    ├── AllNoiseError                exit 3   all_noise
    ├── RecalledTextError            exit 3   recalled_text
    └── OutOfScopeError              exit 3   out_of_scope
"""

from __future__ import annotations

from memctl.base.errors import RefusedError, UsageError
from memctl.base.scope import OutOfScopeError

__all__ = [
    "AllNoiseError",
    "ConfirmationRequiredError",
    "FilterError",
    "ImmutableFactError",
    "MissingFactsError",
    "MissingParamError",
    "MixedBatchError",
    "OutOfScopeError",
    "RecalledTextError",
]


class MissingFactsError(UsageError):
    """Neither facts nor a text."""

    code = "missing_facts"


class MissingParamError(UsageError):
    """Neither an id nor a query."""

    code = "missing_param"


class MixedBatchError(UsageError):
    """Facts of several categories in one batch."""

    code = "mixed_batch"


class FilterError(UsageError):
    """A filter that cannot be read: an unknown field or operator, a bad value."""

    code = "bad_filter"


class ConfirmationRequiredError(RefusedError):
    """Deleting everything without saying so."""

    code = "confirmation_required"


class ImmutableFactError(RefusedError):
    """A change to a fact that refuses to be changed."""

    code = "immutable"


class AllNoiseError(RefusedError):
    """Not one text of the batch is worth keeping."""

    code = "all_noise"


class RecalledTextError(RefusedError):
    """Recalled text, offered back as if it were new."""

    code = "recalled_text"
