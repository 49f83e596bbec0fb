"""The wheel and the sdist carry everything, and what they carry runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SETUPTOOLS = PROJECT["tool"]["setuptools"]
SOURCES = {"memctl": "engine/memctl", "memctl_cli": "cli/memctl_cli"}
DATA = {"memctl.schema": "schema", "memctl.sql": "sql"}
# What Python leaves behind, and what packaging writes into the root.
IGNORED = {"__pycache__", "build", "dist"}


def packages_of(name: str, folder: str) -> set[str]:
    """Find the packages that the folders are, by their ``__init__.py``."""
    root = ROOT / folder
    found = {name}
    for init in root.rglob("__init__.py"):
        inner = init.parent.relative_to(root).parts
        if not IGNORED & set(inner):
            found.add(".".join((name, *inner)))
    return found


def files_in(folder: str, *endings: str) -> set[str]:
    return {
        str(path.relative_to(ROOT))
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and path.name.endswith(endings) and not IGNORED & set(path.parts)
    }


def test_the_packages_are_the_folders() -> None:
    found: set[str] = set()
    for name, folder in (SOURCES | DATA).items():
        found |= packages_of(name, folder)
    assert set(SETUPTOOLS["packages"]) == found
    assert len(SETUPTOOLS["packages"]) == len(found)


def test_every_folder_with_code_or_sql_is_a_package() -> None:
    for folder in (SOURCES | DATA).values():
        for path in files_in(folder, ".py", ".sql"):
            assert (ROOT / path).with_name("__init__.py").is_file(), path


def test_every_package_says_where_its_folder_is() -> None:
    for name, folder in SETUPTOOLS["package-dir"].items():
        assert (ROOT / folder / "__init__.py").is_file(), name
    assert set(SETUPTOOLS["package-dir"]) == set(SETUPTOOLS["packages"])


def test_a_data_package_holds_one_line_of_python() -> None:
    for folder in DATA.values():
        for path in files_in(folder, ".py"):
            assert (ROOT / path).name == "__init__.py"
            assert (ROOT / path).read_text(encoding="utf-8").count("\n") == 1


def test_only_the_headless_opencv_is_installed() -> None:
    """The other one needs system libraries, and overwrites this one's files."""
    installed = {distribution.name.lower().replace("_", "-") for distribution in distributions()}
    assert "opencv-python-headless" in installed
    assert not {"opencv-python", "opencv-contrib-python"} & installed


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel that was built from the sdist."""
    dist = tmp_path_factory.mktemp("dist")
    done = subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", dist, ROOT],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return dist


@pytest.fixture(scope="session")
def wheel(built: Path) -> Path:
    (found,) = built.glob("*.whl")
    return found


def test_a_release_is_built_by_files_that_are_pinned_to_their_digests() -> None:
    text = (ROOT / ".ci" / "build.txt").read_text("utf-8").replace("\\\n", " ")
    lines = [line.split() for line in text.splitlines() if not line.startswith("#")]
    pinned = {Requirement(name).name: digests for name, *digests in lines}
    assert pinned.keys() >= {"build", "setuptools"}
    for name, *_ in lines:
        assert str(Requirement(name).specifier).startswith("=="), name
    for name, digests in pinned.items():
        assert digests, name
        assert all(re.fullmatch("--hash=sha256:[0-9a-f]{64}", each) for each in digests), name
    (backend,) = PROJECT["build-system"]["requires"]
    (version,) = Requirement(next(name for name, *_ in lines if "setuptools" in name)).specifier
    assert version.version in Requirement(backend).specifier


def test_a_job_of_ci_pins_each_action_and_runs_scripts_that_exist() -> None:
    for name in ("ci", "release", "dependencies"):
        text = (ROOT / ".github" / "workflows" / f"{name}.yml").read_text("utf-8")
        for used in re.findall(r"uses: (\S+)", text):
            assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", used), used
        for script in re.findall(r"run: (\.ci/\w+)", text):
            assert os.access(ROOT / script, os.X_OK), script


def test_the_wheel_carries_every_file_of_the_packages(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    expected = set()
    for name, folder in (SOURCES | DATA).items():
        inside = name.replace(".", "/")
        for path in files_in(folder, ""):
            expected.add(inside + path.removeprefix(folder))
    assert {name for name in names if ".dist-info/" not in name} == expected
    assert {"memctl/py.typed", "memctl_cli/py.typed"} <= names
    assert {"memctl/schema/0001_store.sql", "memctl/sql/store/store.sql"} <= names


def test_the_wheel_puts_two_names_into_site_packages(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.partition("/")[0] for name in archive.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"memctl", "memctl_cli"}


def test_the_wheel_is_small(wheel: Path) -> None:
    assert wheel.stat().st_size < 3_500_000


def test_the_sdist_carries_sources_schema_sql_and_the_licence(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    expected = {"pyproject.toml", "README.md", "LICENSE"}
    for folder in (*SOURCES.values(), *DATA.values()):
        expected |= files_in(folder, "")
    assert expected - names == set()


def test_the_zipped_wheel_runs_as_it_is(wheel: Path, tmp_path: Path) -> None:
    """Schema, statements and the demo's screenshots are read from inside the archive."""
    script = f"""
import sys
sys.path[:] = [{str(wheel)!r}] + [
    entry
    for entry in sys.path
    if entry and ("site-packages" in entry or not entry.startswith({str(ROOT)!r}))
]
sys.meta_path[:] = [finder for finder in sys.meta_path if "__editable__" not in str(finder)]
import memctl
from memctl_cli.demo import bundle

assert memctl.__file__.startswith({str(wheel)!r}), memctl.__file__
with memctl.open("harbor", {str(tmp_path)!r}) as memory:
    memory.settings.set("forgetting", "everywhere")
    print(memory.settings.describe("forgetting").source, len(bundle.shot("login").png) > 1000)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert (done.stdout.strip(), done.returncode) == ("store True", 0), done.stderr


def test_python_m_memctl_is_the_command(tmp_path: Path) -> None:
    for words, code in ((["--home", str(tmp_path), "stores"], 0), (["nonsense"], 2)):
        done = subprocess.run(
            [sys.executable, "-m", "memctl", "--json", *words],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
        )
        assert done.returncode == code, done.stderr
        assert done.stdout.startswith('{"status": ')
        assert done.stderr == ""
