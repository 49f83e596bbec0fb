"""Who is asked for: templates by id, looks by component, last places; made once per set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.visual.matching.findings import Miss

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memctl.visual.matching.template import Template

__all__ = ["Roster"]


@dataclass(frozen=True, eq=False)
class Roster:
    """Indices of a list of templates.

    Parameters
    ----------
    by_id
        Templates by their id.
    looks
        The templates of each component, by component id, in the order given.
    last
        Left and top where each template was last seen, in pixels of the screenshot that is
        searched.
    unproposed
        The answer for each component that nothing is proposed for.
    """

    by_id: Mapping[int, Template]
    looks: Mapping[int, Sequence[Template]]
    last: Mapping[int, tuple[int, int]]
    unproposed: Mapping[int, Miss]

    @classmethod
    def of(cls, templates: Sequence[Template]) -> Roster:
        """Index templates of one scale."""
        looks: dict[int, list[Template]] = {}
        for template in templates:
            looks.setdefault(template.component_id, []).append(template)
        return cls(
            {template.template_id: template for template in templates},
            looks,
            {t.template_id: t.last for t in templates if t.last is not None},
            {
                key: Miss(some[0].template_id, key, None, None, None, "no candidate")
                for key, some in looks.items()
            },
        )
