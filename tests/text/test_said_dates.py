from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memctl.text.calendar.said_dates import (
    asks_when,
    closeness,
    days_said,
    find_day_spans,
    tells_time,
)
from tests.each import each

NOW = "2024-05-15T12:00:00Z"  # a Wednesday
YEARS = (2024,)


def days(text: str, years: tuple[int, ...] = YEARS) -> list[tuple[str, str]]:
    return [
        (span.first.isoformat(), span.last.isoformat()) for span in find_day_spans(text, NOW, years)
    ]


ONE_DAY = {
    "on 3 May": "2024-05-03",
    "May 3rd": "2024-05-03",
    "the 3rd of May, 2023": "2023-05-03",
    "the first of May": "2024-05-01",
    "Sept. 5": "2024-09-05",
    "December 1,2023": "2023-12-01",
    "Monday, 6 May 2024": "2024-05-06",
    "3-May-2024": "2024-05-03",
    "12/23": "2024-12-23",
    "3.5.2024": "2024-05-03",
    "23.12.": "2024-12-23",
    "am 23.12. abends": "2024-12-23",
    "2024-05-03": "2024-05-03",
    "2024/05/03": "2024-05-03",
    "2024-05-03T10:00:00Z": "2024-05-03",
    "5/23/2024": "2024-05-23",
    "on Monday": "2024-05-13",
    "on Wednesday": "2024-05-15",
    "last Monday": "2024-05-13",
    "last Wednesday": "2024-05-08",
    "next Friday": "2024-05-17",
    "Monday of last week": "2024-05-06",
    "two days before Christmas": "2024-12-23",
    "the day after tomorrow": "2024-05-17",
    "the day before yesterday": "2024-05-13",
    "the Sunday before October 25, 2022": "2022-10-23",
    "the Friday after Christmas": "2024-12-27",
    "three days ago": "2024-05-12",
    "last night": "2024-05-14",
    "last Christmas": "2023-12-25",
    "Thanksgiving 2023": "2023-11-23",
    "Good Friday": "2024-03-29",
    "New Year's Eve": "2024-12-31",
    "gestern": "2024-05-14",
    "vorgestern": "2024-05-13",
    "heute Morgen": "2024-05-15",
    "letzten Montag": "2024-05-13",
    "am 3. Mai": "2024-05-03",
    "am 3. September 2022": "2022-09-03",
    "zwei Tage vor Weihnachten": "2024-12-23",
    "Mittwoch letzter Woche": "2024-05-08",
    "hier": "2024-05-14",
    "Qui est venu hier soir ?": "2024-05-14",
    "avant-hier": "2024-05-13",
    "aujourd\u2019hui": "2024-05-15",
    "lundi dernier": "2024-05-13",
    "le 14 juillet 2023": "2023-07-14",
    "ayer": "2024-05-14",
    "el 3 de mayo de 2024": "2024-05-03",
    "hace tres días": "2024-05-12",
    "due giorni fa": "2024-05-13",
    "na segunda-feira passada": "2024-05-13",
    "ontem": "2024-05-14",
    "gisteren": "2024-05-14",
    "i förrgår": "2024-05-13",
    "dwa dni temu": "2024-05-13",
    "в прошлый понедельник": "2024-05-13",
    "上周二": "2024-05-07",
    "昨天": "2024-05-14",
    "三天前": "2024-05-12",
    "圣诞节前两天": "2024-12-23",
    "2023年三月五日": "2023-03-05",
    "3月5日": "2024-03-05",
    "先週の火曜日": "2024-05-07",
    "クリスマスの2日前": "2024-12-23",
    "어제": "2024-05-14",
    "지난주 화요일에": "2024-05-07",
    "3월 5일": "2024-03-05",
}
STRETCHES = {
    "last weekend": "2024-05-11 2024-05-12",
    "this past weekend": "2024-05-11 2024-05-12",
    "this weekend": "2024-05-18 2024-05-19",
    "last week": "2024-05-06 2024-05-12",
    "past week": "2024-05-08 2024-05-15",
    "last month": "2024-04-01 2024-04-30",
    "this year": "2024-01-01 2024-12-31",
    "last quarter": "2024-01-01 2024-03-31",
    "in the last 10 days": "2024-05-05 2024-05-15",
    "two weeks ago": "2024-04-28 2024-05-04",
    "the week after Easter": "2024-04-01 2024-04-07",
    "the weekend before Christmas": "2024-12-21 2024-12-22",
    "last weekend before April 10, 2023": "2023-04-08 2023-04-09",
    "from 3 to 9 May": "2024-05-03 2024-05-09",
    "May 3-9": "2024-05-03 2024-05-09",
    "between March and May 2024": "2024-03-01 2024-05-31",
    "December to February 2024": "2023-12-01 2024-02-29",
    "between August 11 and August 15 2023": "2023-08-11 2023-08-15",
    "vom 23.12.2023 bis 3.1.2024": "2023-12-23 2024-01-03",
    "July 4 \u2013 August 2": "2024-07-04 2024-08-02",
    "in 2019\u20132021": "2019-01-01 2021-12-31",
    "Monday to Friday": "2024-05-13 2024-05-17",
    "since March": "2024-03-01 2024-05-15",
    "in may": "2024-05-01 2024-05-31",
    "mid-May": "2024-05-01 2024-05-31",
    "last May": "2023-05-01 2023-05-31",
    "March last year": "2023-03-01 2023-03-31",
    "in summer 2023": "2023-06-01 2023-08-31",
    "spring": "2024-03-01 2024-05-31",
    "last fall": "2023-09-01 2023-11-30",
    "Q3 2024": "2024-07-01 2024-09-30",
    "the third quarter of 2023": "2023-07-01 2023-09-30",
    "in 2023": "2023-01-01 2023-12-31",
    "the 2024 trip": "2024-01-01 2024-12-31",
    "2024-05": "2024-05-01 2024-05-31",
    "vor zwei Wochen": "2024-04-28 2024-05-04",
    "la semaine dernière": "2024-05-06 2024-05-12",
    "il y a deux semaines": "2024-04-28 2024-05-04",
    "le week-end dernier": "2024-05-11 2024-05-12",
    "la semana pasada": "2024-05-06 2024-05-12",
    "las últimas dos semanas": "2024-05-01 2024-05-15",
    "w zeszłym tygodniu": "2024-05-06 2024-05-12",
    "för två veckor sedan": "2024-04-28 2024-05-04",
    "两周前": "2024-04-28 2024-05-04",
    "去年3月": "2023-03-01 2023-03-31",
    "先週": "2024-05-06 2024-05-12",
    "작년": "2023-01-01 2023-12-31",
}


