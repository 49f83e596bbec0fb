"""Schedules of the dream, as text to paste: a line for cron, and a timer for systemd; no daemon."""

from __future__ import annotations

import hashlib
import shlex
from dataclasses import dataclass

from memctl.base.errors import UsageError
from memctl.base.pattern import Pattern

__all__ = ["DreamSchedule", "schedule"]

_TIME = Pattern(r"([01]?\d|2[0-3]):([0-5]\d)")
_DIGITS = 8


@dataclass(frozen=True, slots=True)
class DreamSchedule:
    """The texts that let a dream run each night, and those that end it.

    Parameters
    ----------
    unit
        Its name: each store of each home has its own.
    cron
        The line for ``crontab -e``.
    service, timer
        The two files of systemd, by name.
    install, uninstall
        Commands for a shell, one a line.
    """

    unit: str
    cron: str
    service: str
    timer: str
    install: tuple[str, ...]
    uninstall: tuple[str, ...]


def schedule(
    command: list[str], *, at: str = "03:00", name: str = "agent", home: str = ""
) -> DreamSchedule:
    """Return the schedule of a command, each night at a time of the machine's own zone.

    Parameters
    ----------
    command
        The words of the command line: quoted as each of the two wants them.
    at
        ``HH:MM``.
    name, home
        The store that the unit is called after, and its home where that is not the usual one.

    Raises
    ------
    UsageError
        When `at` is no time of the day.
    """
    found = _TIME.fullmatch(at)
    if found is None:
        raise UsageError(f'"{at}" is no time of the day', hint='it is "HH:MM", such as 03:00')
    hour, minute = int(found[1]), int(found[2])
    unit = _unit(name, home)
    line = shlex.join(command)
    cron = line.replace("%", "\\%")  # cron takes a bare one for the end of the line
    # systemd reads "%" and "$" in its own way, and quotes as C does.
    words = " ".join(_unit_word(word) for word in command)
    return DreamSchedule(
        unit=unit,
        cron=f"{minute} {hour} * * * {cron}  # {unit}",
        service=(
            f"[Unit]\nDescription=memctl dream {name}\n\n"
            f"[Service]\nType=oneshot\nExecStart={words}\n"
        ),
        timer=(
            f"[Unit]\nDescription=memctl dream {name}, each night\n\n[Timer]\n"
            f"OnCalendar=*-*-* {hour:02}:{minute:02}:00\nPersistent=true\n\n"
            "[Install]\nWantedBy=timers.target\n"
        ),
        install=(f"systemctl --user enable --now {unit}.timer",),
        uninstall=(
            f"crontab -l | grep -v {shlex.quote(f'# {unit}$')} | crontab -",
            f"systemctl --user disable --now {unit}.timer",
            f"rm ~/.config/systemd/user/{unit}.service ~/.config/systemd/user/{unit}.timer",
        ),
    )


def _unit(name: str, home: str) -> str:
    """Return the name of a unit: a digest tells apart what its letters alone do not."""
    plain = "".join(c if c.isalnum() else "-" for c in name)
    if plain == name and not home:
        return f"memctl-dream-{plain}"
    digest = hashlib.sha256(f"{home}\n{name}".encode()).hexdigest()
    return f"memctl-dream-{plain}-{digest[:_DIGITS]}"


def _unit_word(word: str) -> str:
    plain = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{plain}"' if any(c in word for c in " \t'\";\\") else plain
