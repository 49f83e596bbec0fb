"""States of which one excludes the other: single and married, enabled and disabled."""

from __future__ import annotations

__all__ = ["exclude_each_other", "is_state", "sides_of", "state_class"]

# In what somebody or something is, the words of a line exclude each other; those of one side of
# it may go together. Only states that are one or the other: no moods, colours or sizes.
_LINES = """
married | single unmarried divorced widowed
left-handed left-hander | right-handed right-hander
alive | dead
employed | unemployed jobless
introvert introverted | extrovert extroverted
smoker | non-smoker nonsmoker
morning-person early-bird | night-owl night-person evening-person
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
marié mariée | célibataire divorcé divorcée veuf veuve
gaucher gauchère | droitier droitière
introverti introvertie | extraverti extravertie
fumeur fumeuse | non-fumeur non-fumeuse
vivant vivante | mort morte
activé activée | désactivé désactivée
ouvert ouverte | fermé fermée
privé privée | publique
obligatoire | facultatif facultative
已婚 | 单身 未婚 离异
左撇子 | 右撇子
既婚 | 独身 未婚
左利き | 右利き
"""


def sides_of(lines: str) -> dict[str, tuple[str, int]]:
    """Return each word of lines of words with the first of its line, and the number of its side.

    A word of two lines belongs to the first.
    """
    found: dict[str, tuple[str, int]] = {}
    for line in lines.strip().split("\n"):
        words = [side.split() for side in line.split("|")]
        for number, side in enumerate(words):
            found |= {word: (words[0][0], number) for word in side if word not in found}
    return found


_STATES = sides_of(_LINES)


def state_class(state: str) -> str:
    """Return what all states of its line share, or the state itself where no line has it."""
    found = _STATES.get(state.replace(" ", "-"))
    return f"<{found[0]}>" if found else state


def is_state(word: str) -> bool:
    """Whether a line has `word`."""
    return word.lower() in _STATES


def exclude_each_other(one: str, other: str) -> bool:
    """Whether two states of one line cannot both hold: who is divorced may be called single."""
    return _STATES[one.replace(" ", "-")] != _STATES[other.replace(" ", "-")]