@each(("text", "day"), ONE_DAY.items())
def test_a_named_day_is_read(text: str, day: str) -> None:
    assert days(text) == [(day, day)]


@each(("text", "stretch"), STRETCHES.items())
def test_a_named_stretch_is_read(text: str, stretch: str) -> None:
    first, last = stretch.split()
    assert days(text) == [(first, last)]


@each(
    "text",
    [
        "What may happen on the second try with version 3.11.2?",
        "they march on", "the sun", "I saw the Sun", "1.5 GB", "10/10", "24/7", "192.168.1.10",
        "it costs 12.50", "$2000", "Python 3.11.", "9 to 5", "1-2-3", "2-3 weeks", "10:30",
        "30 February", "31.4.2024", "2026-13-45", "99999", "0000-01-01", "v2024.5.3",
        "http://x.org/2024/05/03/a", "500 of 2000 words", "this may help", "Has May called April?",
        "the fall of Rome", "Spring Boot", "every Monday", "jeden Montag", "in a day",
        "Wer ist hier?", "mars is a planet", "guten Morgen", "por la mañana", "", "\0",
    ],
)  # fmt: skip
def test_what_is_no_date_names_nothing(text: str) -> None:
    assert days(text) == []


def test_a_doubtful_order_of_day_and_month_has_both_readings() -> None:
    assert days("5/3/2024") == [("2024-03-05",) * 2, ("2024-05-03",) * 2]


