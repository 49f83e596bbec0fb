"""Write ``docs/licences.md``: the licence of every package that the wheel or an extra brings along.

    python -m tests.docs.licences

It is read from the metadata of what is installed here, so that of each extra everything has to be: the
second command of README does that. A package that does not say its licence as SPDX does says it in words
or by a classifier; `SPDX` translates.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from importlib.metadata import distribution
from pathlib import Path
from typing import TYPE_CHECKING, cast

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from email.message import Message

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "licences.md"
PROJECT = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text("utf-8"))["project"]
# For work on the project alone, and so with no user: what they bring along is not listed.
FOR_WORK = {"bench", "dev", "docs", "fuzz"}
# Licences that let anybody use, change and hand on a program, memctl's MIT included; with MPL-2.0 the changed
# files of that package alone have to stay open.
ALLOWED = {
    "0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0",
    "CNRI-Python", "ISC", "MIT", "MIT-0", "MIT-CMU", "MPL-2.0", "PSF-2.0", "Zlib",
    "LicenseRef-Public-Domain",
}  # fmt: skip
# How packages that have no SPDX expression say it: the first that is in what they say, in this order.
SPDX = {
    "gpl": "GPL",
    "general public": "GPL",
    "mpl": "MPL-2.0",
    "mozilla": "MPL-2.0",
    "apache": "Apache-2.0",
    "mit": "MIT",
    "bsd-2": "BSD-2-Clause",
    "3-clause bsd": "BSD-3-Clause",
    "bsd": "BSD-3-Clause",
    "isc": "ISC",
    "python software foundation": "PSF-2.0",
    "public domain": "LicenseRef-Public-Domain",
}
# What says it in no field of its metadata.
SAID_ELSEWHERE = {"python-dateutil": "Apache-2.0 OR BSD-3-Clause"}  # "Dual License"
_HEAD = """# Licences

memctl is MIT. The table has what `pip install memctl-engine` and each extra bring along on Linux, and what these bring
along in turn, each with the licence that it says of itself. All of them let anybody use, change and hand on the program;
MPL-2.0 asks in addition that changed files of that package stay open. A test fails for a package with a licence that is
not on the list of `tests/docs/licences.py`: none of GPL comes along.

Wheels carry libraries in binary form with licences of their own. OpenCV's has FFmpeg (LGPL-2.1 or later), shapely's
GEOS (LGPL-2.1 or later), NumPy's, SciPy's and scikit-learn's the runtime of GCC (GPL-3.0 with the exception for its
runtime). Of torch, the build with CUDA brings NVIDIA's libraries, which are not free; the build for processors does not.

Tools for work on the project (`dev`, `docs`, `bench`, `fuzz`) come with no wheel and are not listed; of them scikit-survival
and parts of pyautogui are GPL. The versions that a release brings along are in its `sbom.cdx.json`
([install](install.md#what-a-release-carries)). `python -m tests.docs.licences` makes this page.

| package | licence | comes with |
| --- | --- | --- |
"""


def licence_of(metadata: Message) -> str:
    """Return the licence of a package in SPDX's words; what it says itself where these have none."""
    field = (metadata.get("License") or "")[:60]  # some have the whole text there
    written = SAID_ELSEWHERE.get(canonicalize_name(metadata["Name"]), field)
    if said := metadata.get("License-Expression"):
        return str(said)
    if parts_of(written) <= ALLOWED:
        return written
    classifiers = [line for line in metadata.get_all("Classifier") or () if "License" in line]
    words = f"{field} {' '.join(classifiers)}"
    for sign, name in SPDX.items():
        if sign in words.lower():
            return name
    return words.strip() or "says nothing"


def parts_of(licence: str) -> set[str]:
    """Return the licences of an expression of which all hold; of several to choose from, those allowed."""
    parts = set()
    for needed in re.split(r"\bAND\b", licence):
        choices = {each.strip(" ()") for each in re.split(r"\bOR\b", needed)}
        parts |= choices & ALLOWED or choices
    return parts


def brought_along() -> dict[str, tuple[str, list[str]]]:
    """Return of each package its licence, and the extras that bring it; "memctl" where it always comes."""
    brings: dict[str, list[str]] = defaultdict(list)
    core = _reached(PROJECT["name"], "")
    for name in core:
        brings[name].append("memctl")
    for extra in sorted(PROJECT["optional-dependencies"].keys() - FOR_WORK):
        for name in _reached(PROJECT["name"], extra) - core:
            brings[name].append(extra)
    return {
        name: (licence_of(cast("Message", distribution(name).metadata)), brings[name])
        for name in sorted(brings)
    }


def _reached(name: str, extra: str, seen: set[tuple[str, str]] | None = None) -> set[str]:
    """Return what a distribution brings along on this machine, by canonical names."""
    seen = set() if seen is None else seen
    for needed in _needs(name, extra):
        package = canonicalize_name(needed.name)
        for wanted in ("", *needed.extras):
            if (package, wanted) not in seen:
                seen.add((package, wanted))
                _reached(package, wanted, seen)
    return {package for package, _ in seen}


def _needs(name: str, extra: str) -> Iterator[Requirement]:
    if name == PROJECT["name"]:
        ours = PROJECT["optional-dependencies"][extra] if extra else PROJECT["dependencies"]
        yield from map(Requirement, ours)
        return
    for line in distribution(name).requires or ():
        needed = Requirement(line)
        if needed.marker is None:
            if not extra:
                yield needed
        elif needed.marker.evaluate({"extra": extra}) and (
            not extra or not needed.marker.evaluate({"extra": ""})
        ):
            yield needed


def page(packages: Mapping[str, tuple[str, list[str]]]) -> str:
    """Return the page."""
    return _HEAD + "".join(
        f"| {name} | {licence} | {', '.join(brings)} |\n"
        for name, (licence, brings) in packages.items()
    )


if __name__ == "__main__":
    PAGE.write_text(page(brought_along()), "utf-8")
