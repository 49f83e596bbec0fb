"""Words that exclude each other: states of life, manners of doing, choices; and words of denial."""

from __future__ import annotations

from memctl.base.pattern import Pattern
from memctl.semantic.sentences.word_tables import lines_in, sides_in, words_in

__all__ = [
    "as_manner",
    "as_meal",
    "chosen",
    "denies",
    "exclude_each_other",
    "is_name",
    "is_state",
    "manners_differ",
    "state_class",
]

_STATES = sides_in("states")


def state_class(state: str) -> str:
    """Return the class of a state, which those of its line share; without a line, the state."""
    found = _STATES.get(state.replace(" ", "-"))
    return f"<{found[0]}>" if found else state


def is_state(word: str) -> bool:
    """Return whether a line has `word`."""
    return word.lower() in _STATES


def exclude_each_other(one: str, other: str) -> bool:
    """Return whether two states of one line cannot both hold: who is divorced may be called single."""
    return _STATES[one.replace(" ", "-")] != _STATES[other.replace(" ", "-")]


_KIN = (
    r"(?:wife|husband|spouse|partner|boyfriend|girlfriend|family|parents|mother|father|children|kids|"
    r"son|daughter|brother|sister|flatmates?|roommates?)"
)
# Several words that are one, and the pronoun before what one eats.
_JOINED = (
    (Pattern(r"\b(full|part) time\b"), r"\1-time"),
    (Pattern(r"\bfrom (?:home|house)\b"), "from-home"),
    (Pattern(r"\bfrom office\b"), "from-office"),
    (Pattern(r"\bon site\b"), "on-site"),
    (Pattern(rf"\bwith (?:my|his|her|their) {_KIN}\b"), "with-others"),
    (Pattern(r"\bin (vollzeit|teilzeit)\b"), r"\1"),
)
_AT_TABLE = (
    (Pattern(r"^(?:my|his|her|their) "), ""),
    (Pattern(r"\b(coffee|tea) black$"), r"\1 without milk"),
    (Pattern(r"\b(kaffee|tee) schwarz$"), r"\1 ohne milch"),
    (Pattern(r"\bwell done$"), "well-done"),
    (Pattern(r"\bmedium rare$"), "medium-rare"),
)
_DOING, _EATING = sides_in("doings"), sides_in("meals")


def as_manner(value: str) -> str:
    """Return the frame that all manners share which exclude `value`; empty where it is no manner."""
    return _framed(_plain(value, _JOINED), _DOING)


def as_meal(value: str) -> str:
    """Return the same of what one eats or drinks.

    ``tea with milk`` excludes ``tea without milk``, and no ``tea with honey``; coffee that is
    drunk black has no milk.
    """
    return _framed(_plain(value, _AT_TABLE), _EATING)


def manners_differ(one: str, other: str) -> bool:
    """Return whether two manners that share what `as_manner` or `as_meal` returns exclude each other."""
    return _side(one) != _side(other)


def _plain(value: str, rules: tuple[tuple[Pattern, str], ...]) -> str:
    for pattern, joined in rules:
        value = pattern.sub(joined, value)
    return value


def _framed(value: str, sides: dict[str, tuple[str, int]]) -> str:
    """Return `value` with its one word of a line replaced by the first word of that line."""
    words = value.split()
    found = [i for i, word in enumerate(words) if word in sides]
    if len(found) != 1:
        return ""
    words[found[0]] = f"<{sides[words[found[0]]][0]}>"
    return " ".join(words)


def _side(value: str) -> list[tuple[str, int]]:
    sides = _DOING | _EATING
    words = _plain(value, (*_JOINED, *_AT_TABLE)).split()
    return [sides[word] for word in words if word in sides]


# In a preference, one word of a line excludes the others of it: "dark mode", "light mode".
_CHOICE_CLASSES = {
    word: f"<{line.split()[0]}>" for line in lines_in("choices") for word in line.split()
}
# The same where words are not written apart.
_CHOICES_APART = (
    ("\u6df1\u8272", "\u6d45\u8272"),  # dark, light: Chinese
    ("\u7b80\u77ed", "\u8be6\u7ec6"),  # brief, detailed
    ("\u30c0\u30fc\u30af", "\u30e9\u30a4\u30c8"),  # dark, light: Japanese
)
_OVER = Pattern(r"\s+(?:over|to|rather than|instead of|gegenüber|statt|que|plutôt que)\s+")

# A name: words that begin with a capital, joined by such small ones, parts set off by commas.
_NAME_WORD = r"[^\W\d_a-zß-öø-ÿ][\w.'&-]*"
_NAME = rf"{_NAME_WORD}(?:\s+(?:(?:am|an der|de|del|of|on|upon)\s+)?{_NAME_WORD}){{0,3}}"
_NAMES = Pattern(rf"{_NAME}(?:,\s*{_NAME}){{0,2}}\Z")


def chosen(value: str) -> tuple[str, str]:
    """Return the choice of a preference, and the class of preferences that exclude it.

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
    """Return whether a value is a name and nothing else: ``Berlin``, not ``a flat`` or ``the evening``."""
    return _NAMES.match(value.strip()) is not None


def _classed(value: str) -> str:
    """Return `value` with the one word that excludes others replaced by the name of its class."""
    words = value.split()
    found = [i for i, word in enumerate(words) if word in _CHOICE_CLASSES]
    if len(found) == 1:
        words[found[0]] = _CHOICE_CLASSES[words[found[0]]]
        return " ".join(words)
    for line in _CHOICES_APART:
        for word in line:
            if value.count(word) == 1:
                return value.replace(word, f"<{line[0]}>")
    return value


_DENIAL_WORD = Pattern(r"[^\W_]+(?:['\u2019][^\W_]+)?")
_DENIALS = words_in("denials")
# Parts of words, where those are not written apart.
_DENIALS_APART = Pattern(
    "[\u4e0d\u6ca1\u6c92\u7121]|\u8ba8\u538c|\u8a0e\u53ad|\u306a\u3044|"
    "\u306a\u304b\u3063\u305f|\u307e\u305b\u3093|\u5acc\u3044|\uc54a|\uc5c6|\uc544\ub2c8|\uc2eb\uc5b4"
)


def denies(text: str) -> bool:
    """Return whether `text` holds a word that turns what it says round: not, never, hates."""
    words = _DENIAL_WORD.findall(text.casefold().replace("\u2019", "'"))
    if any(word in _DENIALS or word.endswith("n't") for word in words):
        return True
    return not text.isascii() and _DENIALS_APART.search(text) is not None
