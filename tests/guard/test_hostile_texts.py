"""No text, however it was made, costs more than its length deserves."""

from __future__ import annotations

from itertools import product

from memctl.guard.secret_search import find_secret, mask_secrets
from tests.each import each

# What repeats, so that rules begin again and again and come to nothing.
HOSTILE = {
    "one letter": "a",
    "prefixes": "sk-",
    "headers": "-----BEGIN PRIVATE KEY-----",
    "addresses": "://a:",
    "names": "password ",
    "assignments": "pwd=x;",
    "open quotes": 'password="',
    "hexadecimal": "0123456789abcdef",
    "lines": "a\n",
    "flags": "--pass ",
    "mails": "a@b.cc 1 ",
    "logins": "login 1 as ",
    "codes": "your code for the 1 ",
    "requests": "curl -u ",
    "users": "user: a pass 1 ",
    "locks": "open it with 1 ",
    "dashes": "a-1_",
    "headings of a table": "|pass|\n",
    "settings": "token=",
    "key headers": "BEGIN RSA PRIVATE KEY ",
    "escapes": "\\\\npassword",
    "another script": "密码是 ",
    "one variable": "ID_",
    "variables": "A_ID= ",
    "statements": "into a (password) values (",
    "brackets": "password (",
    "keys in brackets": "api key (",
    "requests to pair": "pair: enter 1 ",
    "what was changed": "password was changed to ",
    "percent signs": "%3D",
    "entities": "&#61;",
    "tables": "a|pass|b|",
    "headings between lines": "password,x\nsmall talk\n",
    "base64": "cGFzc3dvcmQgaXM= ",
    "numbers of cards": "4111 1111 1111 ",
    "adverbs": "password is now so very ",
}
# The same, with something else in every row: what was judged cannot be remembered.
VARIED = {
    "rows of a table": "|pass|{}|\n",
    "assignments": "pwd={};",
    "tokens": "token {} ",
    "codes": "your code for the 1 {} ",
    "logs": "user {} login failed: wrong password\n",
}
LENGTH = 4_000  # characters: what grew with a power of the text would not come back for minutes


@each("kind", HOSTILE)
def test_what_repeats_is_answered_without_a_secret(kind: str) -> None:
    unit = HOSTILE[kind]
    assert find_secret(unit * (LENGTH // len(unit))) is None


@each("kind", VARIED)
def test_a_text_that_never_says_the_same_is_answered(kind: str) -> None:
    words = ["".join(letters) for letters in product("bcdfghklmnprst", repeat=3)]
    # The first line leads past the gate: the rules are what is asked.
    rows = "password\n" + "".join(VARIED[kind].format(word) for word in words)
    assert find_secret(rows[:LENGTH]) is None


def test_where_every_hit_is_wanted_nothing_is_skipped() -> None:
    assert "hunter2" not in mask_secrets("my password is hunter2. " * 150)


def test_the_longest_text_is_answered() -> None:
    assert find_secret("a\n" * 500_000) is None
