"""Values of which one excludes the other: dark and light mode, single and married."""

from __future__ import annotations

from memctl.pattern import Pattern

__all__ = ["chosen", "exclude_each_other", "in_manner", "is_name", "state_class", "state_words"]

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
npm pnpm yarn
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
# In what somebody or something is, the words of a line exclude each other; those of one side of
# it may go together. Only states that are one or the other: no moods, colours or sizes.
_STATE_LINES = {
    "en": """
married | single unmarried divorced widowed
left-handed | right-handed
alive | dead
employed | unemployed jobless
introvert introverted | extrovert extroverted
smoker | non-smoker nonsmoker
morning-person | night-owl
monolingual | bilingual | trilingual
rich | poor
enabled | disabled
on | off
up online | down offline
active | inactive
open | closed
locked | unlocked
public | private
public-sector | private-sector
mandatory required compulsory | optional voluntary
valid | invalid
visible | hidden invisible
possible | impossible
legal | illegal
available | unavailable
paid | unpaid
complete finished | incomplete unfinished
approved accepted | rejected declined
signed | unsigned
encrypted | unencrypted
stateless | stateful
mutable | immutable
synchronous | asynchronous
single-threaded | multi-threaded multithreaded
open-source | closed-source proprietary
read-only | writable
passing | failing
stable | unstable
healthy | sick ill
full | empty
awake | asleep
full-time | part-time
remotely | on-site onsite
alone | with
""",
    "de": """
verheiratet | ledig geschieden verwitwet unverheiratet single
linkshänder linkshänderin linkshändig | rechtshänder rechtshänderin rechtshändig
raucher raucherin | nichtraucher nichtraucherin
introvertiert | extrovertiert
angestellt | arbeitslos
lebendig | tot
aktiviert aktiv | deaktiviert inaktiv
offen geöffnet | geschlossen
öffentlich | privat
verpflichtend pflicht | freiwillig optional
gesperrt | entsperrt
bezahlt | unbezahlt
gültig | ungültig
vollzeit | teilzeit
""",
    "es": """
casado casada | soltero soltera divorciado divorciada viudo viuda
zurdo zurda | diestro diestra
introvertido introvertida | extrovertido extrovertida
fumador fumadora | no-fumador
vivo viva | muerto muerta
empleado empleada | desempleado desempleada
activado activada | desactivado desactivada
abierto abierta | cerrado cerrada
público pública | privado privada
obligatorio obligatoria | opcional
""",
    "fr": """
marié mariée | célibataire divorcé divorcée veuf veuve
gaucher gauchère | droitier droitière
introverti introvertie | extraverti extravertie
fumeur fumeuse | non-fumeur non-fumeuse
vivant vivante | mort morte
activé activée | désactivé désactivée
ouvert ouverte | fermé fermée
privé privée | publique
obligatoire | facultatif facultative
""",
    "together": """
已婚 | 单身 未婚 离异
左撇子 | 右撇子
既婚 | 独身 未婚
左利き | 右利き
""",
}


def _sides(lines: str) -> list[list[list[str]]]:
    """Return the lines, each as its sides, each as its words."""
    return [[side.split() for side in line.split("|")] for line in lines.strip().split("\n")]


_STATES: dict[str, tuple[str, int]] = {}
for _lines in _STATE_LINES.values():
    for _line in _sides(_lines):
        for _number, _side in enumerate(_line):
            # A word of two languages belongs to the first line that has it.
            _STATES |= {word: (_line[0][0], _number) for word in _side if word not in _STATES}
# How something is drunk or eaten.
_MANNERS = (
    dict.fromkeys(("with", "without"), "<with>")
    | dict.fromkeys(("mit", "ohne"), "<mit>")
    | dict.fromkeys(("con", "sin"), "<con>")
    | dict.fromkeys(("avec", "sans"), "<avec>")
    | dict.fromkeys(("rare", "medium-rare", "medium", "well-done"), "<rare>")
)
_BLACK = Pattern(r"(coffee|tea) black\Z")
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


def state_class(state: str) -> str:
    """Return what all states share that exclude `state` or go with it; empty where none is known."""
    found = _STATES.get(_first(state))
    return f"<{found[0]}>" if found else ""


def state_words(language: str) -> str:
    """Return the states of the lines of a language, with spaces between them."""
    return _STATE_LINES[language].replace("|", "")


def exclude_each_other(one: str, other: str) -> bool:
    """Whether two states of one class cannot both hold: who is divorced may be called single."""
    return _STATES[_first(one)] != _STATES[_first(other)]


def in_manner(value: str) -> str:
    """Return what all manners of having something share that exclude each other.

    ``tea with milk`` excludes ``tea without milk``, and no ``tea with honey``; coffee that is
    drunk black has no milk.
    """
    words = _BLACK.sub(r"\1 without milk", value).split()
    return " ".join(_MANNERS.get(word, word) for word in words).replace("well done", "<rare>")


def _first(state: str) -> str:
    """Return a state as the lines have it: who lives with anybody does not live alone."""
    return "with" if state.startswith("with ") else state.replace(" ", "-")


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
