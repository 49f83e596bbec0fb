"""Known components in another look: hovered, disabled, in another theme."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from memctl.store import statements
from memctl.visual.boxes import Box
from memctl.visual.graph.naming import folded
from memctl.visual.graph.similarity import Thing
from memctl.visual.learning.recognising import components_of
from memctl.visual.matching import Hit

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence

    from memctl.store.store import Store
    from memctl.visual.learning.identification import Atlas
    from memctl.visual.learning.looking import Look
    from memctl.visual.match_results import Learned
    from memctl.visual.reading.sifting import Candidate

__all__ = ["new_looks", "with_looks"]

COMPONENTS = statements.load("store/component")


def new_looks(
    store: Store,
    atlas: Atlas,
    look: Look,
    new: Sequence[Candidate],
    recognised: tuple[str, float] | None,
    page: str | None,
) -> dict[int, Candidate]:
    """Return the new boxes that are known components in another look (hover, theme, disabled).

    On a screen that is known, by its state or by the name that the caller gave its page, a
    box with the label, the type and the place of a component that is missing there is that
    component. Anywhere else an equal label proves nothing.
    """
    missing = set(look.misses)
    if recognised is not None:
        missing &= components_of(atlas, look, recognised[0])
    elif page is not None:
        missing &= {row["id"] for row in store.rows(COMPONENTS.learned_on, {"page": page})}
    else:
        return {}
    wanted = [row for row in store.rows(COMPONENTS.living) if row["id"] in missing and row["label"]]
    labelled: dict[str, list[Candidate]] = {}
    for candidate in new:
        labelled.setdefault(folded(candidate.label or ""), []).append(candidate)
    looks: dict[int, Candidate] = {}
    for row in wanted:
        for candidate in labelled.get(folded(row["label"]), ()):
            if _same_thing(row, candidate, look):
                looks.setdefault(row["id"], candidate)
    # One box cannot be the new look of two components.
    claims = Counter(looks.values())
    return {key: one for key, one in looks.items() if claims[one] == 1}


def _same_thing(row: sqlite3.Row, candidate: Candidate, look: Look) -> bool:
    sides = (round(row[key] / row["scale"]) for key in ("rel_x", "rel_y", "w", "h"))
    known = Thing(Box(*sides), folded(row["label"]), row["type"])
    box = look.at_scale_one(candidate.box)
    return Thing(box, folded(candidate.label or ""), candidate.kind).renews(known)


def with_looks(look: Look, looks: Mapping[int, Candidate], added: Sequence[Learned]) -> Look:
    """Return the look with the new looks among what was found."""
    hits, misses = dict(look.hits), dict(look.misses)
    for learned in added:
        box = looks[learned.component_id].box
        hits[learned.component_id] = Hit(
            learned.template_id, learned.component_id, box, 1.0, identical=True, how="learned"
        )
        del misses[learned.component_id]
    return replace(look, hits=hits, misses=misses)
