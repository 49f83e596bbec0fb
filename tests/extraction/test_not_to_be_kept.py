"""A request to forget means its paragraph, in messages of any length."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memctl.extraction.cutting import Sentence, not_to_be_kept, sentences_of

PIECES = st.sampled_from(
    ["I like tea. ", "My key is k7! ", "k8k9\n", "\n", "Forget that.\n", "é. "]
)
TEXTS = st.lists(PIECES, max_size=12).map("".join)


def _by_definition(sentences: list[Sentence]) -> set[int]:
    """Return which sentences are meant by "Forget that.", looking at all of them for each."""
    lines = sorted({one.paragraph for one in sentences})
    meant = set()
    for asks in [one for one in sentences if one.text == "Forget that."]:
        place = lines.index(asks.paragraph)
        alone = [one.paragraph for one in sentences].count(asks.paragraph) == 1
        around = [place - 1] if place else [1]
        meant |= {place, *(around if alone else [])}
    return {n for n, one in enumerate(sentences) if lines.index(one.paragraph) in meant}


@given(TEXTS)
def test_a_request_to_forget_means_its_paragraph_and_alone_the_one_before(text: str) -> None:
    sentences = sentences_of(text)[0]
    assert not_to_be_kept(sentences) == _by_definition(sentences)
