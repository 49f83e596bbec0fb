from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.search.dates import asks_when, closeness, find_spans, has_time

NOW = "2026-11-20T12:00:00Z"  # a Friday
YEARS = (2024, 2025, 2026)


def days(question: str) -> list[tuple[str, str]]:
    spans = find_spans(question, NOW, YEARS)
    return [(span.first.isoformat(), span.last.isoformat()) for span in spans]


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("on 8 May 2023", "2023-05-08", "2023-05-08"),
        ("May 8th, 2023?", "2023-05-08", "2023-05-08"),
        ("the 8th of May, 2023", "2023-05-08", "2023-05-08"),
        ("2023-05-08", "2023-05-08", "2023-05-08"),
        ("in December 2023", "2023-12-01", "2023-12-31"),
        ("in 2023", "2023-01-01", "2023-12-31"),
        ("2023年5月8日に", "2023-05-08", "2023-05-08"),
        ("2023년 5월", "2023-05-01", "2023-05-31"),
        ("yesterday", "2026-11-19", "2026-11-19"),
        ("昨天", "2026-11-19", "2026-11-19"),
        ("today", "2026-11-20", "2026-11-20"),
        ("last Friday", "2026-11-13", "2026-11-13"),
        ("last Monday", "2026-11-16", "2026-11-16"),
        ("last week", "2026-11-09", "2026-11-15"),
        ("this week", "2026-11-16", "2026-11-22"),
        ("last month", "2026-10-01", "2026-10-31"),
        ("last year", "2025-01-01", "2025-12-31"),
        ("two weeks ago", "2026-11-03", "2026-11-09"),
    ],
)
def test_a_named_day_is_understood(question: str, first: str, last: str) -> None:
    assert days(question) == [(first, last)]


def test_a_month_without_a_year_may_be_of_any_of_the_years() -> None:
    assert [first for first, _ in days("What happened in March?")] == [
        "2024-03-01",
        "2025-03-01",
        "2026-03-01",
    ]


@pytest.mark.parametrize("question", ["30 February 2026", "2026-13-45", "may I?", "march on", ""])
def test_what_is_no_date_names_nothing(question: str) -> None:
    assert [span for span in days(question) if span[0] != "2026-01-01"] == []


@given(st.text(max_size=60))
def test_any_text_is_searched_without_an_error(text: str) -> None:
    find_spans(text, NOW, YEARS)


@pytest.mark.parametrize("question", ["yesterday", "last Friday", "last week", "昨天"])
def test_before_the_first_day_there_is_no_date(question: str) -> None:
    assert list(find_spans(question, "0001-01-01T00:00:00Z", YEARS)) == []


@given(st.integers(0, 99_999), st.sampled_from(["day", "week", "month", "year"]))
def test_however_long_ago_is_no_error(count: int, unit: str) -> None:
    for span in find_spans(f"{count} {unit}s ago", NOW, YEARS):
        assert span.first <= span.last


def test_closeness_is_whole_inside_fades_after_and_is_little_before() -> None:
    spans = find_spans("8 May 2023", NOW, YEARS)
    near = [closeness(date(2023, 5, day), spans) for day in (4, 5, 7, 8, 9, 13, 18, 19)]
    assert near == [0.0, 0.3, 0.3, 1.0, 0.9, 0.5, 0.0, 0.0]


@pytest.mark.parametrize(
    "question",
    ["When was it?", "what year", "How long did it take", "いつ行った", "언제", "什么时候"],
)
def test_questions_for_a_time_are_known(question: str) -> None:
    assert asks_when(question)


@pytest.mark.parametrize("text", ["last Tuesday", "in 2023", "two weeks", "昨日行った", "3月"])
def test_expressions_of_time_are_known(text: str) -> None:
    assert has_time(text)


@pytest.mark.parametrize("text", ["a ferry", "may I", "12345", "松鼠"])
def test_other_texts_tell_no_time(text: str) -> None:
    assert not has_time(text)
