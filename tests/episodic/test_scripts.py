# ruff: noqa: RUF001  (other scripts are what is tested)
"""Texts of every script are found: questions in Chinese, Japanese and Korean, each with its answer."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from memctl.search.index.index_words import IndexWords
from memctl.store import statements
from memctl.text.splitting import is_unspaced, parted_scripts
from tests.each import each

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl.store.store import Store


# What was said | what is asked. Made by hand for this test.
PAIRS = [
    ("我昨天在公园里看见一只松鼠偷吃面包", "松鼠吃了什么"),
    ("爸爸的旧自行车卖了三百块钱", "自行车卖了多少钱"),
    ("会议改到星期四下午两点", "会议改到什么时候"),
    ("我们把保险箱的钥匙放在书架后面", "钥匙放在哪里"),
    ("小明的猫叫煤球", "小明的猫叫什么名字"),
    ("周末去爬了泰山，山顶很冷", "什么时候爬的泰山"),
    ("他打算辞职去开一家书店", "他辞职以后做什么"),
    ("厨房的水龙头又漏水了", "哪里漏水"),
    ("昨日、東京タワーに登って夜景を見た", "東京タワーで何を見た？"),
    ("兄は京都の大学で建築を勉強している", "建築を勉強しているのは誰？"),
    ("祖母の誕生日は六月十日です", "祖母の誕生日はいつですか"),
    ("駅前のパン屋は火曜日が定休日だ", "パン屋の定休日は？"),
    ("友達と富士山に登る計画を立てた", "富士山に誰と登る？"),
    ("引っ越しの荷物はまだ届いていない", "荷物は届いた？"),
    ("ﾎﾃﾙは川沿いの静かなところにした", "ホテルはどこ？"),
    ("동생은 부산에서 요리사로 일한다", "부산에서 일하는 사람은?"),
    ("할머니가 김치를 보내 주셨다", "김치를 누가 보냈지?"),
    ("고양이가 창문으로 도망갔다", "고양이는 어디로 도망갔어?"),
    ("제주도 여행에서 귤을 많이 먹었다", "제주도에서 먹은 것은?"),
    ("형은 매일 아침 수영을 한다", "수영을 하는 사람은?"),
    ("딸기 케이크를 직접 구웠다", "케이크는 무슨 맛?"),
]  # fmt: skip


@pytest.fixture
def diary(memory: Memory) -> Memory:
    for number, (said, _) in enumerate(PAIRS):
        memory.log(said, session=f"day {number // 4}")
    for n in range(40):
        memory.remember(f"Plain English row {n} about ferries and tents")
    return memory


def test_all_but_one_are_among_the_first_ten_and_nine_in_ten_come_first(diary: Memory) -> None:
    ranks = []
    for number, (_, asked) in enumerate(PAIRS, 1):
        found = [row.id for row in diary.recall(asked, 10, record=False)]
        ranks.append(found.index(number) + 1 if number in found else 0)
    assert sum(rank > 0 for rank in ranks) >= len(PAIRS) - 1
    assert sum(rank == 1 for rank in ranks) >= 0.9 * len(PAIRS)


def test_a_word_of_one_character_is_found(diary: Memory) -> None:
    assert diary.recall("猫", record=False)[0].text == "小明的猫叫煤球"
    assert set(diary.recall("松鼠", record=False)[0].matched) == {"松鼠"}


@each(
    ("text", "questions"),
    [
        ("แม่ชอบกินข้าวเหนียวมะม่วง", ["มะม่วง"]),
        ("Паром опоздал", ["паром"]),
        ("मुझे हिन्दी पसंद है", ["हिन्दी"]),
        ("Müller's café in São Paulo", ["muller", "CAFE", "sao", "Müllers Café"]),
    ],
)
def test_words_of_other_scripts_are_found_whatever_their_case_and_accents(
    memory: Memory, text: str, questions: list[str]
) -> None:
    memory.log("พี่ชายไปเชียงใหม่")
    memory.log(text)
    for question in questions:
        assert memory.recall(question)[0].text == text


@each(
    "text",
    [
        "plain",
        "東京 tower",
        "東京tower",
        "あ" * 900,
        "가\u200b나",
        "ไทย",
        "々〇",
        "well👍done",
        "Łódź",
    ],
)
def test_a_question_is_split_as_a_text_is(store: Store, memory: Memory, text: str) -> None:
    turn = memory.log(text)
    kept = store.value("select words from memory_words where id = :id", {"id": turn})
    words = IndexWords(store)
    held = {token.surface for token in words.split([str(kept)])[0]}
    asked = [token.surface for token in words.pieces(text)]
    asked += [t.surface for t in words.split([parted_scripts(text)])[0] if t.surface.isascii()]
    assert set(asked) <= held


def test_sql_and_python_know_the_same_scripts_without_spaces(memory: Memory, store: Store) -> None:
    memory.log("first")
    characters = [chr(c) for c in range(0x20, sys.maxunicode, 7) if not 0xD800 <= c <= 0xDFFF]
    characters += [chr(c) for c in range(0xE00, 0x3200)]
    chosen = characters[::80]
    with store.transaction():
        store.connection().executemany(
            "insert into log (session, text, logged_at) values ('s', ?, '2026')",
            [(f"x{one}x",) for one in chosen],
        )
    words = store.rows("select words from memory_words where id > 1 order by id")
    for one, (held,) in zip(chosen, words, strict=True):
        assert (f" {one} " in held) == is_unspaced(one), one


def test_the_temporary_tables_leave_nothing_in_the_file(memory: Memory, store: Store) -> None:
    memory.log("ferry")
    memory.recall("ferry")
    names = {row["thing"] for row in store.rows(statements.load("store/store").schema_objects)}
    assert not any("memctl_" in name for name in names)
