# ruff: noqa: RUF001 - other scripts and long values are what is tried
"""The rules by example: what is refused or masked, beside what looks like it and is stored."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from memctl.guard.decoding import SecretSpan, plain_view
from memctl.guard.secret_search import find_secret, mask_secrets
from tests.each import each
from tests.guard.lists import texts
from tests.guard.samples import CARRIED, HEXADECIMAL, KNOWN_FORMATS, PRIVATE_KEYS, STATED, drawn

if TYPE_CHECKING:
    from collections.abc import Callable


TOKEN = KNOWN_FORMATS["github-token"]
WIDE = "".join(chr(ord(char) + 0xFEE0) for char in TOKEN)
REFUSED = [
    'api_key: "x7pZSV8YsOGftkgM4UyG0R1A"',
    f"client-key-data: {drawn(60)}==",
    "alter user anna identified by 'Rain1951'",
    "the api key is x7pZSV8YsOGftkgM4UyG0R1A",
    "家里Wi-Fi密码是 taohuayuan88",
    "パスワードは「Sakura2019」です",
    "Rain1951! is the password for the shop",
    'my passphrase is "four grey cats under the moon"',
    "creds: anna / Rain1951!",
    "anna@example.org:Fluffy12!",
    "the code for the front door is 4821",
    "her phone unlocks with 953380",
    "card 4539 1488 0343 6467, 11/29",
    # Coded texts are decoded before they are judged.
    f"https://example.org/?next=%2Fa%3Ftoken%3D{TOKEN}",
    f"token%253D{KNOWN_FORMATS['npm-token']}",
    "password%3A%20Rain1951!",
    "password&#61;Rain1951!",
    '<input value="pwd=&quot;Rain1951!&quot;">',
    '{"text": "\\u5bc6\\u7801\\u662f Rain1951"}',
    *PRIVATE_KEYS.values(),
    *CARRIED.values(),
    *STATED,
]


HARMLESS = [
    "max token: 4096",
    "Secret: Santa",
    "password must be at least 12 characters",
    "forgot your password?",
    "the password is required",
    "password: string",
    "Password: ********",
    "password = getpass()",
    'key = os.environ["API_KEY"]',
    "api_key = <YOUR_API_KEY>",
    "token: ${TOKEN}",
    "Authorization: Bearer $TOKEN",
    f"commit {drawn(40, HEXADECIMAL)}",
    "run 550e8400-e29b-41d4-a716-446655440000",
    f"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{drawn(80)} bob@laptop",
    f"SHA256:{drawn(43)} bob@laptop (ED25519)",
    f"the key's fingerprint is SHA256:{drawn(43)}",
    "key fingerprint: MD5:16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48",
    "gpg --recv-keys 5BE8A3F6C8A5C01D106C0AD820B1A390B168D356",
    f"-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A{drawn(30)}",
    "密码必须至少8位",
    "パスワードは8文字以上です",
    "das Passwort ist falsch",
    "primary key: customer_id",
    "error code: 404404",
    "verification code must be 6 digits",
    "boarding pass: A12B34",
    "The password in the film is swordfish",
    "https://example.org/search?q=password%20manager",
    "POSTGRES_PASSWORD=postgres",
    "Tests: 3 failed, 284 passed, 287 total",
]


@each("rule", sorted(KNOWN_FORMATS))
def test_a_key_of_a_known_vendor_is_refused_and_masked_wherever_it_stands(rule: str) -> None:
    key = KNOWN_FORMATS[rule]
    for text in (key, f"why does {key} fail?", f'{{"note": "{key}"}}'):
        assert find_secret(text) == rule
        assert find_secret(mask_secrets(text)) is None


@each("text", REFUSED)
def test_a_secret_is_refused_and_masked(text: str) -> None:
    assert find_secret(text) is not None
    assert find_secret(mask_secrets(text)) is None


def test_no_bytes_make_the_search_fail() -> None:
    assert all(find_secret("\x00\ud800" + text * 3) is not None for text in STATED[:6])


@each("text", HARMLESS)
def test_a_harmless_text_is_stored(text: str) -> None:
    assert find_secret(text) is None


HOUSE_HARMLESS = [one.text for one in texts("house_harmless")]


HOUSE_SECRETS = [one.text for one in texts("house_secrets") if find_secret(one.text)]


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


def packed(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@each("wording", WORDINGS)
def test_what_stands_around_a_line_changes_no_verdict(wording: str) -> None:
    around = WORDINGS[wording]
    assert [text for text in HOUSE_SECRETS if find_secret(around(text)) is None] == []
    assert [text for text in HOUSE_HARMLESS if find_secret(around(text)) is not None] == []


@each("name", NAMES)
def test_no_name_makes_a_line_a_secret(name: str) -> None:
    changed = [_NAME.sub(name, text) for text in HOUSE_HARMLESS]
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


@each(
    ("text", "rule"),
    [
        (packed('{"user": "mira", "password": "sunflower42"}'), "told-password"),
        (packed("bread: 500 g flour, 350 g water"), None),
        (b"my PIN is 4821".hex(), "told-code"),
        (f"{TOKEN[:9]}\u200b{TOKEN[9:20]}\ufeff{TOKEN[20:]}", "github-token"),
        (WIDE, "github-token"),
        ("la contrasen\u0303a es gatito99", "told-password"),
    ],
)
def test_no_coding_and_no_odd_character_hides_a_secret(text: str, rule: str | None) -> None:
    assert find_secret(f"the state was {text} at noon") == rule


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


@each(
    ("before", "after"),
    [
        (f"why does {TOKEN} fail?", "why does [secret:github-token] fail?"),
        (
            f"{TOKEN} and {KNOWN_FORMATS['npm-token']}",
            "[secret:github-token] and [secret:npm-token]",
        ),
        (
            f"ｔｏｋｅｎ：{TOKEN[:9]}\u200b{TOKEN[9:]}，ｏｋ",
            "ｔｏｋｅｎ：[secret:github-token]，ｏｋ",
        ),
        (f"/?a%3D{TOKEN}%26b", "/?a%3D[secret:github-token]%26b"),
        (f"a\n  {TOKEN[:20]}\n  {TOKEN[20:]}", "a\n  [secret:github-token]"),
        *[("ｆｕｌｌ width, e\u0301 and \u200b stay",) * 2],
    ],
)
def test_masking_replaces_the_secrets_and_nothing_else(before: str, after: str) -> None:
    assert mask_secrets(before) == after


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=300))
def test_any_text_gets_an_answer_that_names_a_rule_only(text: str) -> None:
    rule = find_secret(text)
    assert rule is None or re.fullmatch(r"[a-z0-9-]+", rule)


@given(st.text(max_size=40), st.text(max_size=40), st.sampled_from(sorted(KNOWN_FORMATS)))
def test_masking_never_leaves_the_key(before: str, after: str, rule: str) -> None:
    key = KNOWN_FORMATS[rule]
    assert key not in mask_secrets(f"{before} {key} {after}")


@given(st.text(max_size=200))
def test_a_view_leads_back_into_its_source(text: str) -> None:
    view = plain_view(text, mapped=True)
    for at in range(len(view.text)):
        span = view.original(SecretSpan("any", at, at + 1))
        assert 0 <= span.start < span.end <= len(text)
