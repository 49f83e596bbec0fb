"""What a text is said to cost: rather too much than too little, for a budget must hold."""

from __future__ import annotations

from memctl.base.tokens import estimate_tokens
from tests.each import each


@each(
    ("text", "tokens"),
    [
        ("", 0),
        ("word", 1),
        ("incomprehensible", 3),
        ("12345", 2),
        ("a, b\n", 4),
        ("东京", 2),
        ("绿茶", 2),
        ("fileName", 2),
        ("\t" * 160, 10),
    ],
)
def test_tokens_are_estimated(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


# Counted by the word pieces of all-MiniLM-L6-v2; a quarter of the characters is half of them.
@each(
    ("text", "least"),
    [
        ("Falcon's deadline is 1 December", 7),
        ("- [f_8ca845f56a6c] Project P7 uses database number 7 (technical, 80%, today)", 29),
        ('{"a": [1,2,3], "b": {"c": "d"}}', 27),
        ("x = foo(bar[3], baz={'k': v}) # ok", 20),
    ],
)
def test_code_and_ids_cost_what_they_cost(text: str, least: int) -> None:
    assert estimate_tokens(text) >= least
