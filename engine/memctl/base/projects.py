"""The project that a folder belongs to: its repository, whatever worktree it is, else the folder."""

from __future__ import annotations

from pathlib import Path

_PARTS = 2  # of a path: the folder around two repositories of one name differs
_BARE = ("HEAD", "objects", "refs")  # in a git directory


def project_of(folder: str | Path) -> str:
    """Return the name of a folder's project: the last two parts of its path, ``code/tollgate``.

    All worktrees of a repository are one project, a submodule is one of its own. A folder outside
    of any repository is a project, too; one that is gone is what it would be now.
    """
    here = Path(folder).expanduser().absolute()
    for folder_around in (here, *here.parents):
        try:
            repository = _repository(folder_around)
        except OSError:  # nobody may read it: it is what it is called
            continue
        if repository is not None:
            here = repository
            break
    return "/".join(here.parts[1:][-_PARTS:]) or "/"


def _repository(folder: Path) -> Path | None:
    """Return the folder of the repository that a folder is the top of; ``None`` where it is none."""
    inside = folder / ".git"
    if inside.is_dir():
        return folder
    if inside.is_file():  # of a worktree or a submodule: the path of its repository
        said = inside.read_text("utf-8", "replace").strip().removeprefix("gitdir:").strip()
        own = (folder / said).resolve()
        common = own / "commondir"
        if not common.is_file():
            return folder
        shared = (own / common.read_text("utf-8", "replace").strip()).resolve()
        return shared.parent if shared.name == ".git" else shared.with_suffix("")
    if not all((folder / name).exists() for name in _BARE):
        return None
    return folder.parent if folder.name == ".git" else folder.with_suffix("")
