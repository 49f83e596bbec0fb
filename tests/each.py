"""Many cases of one behaviour in one test, where a case needs no fixture of its own.

A test a case costs pytest more than most of these cases do: it is collected by every worker,
set up, reported and taken down.
"""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["each"]


def each(
    names: str | tuple[str, ...], cases: Iterable[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call a test with every case, as ``pytest.mark.parametrize`` would; the first that fails ends it."""
    given = (names,) if isinstance(names, str) else names
    cases = list(cases)
    assert cases, "a test without a case proves nothing"

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        def every(**fixtures: Any) -> None:
            for case in cases:
                values = dict(zip(given, (case,) if len(given) == 1 else case, strict=True))
                try:
                    test(**fixtures, **values)
                except BaseException as error:
                    error.add_note(f"the case: {values!r}")
                    raise

        functools.update_wrapper(every, test)
        vars(every).pop("__wrapped__")  # pytest would look for the fixtures of the test behind it
        signature = inspect.signature(test)
        asked = [one for name, one in signature.parameters.items() if name not in given]
        every.__signature__ = signature.replace(parameters=asked)  # type: ignore[attr-defined]
        return every

    return decorate
