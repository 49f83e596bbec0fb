"""The page that asks: what recall answers, why each row is there, and why another is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.errors import MemctlError, StoreError
from memctl_cli.ui.view import Route, View

if TYPE_CHECKING:
    from starlette.responses import Response

    from memctl.search.recall_results import Row

_PAGES = {"turn": "turns", "episode": "episodes", "fact": "facts", "state": "screens"}


def recall(view: View) -> Response:
    """Show the answer to a question, explained; nothing is recorded of it."""
    question, row = view.asked("q"), view.asked("row")
    answer = why_not = None
    try:
        if question:
            answer = view.memory.recall(question, record=False)
        if question and row:
            why_not = view.memory.why_not(question, row)
    except StoreError:
        raise
    except MemctlError as error:  # a row that is none: the answer stays
        view.error = error

    def link(found: Row) -> str:
        return view.path(_PAGES[found.kind], found.id)

    return view.page(
        "recall.html", question=question, row=row, answer=answer, why_not=why_not, link=link
    )


PAGES = (Route("recall", recall),)
