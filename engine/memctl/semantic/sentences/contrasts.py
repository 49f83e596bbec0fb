"""Values of which one excludes the other: dark and light mode."""

from __future__ import annotations

from memctl.base.pattern import Pattern

__all__ = ["chosen", "is_name"]

# In a preference, one word of a line excludes the others of it: "dark mode", "light mode".
_LINES = """
dark light
dunkle helle
dunklen hellen
oscuro claro
sombre clair
tabs spaces
short long
brief detailed
concise verbose
kurze lange
cortas largas
courtes longues
morning afternoon evening
mornings afternoons evenings
formal informal
metric imperial
celsius fahrenheit
12-hour 24-hour
window aisle
early late
synchronous asynchronous
npm pnpm yarn bun
vim emacs
merge rebase
phone email
daily weekly monthly
"""
_CLASSES = {
    word: f"<{line.split()[0]}>" for line in _LINES.strip().split("\n") for word in line.split()
}
# The same where words are not written apart.
_APART = (
    ("\u6df1\u8272", "\u6d45\u8272"),  # dark, light: Chinese
    ("\u7b80\u77ed", "\u8be6\u7ec6"),  # brief, detailed
    ("\u30c0\u30fc\u30af", "\u30e9\u30a4\u30c8"),  # dark, light: Japanese
)
_OVER = Pattern(r"\s+(?:over|to|rather than|instead of|gegenüber|statt|que|plutôt que)\s+")

# A name: words that begin with a capital, joined by such small ones, parts set off by commas.
_WORD = r"[^\W\d_a-zß-öø-ÿ][\w.'&-]*"
_NAME = rf"{_WORD}(?:\s+(?:(?:am|an der|de|del|of|on|upon)\s+)?{_WORD}){{0,3}}"
_NAMES = Pattern(rf"{_NAME}(?:,\s*{_NAME}){{0,2}}\Z")


def chosen(value: str) -> tuple[str, str]:
    """Return what a preference chooses, and what all preferences share that exclude it.

    ``tea over coffee`` excludes ``coffee over tea``; ``dark mode`` excludes ``light mode``,
    and ``dark mode in the editor`` does not: more than the one word is another.
    """
    first, *others = _OVER.split(value)
    if len(others) != 1:
        return value, _classed(value)
    if _classed(first) == _classed(others[0]):
        return first, _classed(first)
    return first, " | ".join(sorted((first, others[0])))


def is_name(value: str) -> bool:
    """Whether a value is a name and nothing else: ``Berlin``, not ``a flat`` or ``the evening``."""
    return _NAMES.match(value.strip()) is not None


def _classed(value: str) -> str:
    """Return `value` with the one word that excludes others replaced by the name of its class."""
    words = value.split()
    found = [i for i, word in enumerate(words) if word in _CLASSES]
    if len(found) == 1:
        words[found[0]] = _CLASSES[words[found[0]]]
        return " ".join(words)
    for line in _APART:
        for word in line:
            if value.count(word) == 1:
                return value.replace(word, f"<{line[0]}>")
    return value
