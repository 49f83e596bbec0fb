"""Who is asked for: components by template, last places; made once per set."""

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
    """What is known of a list of templates besides their pictures.

    Parameters
    ----------
    components
        Component ids by template id.
    last
        Left and top where each template was last seen, in pixels of the screenshot that is
        searched; the set keeps it up to date.
    unproposed
        The answer for each component that nothing is proposed for.
    """

    components: Mapping[int, int]
    last: dict[int, tuple[int, int]]
    unproposed: Mapping[int, Miss]

    @classmethod
    def of(cls, templates: Sequence[Template]) -> Roster:
        """Index templates of one scale."""
        first: dict[int, int] = {}
        for template in templates:
            first.setdefault(template.component_id, template.template_id)
        return cls(
            {template.template_id: template.component_id for template in templates},
            {t.template_id: t.last for t in templates if t.last is not None},
            {
                component: Miss(key, component, None, None, None, "no candidate")
                for component, key in first.items()
            },
        )