def test_a_date_without_a_year_is_of_each_of_the_years() -> None:
    assert [first for first, _ in days("on 29 February", (2022, 2023, 2024))] == ["2024-02-29"]
    assert [first for first, _ in days("in March", (2022, 2024))] == ["2022-03-01", "2024-03-01"]


def test_the_words_are_where_the_text_has_them() -> None:
    (span,) = find_day_spans("Who rang two days before Christmas?", NOW, YEARS)
    assert (span.words, span.start, span.end) == ("two days before Christmas", 9, 34)


@each(("text", "from_now"), [("yesterday", True), ("on Monday", True), ("3 May", False)])
def test_days_counted_from_now_are_told_from_dates(text: str, from_now: bool) -> None:
    assert [span.from_now for span in find_day_spans(text, NOW, YEARS)] == [from_now]


@each(
    ("text", "firsts"),
    [
        ("We met yesterday", ["2024-01-01"]),
        ("on 30 December", ["2023-12-30"]),
        ("on 3 January", ["2024-01-03"]),
        ("see you on Friday", ["2023-12-29", "2024-01-05"]),
        ("next Friday", ["2024-01-05"]),
    ],
)
def test_a_stored_text_is_read_from_the_time_it_was_said(text: str, firsts: list[str]) -> None:
    said = days_said(text, "2024-01-02T09:00:00Z")
    assert [span.first.isoformat() for span in said] == firsts


def test_a_long_text_is_read_sentence_by_sentence() -> None:
    text = "Nothing happened here at all. " * 10 + "It rained on 3 May 2024.\nThen on 5 May 2024."
    spans = days_said(text, NOW)
    assert [text[span.start : span.end] for span in spans] == ["3 May 2024", "5 May 2024"]


_PIECES = st.sampled_from(
    [
        *ONE_DAY,
        *STRETCHES,
        "last",
        "before",
        "ago",
        "5/3",
        "99999 days ago",
        ".",
        "\n",
        "of",
        "and",
        "between",
        "from",
        "to",
        "since",
        "until",
        "1990",
        "3",
        "the",
        "it",
        "was",
        "-",
        ",",
        "vor",
    ]
)


@given(
    st.one_of(st.text(max_size=80), st.lists(_PIECES, max_size=6).map(" ".join)),
    st.dates().map(str),
)
def test_any_text_is_read_without_an_error(text: str, now: str) -> None:
    for span in [*find_day_spans(text, now, (1, 2024, 9999)), *days_said(text, now)]:
        assert text[span.start : span.end] == span.words != ""
        assert span.first <= span.last


def test_closeness_is_whole_inside_fades_after_and_is_little_before() -> None:
    spans = find_day_spans("8 May 2023", NOW, YEARS)
    near = [closeness(f"2023-05-{day:02}", spans) for day in (4, 5, 7, 8, 9, 13, 18, 19)]
    assert near == [0.0, 0.3, 0.3, 1.0, 0.9, 0.5, 0.0, 0.0]


@each(
    ("text", "tells"),
    [
        *((text, True) for text in ("last Tuesday", "in 2023", "two weeks", "vorgestern", "昨日行った", "3月", "上周二")),
        *((text, False) for text in ("a ferry", "may I", "12345", "松鼠", "私は犬が好き", "what time?")),
    ],
)  # fmt: skip
def test_expressions_of_time_are_known(text: str, tells: bool) -> None:
    assert tells_time(text) is tells


@each(
    "question",
    ["When was it?", "what year", "How long did it take", "Wann war das?", "いつ行った", "언제"],
)
def test_questions_for_a_time_are_known(question: str) -> None:
    assert asks_when(question)
