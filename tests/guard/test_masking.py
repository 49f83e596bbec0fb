# ruff: noqa: RUF001 - full-width letters are under test
from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from memctl.guard.decoding import SecretSpan, decoded, joined_lines, plain_view
from memctl.guard.secret_search import find_secret, mask_secrets
from tests.each import each
from tests.guard.samples import CARRIED, KNOWN_FORMATS, PRIVATE_KEYS, STATED


def test_zero_width_characters_do_not_hide_a_key() -> None:
    key = KNOWN_FORMATS["github-token"]
    assert find_secret(key[:9] + "\u200b" + key[9:20] + "\ufeff" + key[20:]) == "github-token"


def test_full_width_letters_do_not_hide_a_key() -> None:
    wide = "".join(chr(ord(char) + 0xFEE0) for char in KNOWN_FORMATS["github-token"])
    assert find_secret(wide) == "github-token"


def test_decomposed_letters_do_not_hide_the_name_of_a_password() -> None:
    assert find_secret("la contrasen\u0303a es gatito99") == "told-password"


def test_a_key_that_was_wrapped_over_two_lines_is_found() -> None:
    key = KNOWN_FORMATS["github-token"]
    assert find_secret(f"token:\n  {key[:20]}\n  {key[20:]}") == "github-token"


def test_masking_replaces_the_secret_and_nothing_else() -> None:
    key = KNOWN_FORMATS["github-token"]
    assert mask_secrets(f"why does {key} fail?") == "why does [secret:github-token] fail?"


def test_masking_replaces_every_secret() -> None:
    text = f"{KNOWN_FORMATS['github-token']} and {KNOWN_FORMATS['npm-token']}"
    assert mask_secrets(text) == "[secret:github-token] and [secret:npm-token]"


def test_masking_leaves_a_harmless_text_as_it_is() -> None:
    assert (
        mask_secrets("ｆｕｌｌ width, e\u0301 and \u200b stay")
        == "ｆｕｌｌ width, e\u0301 and \u200b stay"
    )


def test_masking_keeps_what_stands_around_a_hidden_secret() -> None:
    key = KNOWN_FORMATS["github-token"]
    masked = mask_secrets(f"ｔｏｋｅｎ：{key[:9]}\u200b{key[9:]}，ｏｋ")
    assert masked == "ｔｏｋｅｎ：[secret:github-token]，ｏｋ"


@each("text", [*KNOWN_FORMATS.values(), *PRIVATE_KEYS.values(), *CARRIED.values(), *STATED])
def test_a_masked_text_holds_no_secret(text: str) -> None:
    assert find_secret(mask_secrets(text)) is None


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


def test_joining_lines_keeps_the_way_back() -> None:
    joined = joined_lines(plain_view("a1\n  cd ef", mapped=True))
    assert joined is not None
    assert joined.text == "a1cd ef"
    assert joined.original(SecretSpan("any", 1, 3)) == ("any", 1, 6)


def test_decoding_keeps_the_way_back() -> None:
    coded = decoded(plain_view("a%3Db&amp;c", mapped=True))
    assert coded is not None
    assert coded.text == "a=b&c"
    assert coded.original(SecretSpan("any", 1, 2)) == ("any", 1, 4)


def test_a_coded_secret_is_masked_where_it_stands() -> None:
    key = KNOWN_FORMATS["github-token"]
    assert mask_secrets(f"/?a%3D{key}%26b") == "/?a%3D[secret:github-token]%26b"
