"""Reading of the files in packages: statements, migrations, lists of words.

``importlib.resources`` does it too, and takes longer to load than to read them all; it is
left for packages that are no folder.
"""

from __future__ import annotations

import os
import re
from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from importlib.abc import ResourceLoader


def text_in(package: str, name: str) -> str:
    """Return the text of a file in a package, also of a zipped one.

    Raises
    ------
    OSError
        When there is no such file.
    """
    module = import_module(package)
    loader = cast("ResourceLoader", module.__loader__)
    data = loader.get_data(os.path.join(_folder(package), name))  # noqa: PTH118  (a zip's path)
    return data.decode("utf-8").replace("\r\n", "\n")


def table_in(package: str, name: str) -> dict[str, dict[str, str]]:
    """Return the sections of a table of words in a package: by name, the words of each key.

    A line is ``[section]``, ``key: words`` or, indented, more words; ``#`` opens a comment. Several
    lines of a key are joined by commas. Python's reader of TOML takes longer to load than all tables.
    """
    result: dict[str, dict[str, str]] = {"": {}}
    section = result[""]
    for line in re.sub(r"\n +", " ", text_in(package, name)).split("\n"):
        if line.startswith("["):
            section = result.setdefault(line.strip("[]"), {})
        elif line and line[0] != "#":
            key, _, words = line.partition(":")
            section[key] = f"{section[key]}, {words.strip()}" if key in section else words.strip()
    return result


def names_in(package: str) -> list[str]:
    """Return the names of the files in a package, sorted."""
    folder = _folder(package)
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208  (the same)
    except OSError:
        from importlib import resources

        return sorted(file.name for file in resources.files(package).iterdir())


def _folder(package: str) -> str:
    return os.path.dirname(str(import_module(package).__file__))  # noqa: PTH120  (the same)
