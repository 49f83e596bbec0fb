"""A summary is the most telling sentences of a thread; its tags are what it is about."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memctl.consolidation.summarising import concept_tags, summary_of, tags_of
from tests.each import each

THREAD = [
    "Hello there!",
    "The ferry to Bornholm leaves at nine from the old pier.",
    "We had soup.",
    "Ann books the ferry to Bornholm for Friday.",
    "The weather was fine all day long.",
]


def test_what_is_spoken_of_most_is_told_in_its_order() -> None:
    assert summary_of(THREAD, most=60) == "Ann books the ferry to Bornholm for Friday."
    found = summary_of(THREAD, most=150)
    places = [found.index(sentence) for sentence in THREAD if sentence in found]
    assert len(places) > 1
    assert places == sorted(places)


def test_a_thread_of_small_talk_has_no_summary() -> None:
    assert not summary_of(["Hi!", "Oh, ok", "..."], most=100)


def test_the_same_words_in_another_sentence_add_nothing() -> None:
    twice = [
        "The launch of Falcon is on Monday.",
        "The launch of Falcon is on Monday.",
        "Ann flies to Rome soon.",
    ]
    assert "Rome" in summary_of(twice, most=70)


def test_tags_are_what_most_texts_share() -> None:
    assert tags_of(["Falcon launches", "Falcon slips", "Ann sails"], most=1) == ["falcon"]


@given(st.lists(st.text(max_size=60), max_size=12), st.integers(20, 120))
def test_a_summary_keeps_its_length_whatever_was_said(sentences: list[str], most: int) -> None:
    assert len(summary_of(sentences, most=most)) <= most


@each(
    ("text", "tags"),
    [
        ("User prefers green tea over coffee", ("green", "tea", "coffee")),
        ("The code is in src/app.py", ("src/app.py", "code", "src", "app")),
        ("The co-op opens at 10:30 on 2026-11-20", ("co-op",)),
        ("Rotate keys every 90 days, 5e9 rows", ("keys", "days", "rows")),
        ("ＧＩＴＨＵＢ runner", ("github", "runner")),  # noqa: RUF001
        ("私は緑茶が好き", ("緑茶",)),
        ("バックアップは毎週", ("バックアップ", "毎週")),
        (
            "我们使用数据库备份系统",
            ("我们", "们使", "使用", "用数", "数据", "据库", "库备", "备份"),
        ),
        ("서버 백업 주기", ("서버", "백업", "주기")),
        ("Bückling für José", ("bückling", "josé")),
        ("", ()),
        ("x" * 33, ()),
    ],
)
def test_tags_of_a_text(text: str, tags: tuple[str, ...]) -> None:
    assert concept_tags(text) == tags


@given(st.text(max_size=300))
def test_there_are_at_most_eight_each_once_and_of_a_fair_length(text: str) -> None:
    tags = concept_tags(text)
    assert len(tags) <= 8
    assert len(set(tags)) == len(tags)
    assert all(2 <= len(tag) <= 32 and not tag.isdigit() for tag in tags)
