"""No text, however it was made, costs more than its length deserves."""

from __future__ import annotations

import time

import pytest

from memctl.secret_rules import find_secret

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
}
SMALL, LARGE = 4_000, 16_000  # characters
# Four times the text is four times the work where it is linear, sixteen times where it is
# quadratic. Half of that on top is for a machine that does other things meanwhile.
MOST = 10


def seconds(text: str) -> float:
    """Return the least processor time of three answers; none may find anything."""
    times = []
    for _ in range(3):
        begun = time.process_time()
        assert find_secret(text) is None
        times.append(time.process_time() - begun)
    return max(min(times), 1e-4)


@pytest.mark.parametrize("kind", HOSTILE)
def test_the_work_grows_with_the_text_and_not_with_its_square(kind: str) -> None:
    unit = HOSTILE[kind]
    small, large = (unit * (size // len(unit)) for size in (SMALL, LARGE))
    assert seconds(large) < MOST * seconds(small)


def test_the_longest_text_is_answered() -> None:
    assert find_secret("a\n" * 500_000) is None
