"""Lists of codes below a heading: what opens an account when the telephone is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.guard.rules.hit import Hit
from memctl.guard.rules.sayings import Saying
from memctl.guard.rules.signs import Signs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.guard.rules.text_view import TextView

__all__ = ["ROW_SIGNS", "row_hits"]

ROW_SIGNS = Signs((
    "codes", "códigos", "codici", "коды", "备用", "恢复", "备份", "備用", "コード", "코드",
))  # fmt: skip
_RULE = "one-time-code"
_FEWEST = 2  # rows
_LONGEST = 600  # characters of a list
_HEADING = Saying(r"<backup-codes>[^\d\n]{0,60}\n{1,2}")
_CODE = r"(?:\d{4}[ \t]\d{4}|\d{3}[ -]\d{3}|\d{6,10}|[A-Za-z0-9]{4,6}(?:-[A-Za-z0-9]{4,6}){1,3}|(?=[a-z]*\d)[a-z0-9]{8,12})"
_ROW = Pattern(
    rf"[ \t>*•-]{{0,6}}(?:\d{{1,2}}[.):]\s{{0,2}})?({_CODE}(?:[ \t,;|]{{1,4}}{_CODE}){{0,4}})[ \t]{{0,4}}(?:\n|$)"
)


def row_hits(view: TextView) -> Iterator[Hit]:
    """Yield the rows of codes below a heading that says that they are codes for an emergency."""
    text = view.text
    if "\n" not in text:
        return
    for heading in _HEADING.finditer(text):
        at, rows = heading.end(), []
        while at - heading.end() < _LONGEST and (row := _ROW.match(text, at)) is not None:
            rows.append(row)
            at = row.end()
        if len(rows) >= _FEWEST and any(map(str.isdigit, rows[0][1])):
            yield Hit(_RULE, rows[0].start(1), rows[-1].end(1))
