"""Concept tags: what a statement is about, in any script."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memctl.consolidation.summarising import concept_tags
from tests.each import each


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
