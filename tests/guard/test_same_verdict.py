"""The verdict on a text does not hang on its punctuation, its surroundings or a name in it."""

from __future__ import annotations

import base64
import json
import re
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from memctl.guard.secret_search import find_secret
from tests.each import each
from tests.guard.lists import texts
from tests.guard.samples import KNOWN_FORMATS, STATED

if TYPE_CHECKING:
    from collections.abc import Callable

HARMLESS = [one.text for one in texts("house_harmless")]
SECRETS = [one.text for one in texts("house_secrets") if find_secret(one.text)]
WORDINGS: dict[str, Callable[[str], str]] = {
    "a full stop": lambda text: f"{text}.",
    "a preface": lambda text: f"Please note: {text}",
    "a greeting": lambda text: f"Hi Tom, {text}",
    "a wish": lambda text: f"Remember that {text}",
    "thanks": lambda text: f"{text}, thanks",
    "brackets": lambda text: f"({text})",
    "a list": lambda text: f"- {text}\n- milk and eggs",
    "a number before": lambda text: f"4821 rows. {text}",
    "lines around": lambda text: f"Notes of today\n{text}\nBuy milk",
}
NAMES = ("Lars", "Anna", "Oluwaseun", "Žofie", "小雨", "Иван", "Mark", "Grace", "Ben")
_NAME = re.compile(
    r"\b(?:Lars|Anna|Minjun|Priya|Marta|Jonas|Lena|Yuki|Aisha|Tom|Olga|Pedro|Chloe)\b"
)


@each("wording", WORDINGS)
def test_a_secret_stays_one_whatever_stands_around_it(wording: str) -> None:
    changed = map(WORDINGS[wording], SECRETS)
    assert [text for text in changed if find_secret(text) is None] == []


@each("wording", WORDINGS)
def test_a_harmless_line_stays_one_whatever_stands_around_it(wording: str) -> None:
    changed = map(WORDINGS[wording], HARMLESS)
    assert [text for text in changed if find_secret(text) is not None] == []


@each("name", NAMES)
def test_no_name_makes_a_line_a_secret(name: str) -> None:
    changed = [_NAME.sub(name, text) for text in HARMLESS]
    assert [text for text in changed if find_secret(text) is not None] == []


@given(
    st.sampled_from(NAMES),
    st.sampled_from(["seat", "train", "order", "room", "desk", "ticket", "table", "badge", "bus"]),
    st.integers(100, 999_999),
    st.sampled_from(["", ".", "!", "?", ", please", "; ok"]),
)
def test_the_number_of_a_thing_is_none_of_a_lock(name: str, thing: str, at: int, end: str) -> None:
    assert find_secret(f"{name}'s {thing} is {at}{end}") is None


@given(
    st.sampled_from(NAMES),
    st.sampled_from(["PIN", "door code", "wifi password", "passcode", "alarm code"]),
    st.integers(1000, 999_999),
    st.sampled_from(["", ".", "!", ", please keep it", "; ok?", " - thanks"]),
)
def test_the_number_of_a_lock_is_a_secret(name: str, lock: str, at: int, end: str) -> None:
    assert find_secret(f"{name}'s {lock} is {at}{end}") is not None


@given(st.lists(st.integers(0, 10**9), min_size=40, max_size=400), st.sampled_from(" ,;\t\n"))
def test_a_text_full_of_numbers_is_stored(numbers: list[int], sign: str) -> None:
    assert find_secret(f"Readings of the week: {sign.join(map(str, numbers))}") is None


# --- hidden, cut, buried


def test_a_secret_in_json_in_base64_is_found() -> None:
    held = json.dumps({"user": "mira", "password": "sunflower42"})
    packed = base64.b64encode(held.encode()).decode()
    assert find_secret(f"the state was {packed} at noon") == "told-password"


def test_a_secret_in_hexadecimal_is_found() -> None:
    assert find_secret("blob " + b"my PIN is 4821".hex()) == "told-code"


def test_a_harmless_text_in_base64_is_stored() -> None:
    assert find_secret(base64.b64encode(b"bread: 500 g flour, 350 g water").decode()) is None


@each("cut", ["\n", "\\\n  ", " \n", "\r\n> "])
def test_a_key_or_a_card_that_was_cut_over_two_lines_is_found(cut: str) -> None:
    key = KNOWN_FORMATS["github-token"]
    assert find_secret(f"Notes of today\n{key[:22]}{cut}{key[22:]}\nBuy milk") == "github-token"
    assert find_secret(f"card 4111 1111 1{cut}111 1111 exp 04/29") == "card-number"


def test_one_secret_in_a_megabyte_of_numbers_is_found() -> None:
    rows = "".join(f"{at},{at * 37 % 9973},row {at % 97}\n" for at in range(62_000))
    assert len(rows) > 1_000_000
    assert find_secret(rows) is None
    middle = len(rows) // 2
    assert find_secret(f"{rows[:middle]}\nmy PIN is 4821\n{rows[middle:]}") == "told-code"


@each("text", ["note", *STATED[:6]])
def test_no_bytes_make_the_search_fail(text: str) -> None:
    assert find_secret("\x00\ud800" + text * 3) is not None or text == "note"
