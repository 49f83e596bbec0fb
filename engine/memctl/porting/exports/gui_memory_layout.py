"""The screens of a store in gui-memory's form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.errors import UsageError
from memctl.porting.exports.gui_memory_files import gui_memory_files

if TYPE_CHECKING:
    from memctl.porting.exports.export_folder import ExportFolder
    from memctl.porting.exports.export_source import ExportSource

__all__ = ["write"]


def write(folder: ExportFolder, source: ExportSource) -> None:
    """Write all screens of a store.

    Raises
    ------
    UsageError
        When rows of texts are chosen: screens have neither tier nor tag.
    """
    if "chosen" in source.header:
        raise UsageError(
            "screens are exported as a whole", hint="leave out --tier, --tag and so on"
        )
    for name, data in gui_memory_files(source.store, source.settings, source.counts):
        path = folder.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
