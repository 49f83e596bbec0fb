"""The schedule of a nightly dream, as texts to paste: a line for cron, and a timer for systemd."""

from __future__ import annotations

import hashlib
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from memctl.base.errors import UsageError
from memctl.base.home import usual_home
from memctl.base.pattern import Pattern

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


def schedule_of(address: str, folder: Path, at: str) -> DreamSchedule:
    """Return the schedule of a store's dream, by its address and the folder of its home."""
    # The home is named where it is not the usual one: cron knows no MEMCTL_HOME.
    home = "" if folder == usual_home() else str(folder)
    program = shutil.which("memctl") or str(Path(sys.argv[0]).absolute())
    options = [*(["--home", home] if home else []), "--app", address]
    words = [program, *options, "dream", "run", "--if-due", "--apply"]
    return schedule(words, at=at, name=address, home=home)


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
    match = _TIME.fullmatch(at)
    if match is None:
        raise UsageError(f'"{at}" is no time of the day', hint='it is "HH:MM", such as 03:00')
    hour, minute = int(match[1]), int(match[2])
    # A digest tells apart what the letters of a name alone do not.
    plain = "".join(c if c.isalnum() else "-" for c in name)
    digest = hashlib.sha256(f"{home}\n{name}".encode()).hexdigest()[:_DIGITS]
    unit = f"memctl-dream-{plain}" + ("" if plain == name and not home else f"-{digest}")
    line = shlex.join(command).replace("%", "\\%")  # cron takes a bare one for the end of the line
    words = " ".join(map(_unit_word, command))
    return DreamSchedule(
        unit=unit,
        cron=f"{minute} {hour} * * * {line}  # {unit}",
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


def _unit_word(word: str) -> str:
    """Return a word as systemd reads it: "%" and "$" in its own way, quotes as C has them."""
    plain = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{plain}"' if any(c in word for c in " \t'\";\\") else plain
