"""Summaries of a thread, its most telling sentences; and concept tags, what a text is about.

SumBasic (Nenkova and Vanderwende, "The impact of frequency on summarization", 2005): a sentence
weighs as much as its words are frequent on average; once one is chosen, the frequencies of its
words are squared, so that the next one tells something else.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memctl.base.pattern import Pattern
from memctl.text.closed_words import QUESTION_WORDS, STOP_WORDS, content_words, word_heads
from memctl.text.sentence_kinds import is_verb
from memctl.text.splitting import is_unspaced
from memctl.text.statement import figures_in, names_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_PROMPT = (
    "Summarise what the people said in at most {most} characters: what happened, was decided or is to"
    ' be done. Use their words, add nothing. Answer with JSON: {{"summary": "..."}}'
)
_GROUNDED = 0.8  # of a summary's words, that the thread holds
_LEAST_WORDS = 3  # content words of a sentence that tells something
_MOST_TAGS = 8
_LONGEST = 32
_COMPOUND = Pattern(r"[^\W_]+(?:[._/-][^\W_]+)+")
# Kanji and Hanzi, kana, hangul, and words of everything that is written with spaces.
_SEGMENT = Pattern(
    "[\u3005\u3007\u3400-\u9fff\U00020000-\U000323af]+|[\u3041-\u309f]+|[\u30a0-\u30ff]+|[\uac00-\ud7a3]+"
    "|(?:(?![\u3005\u3007\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3\U00020000-\U000323af])[^\\W_])+"
)
_KANA = Pattern("[\u3041-\u30ff]+")
_LETTER = Pattern(r"[^\W\d_]{2}")  # dates and numbers have no two: "2026-11-20", "10:30", "5e"
_PHRASE = 4  # characters without a space that are a word still; more are taken in pairs
# Those who speak are named in every statement.
_NO_CONCEPT = STOP_WORDS | QUESTION_WORDS | {"user", "assistant", "system", "today", "always"}


def summary_of(sentences: Sequence[str], *, most: int) -> str:
    """Return the most telling sentences in their own order, joined by blanks.

    Parameters
    ----------
    sentences
        In the order in which they were said.
    most
        Characters of the summary; the first sentence chosen is cut where it alone is longer.

    Returns
    -------
    str
        Empty where no sentence holds three content words.
    """
    held = enumerate(map(content_words, sentences))
    content = {number: words for number, words in held if len(words) >= _LEAST_WORDS}
    counts = Counter(word for words in content.values() for word in words)
    total = sum(counts.values())
    weight = {word: count / total for word, count in counts.items()}
    chosen: list[int] = []
    left = most
    while content:
        best = max(content, key=lambda number: (_mean(weight, content[number]), -number))
        words = content.pop(best)
        chosen.append(best)
        left -= len(sentences[best]) + 1
        weight |= {word: weight[word] ** 2 for word in set(words)}
        content = {number: content[number] for number in content if len(sentences[number]) < left}
    line = " ".join(" ".join(sentences[number].split()) for number in sorted(chosen))
    return line if len(line) <= most else f"{line[: most - 1]}…"


def asked_summary(ask: Callable[[str, str], Any], sentences: Sequence[str], *, most: int) -> str:
    """Return a model's summary of a thread that the thread supports; empty where it does not.

    Every name and figure of it must stand in the sentences, and most of its other words.

    Parameters
    ----------
    ask
        Takes a system prompt and a text, and returns the object that the answer's JSON is.
    sentences, most
        As for `summary_of`; a longer summary is cut.
    """
    if not sentences:
        return ""
    answer = ask(_PROMPT.format(most=most), "\n".join(sentences))
    summary = answer.get("summary") if isinstance(answer, Mapping) else None
    line = " ".join(summary.split()) if isinstance(summary, str) else ""
    said = " ".join(sentences)
    words, held = word_heads(line), word_heads(said)
    sure = all(word in said for word in names_in(line)) and figures_in(line) <= figures_in(said)
    if not words or not sure or len(words & held) < _GROUNDED * len(words):
        return ""
    return line if len(line) <= most else f"{line[: most - 1]}…"


def tags_of(texts: Iterable[str], *, most: int) -> list[str]:
    """Return the concepts of texts, those of most texts first, at most so many."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(dict.fromkeys(concept_tags(text), 1))
    ordered = sorted(counts, key=lambda tag: (-counts[tag], list(counts).index(tag)))
    return ordered[:most]


def _mean(weight: dict[str, float], words: Sequence[str]) -> float:
    return sum(weight[word] for word in words) / len(words)


def concept_tags(text: str) -> tuple[str, ...]:
    """Return at most eight words for the subject of a text, in any script, compounds first.

    After OpenClaw's tags: compound tokens (``app.py``, ``a/b``, ``co-op``), then single words, each once.
    """
    plain = unicodedata.normalize("NFKC", text).lower()
    result = [
        *_COMPOUND.findall(plain),
        *(tag for run in _SEGMENT.findall(plain) for tag in _words(run)),
    ]
    return tuple(dict.fromkeys(tag for tag in result if _is_concept(tag)))[:_MOST_TAGS]


def _words(run: str) -> list[str]:
    """Return a run of one script as words: a long one without spaces in pairs of characters."""
    unspaced = is_unspaced(run) and not _KANA.fullmatch(run)
    return content_words(run) if unspaced and len(run) > _PHRASE else [run]


def _is_concept(tag: str) -> bool:
    if tag in _NO_CONCEPT or len(tag) > _LONGEST or is_verb(tag):
        return False
    if _KANA.fullmatch(tag):
        return len(tag) >= 3  # noqa: PLR2004  (fewer are grammar)
    least = 2 if is_unspaced(tag) else 3
    return len(tag) >= least and _LETTER.search(tag) is not None
