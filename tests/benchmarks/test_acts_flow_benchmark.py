"""OpenAdapt Flow is shown the deeds of the sample by the steps of their layouts."""

from __future__ import annotations

from benchmarks.acts.flow import SAMPLE, SITUATIONS, beside_flow, rows_for_flow, steps_for_flow
from benchmarks.acts.layouts import LAYOUTS
from benchmarks.acts.situations import base_case, cases_of
from tests.each import each


@each("name", SAMPLE)
def test_flow_can_do_each_step_of_the_sample(name: str) -> None:
    steps = list(steps_for_flow(base_case(LAYOUTS[name])))
    assert {act for act, *_ in steps} <= {"click", "type", "press"}


def test_a_text_is_typed_with_its_parameter() -> None:
    assert list(steps_for_flow(base_case(LAYOUTS["form"])))[:2] == [
        ["click", "#n"],
        ["type", "Mona Dahl", "who"],
    ]


def test_the_click_in_a_row_chooses_its_row() -> None:
    assert rows_for_flow(LAYOUTS["cards"]) == {"step_000": "who"}
    assert rows_for_flow(LAYOUTS["form"]) == {}


@each("name", SAMPLE)
def test_each_layout_of_the_sample_is_met_in_several_situations(name: str) -> None:
    assert sum(case.situation in SITUATIONS for case in cases_of(LAYOUTS[name])) >= 4


def test_nothing_is_installed_where_nothing_of_the_sample_was_run() -> None:
    assert beside_flow(None, [{"layout": "plain", "situation": "same"}]) == {"runs": []}
