"""What comes along with memctl may be used, changed and handed on, and docs/licences.md says so of each."""

from __future__ import annotations

import re
from email.message import Message
from itertools import chain

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.docs import licences
from tests.each import each

WRITTEN = {
    name: (licence, brings.split(", "))
    for name, licence, brings in re.findall(
        r"^\| (\S+) \| (.*?) \| (.*?) \|$", licences.PAGE.read_text("utf-8"), re.MULTILINE
    )
    if name not in {"package", "---"}
}


@pytest.fixture(scope="module")
def installed() -> dict[str, tuple[str, list[str]]]:
    return licences.brought_along()


def test_no_package_that_comes_along_has_another_licence_than_those_allowed(
    installed: dict[str, tuple[str, list[str]]],
) -> None:
    others = {
        name: licence
        for name, (licence, _) in installed.items()
        if not licences.parts_of(licence) <= licences.ALLOWED
    }
    assert others == {}
    assert len(installed) > 100


def test_the_page_names_every_dependency_with_its_licence_and_its_extras(
    installed: dict[str, tuple[str, list[str]]],
) -> None:
    project = licences.PROJECT
    extras = project["optional-dependencies"].values()
    direct = {
        canonicalize_name(Requirement(line).name)
        for line in chain(project["dependencies"], *extras)
    }
    # What these bring along differs with their versions; what is on the page is right all the same.
    both = installed.keys() & WRITTEN.keys()
    assert {name: installed[name] for name in direct & installed.keys()} == {
        name: WRITTEN[name] for name in direct & WRITTEN.keys()
    }, "write it anew: python -m tests.docs.licences"
    assert {name: installed[name][0] for name in both} == {name: WRITTEN[name][0] for name in both}


@each(
    ("said", "licence", "allowed"),
    [
        ({"License-Expression": "MIT"}, "MIT", True),
        ({"License-Expression": "GPL-3.0-or-later"}, "GPL-3.0-or-later", False),
        ({"License-Expression": "GPL-2.0-only OR MIT"}, "GPL-2.0-only OR MIT", True),
        ({"License-Expression": "GPL-2.0-only AND MIT"}, "GPL-2.0-only AND MIT", False),
        ({"License": "GPLv3+"}, "GPL", False),
        ({"License": "MPL-2.0 AND MIT"}, "MPL-2.0 AND MIT", True),
        ({"License": "BSD", "Classifier": "License :: OSI Approved :: BSD License"}, "BSD-3-Clause", True),
        ({"Classifier": "License :: OSI Approved :: GNU Affero General Public License v3"}, "GPL", False),
        ({}, "says nothing", False),
    ],
)  # fmt: skip
def test_a_licence_is_read_however_it_is_said(
    said: dict[str, str], licence: str, allowed: bool
) -> None:
    metadata = Message()
    for name, value in {"Name": "some-package", **said}.items():
        metadata[name] = value
    read = licences.licence_of(metadata)
    assert (read, licences.parts_of(read) <= licences.ALLOWED) == (licence, allowed)
