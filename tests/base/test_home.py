"""Addresses become paths inside the home, or a clear error: nothing in between."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.base.errors import FileAccessError, MemctlError, UsageError
from memctl.base.home import Address, default_home, parse_address, stores
from tests.each import each

HOME = Path("/home/of/memories")


def reduced(url: str) -> str | None:
    return parse_address(f"chromium/{url}").site


def test_an_app_is_one_file() -> None:
    assert parse_address("agent").path(HOME) == HOME / "apps" / "agent.db"


def test_a_site_has_a_file_of_its_own_below_its_browser() -> None:
    address = parse_address("chromium/united.com")
    assert address.path(HOME) == HOME / "apps" / "chromium" / "sites" / "united.com.db"
    assert address.browser == Address("chromium")
    assert parse_address("chromium").browser is None


@each("text", ["agent", "chromium/united.com", "firefox/localhost+3000"])
def test_an_address_reads_back_as_it_was_written(text: str) -> None:
    assert str(parse_address(text)) == text


@each(
    ("url", "site"),
    [
        ("https://united.com", "united.com"),
        ("https://www.united.com/en/us?x=1#top", "united.com"),
        ("HTTPS://WWW.United.COM/", "united.com"),
        ("https://user:pw@united.com/", "united.com"),
        ("https://www2.united.com/", "www2.united.com"),
        ("https://mail.www.united.com/", "mail.www.united.com"),
        ("http://127.0.0.1:8080/x", "127.0.0.1+8080"),
    ],
)
def test_a_url_is_reduced_to_its_host(url: str, site: str) -> None:
    assert reduced(url) == site


@each(
    ("url", "site"),
    [
        ("http://[::1]/", "0-0-0-0-0-0-0-1.ipv6-literal.net"),
        ("http://[::1]:8080/", "0-0-0-0-0-0-0-1.ipv6-literal.net+8080"),
        ("https://[2001:DB8::C0DE]/", "2001-db8-0-0-0-0-0-c0de.ipv6-literal.net"),
        ("http://[::ffff:127.0.0.1]/", "0-0-0-0-0-ffff-7f00-1.ipv6-literal.net"),
    ],
)
def test_an_ipv6_address_has_one_name_however_it_is_written(url: str, site: str) -> None:
    assert reduced(url) == site
    assert str(parse_address(f"chromium/{site}")) == f"chromium/{site}"


@each(
    ("url", "site"),
    [
        ("http://localhost:3000/", "localhost+3000"),
        ("localhost:3000", "localhost+3000"),
        ("http://united.com:80/", "united.com"),
        ("https://united.com:443/", "united.com"),
        ("https://united.com:80/", "united.com+80"),
        ("http://united.com:443/", "united.com+443"),
        ("http://united.com:/", "united.com"),
    ],
)
def test_a_port_stays_unless_it_is_the_usual_one(url: str, site: str) -> None:
    assert reduced(url) == site


@each(
    ("url", "site"),
    [
        ("https://bücher.example/", "xn--bcher-kva.example"),
        ("https://BÜCHER.example/", "xn--bcher-kva.example"),
        ("https://www\u3002bücher.example/", "xn--bcher-kva.example"),
        ("https://例え.テスト/", "xn--r8jz45g.xn--zckzah"),
    ],
)
def test_an_international_host_is_written_in_ascii(url: str, site: str) -> None:
    assert reduced(url) == site


@each(
    "url",
    [
        "file:///etc/passwd",
        "https://",
        "https://[::1",
        "http://[fe80::1%25eth0]/",
        "http://[::1::2]/",
        "http://[v7.x]/",
        "https://united.com:99999/",
        "https://..%2f..%2fetc/",
        "https://a..b/",
        "https://-united.com/",
        "https://" + "ü" * 70 + ".com/",
        "://united.com",
    ],
)
def test_a_url_without_a_usable_host_is_refused(url: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse_address(f"chromium/{url}")
    assert raised.value.exit_code == 2


def test_a_url_without_a_browser_is_told_how_to_name_one() -> None:
    with pytest.raises(UsageError) as raised:
        parse_address("https://www.united.com/en")
    assert "chromium/https://www.united.com/en" in raised.value.hint


@each(
    "text",
    [
        "",
        ".",
        "..",
        "../x",
        "x/..",
        "x/../y",
        "/etc/passwd",
        "x/",
        "/x",
        "x\\y",
        "x/..\\y",
        "a..b",
        ".hidden",
        "~",
        "x:y",
        "x y",
        "x\n",
        "x\x00y",
        "x..",
        "-x",
        "a" * 101,
    ],
)
def test_a_name_that_could_leave_its_folder_is_refused_with_what_is_allowed(text: str) -> None:
    with pytest.raises(UsageError, match="is not allowed") as raised:
        parse_address(text)
    assert "lower-case letters" in raised.value.hint


@each(
    ("text", "store"),
    [
        ("Chromium", "chromium"),
        ("aGent.", "agent"),
        ("chromium/United.com", "chromium/united.com"),
        ("chromium/www.united.com", "chromium/united.com"),
        ("Chromium/WWW.United.com./en/us", "chromium/united.com"),
        ("chromium/https://united.com./", "chromium/united.com"),
        ("chromium/www.com", "chromium/www.com"),
    ],
)
def test_what_people_write_of_one_place_leads_to_one_store(text: str, store: str) -> None:
    assert str(parse_address(text)) == store


@each("text", ["\u017f", "\ufb01", "x/é", "\u212aiosk"])
def test_a_letter_that_is_not_ascii_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is not allowed"):
        parse_address(text)


@each("name", ["con", "nul", "prn", "aux", "com1", "lpt9", "con.x", "nul.tar.gz"])
def test_a_device_name_is_reserved_for_apps_and_sites(name: str) -> None:
    for text in (name, f"chromium/{name}"):
        with pytest.raises(UsageError, match=f'"{name}" is reserved'):
            parse_address(text)


@each("name", ["console", "com10", "auxiliary", "null"])
def test_a_name_that_only_begins_like_a_device_is_fine(name: str) -> None:
    assert parse_address(name).app == name


@each("name", ["x.db", "x.db-wal", "x.db-shm", "x.db-journal"])
def test_an_app_whose_folder_would_be_the_file_of_another_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="is reserved"):
        parse_address(f"{name}/united.com")


names = st.text(alphabet="abz09.-_+/:w", max_size=12)
urls = st.builds("b/{}://{}{}".format, st.sampled_from(["http", "x", ""]), st.text(), st.text())


@given(st.one_of(st.text(), names, urls))
def test_any_text_gives_a_path_inside_home_or_a_usage_error(text: str) -> None:
    try:
        path = parse_address(text).path(HOME)
    except UsageError:
        return
    assert path.is_relative_to(HOME / "apps")
    assert ".." not in path.parts
    assert path.suffix == ".db"
    assert str(path).isascii()
    assert str(path) == str(path).lower()


@given(st.lists(st.one_of(names, urls), min_size=2, max_size=6))
def test_no_stores_file_is_another_ones_folder(texts: list[str]) -> None:
    found = set()
    for text in texts:
        try:
            found.add(parse_address(text))
        except UsageError:
            continue
    paths = [address.path(HOME) for address in found]
    assert len(set(paths)) == len(found)
    for path in paths:
        assert not any(path in other.parents for other in paths)


@given(st.one_of(st.text(), names, urls))
def test_an_address_is_its_own_reduction(text: str) -> None:
    try:
        address = parse_address(text)
    except UsageError:
        return
    assert parse_address(str(address)) == address


def test_home_is_the_one_asked_for_then_the_environments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_HOME", str(tmp_path / "environment"))
    assert default_home(tmp_path / "asked") == tmp_path / "asked"
    assert default_home() == tmp_path / "environment"
    monkeypatch.delenv("MEMCTL_HOME")
    assert default_home().name == "memctl"


def test_a_tilde_is_the_users_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    assert default_home("~/memories") == Path("/home/me/memories")


@each("bad", ["", "~no-such-user-here/x", "a\x00b"])
def test_a_home_that_cannot_be_is_refused(bad: str) -> None:
    with pytest.raises(UsageError, match="home"):
        default_home(bad)


def test_a_home_stays_where_it_was_when_the_process_changes_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert default_home("memories") == tmp_path / "memories"


def test_stores_lists_apps_then_sites_sorted(tmp_path: Path) -> None:
    for text in ("zed", "agent", "chromium/united.com", "chromium/a.com"):
        path = parse_address(text).path(tmp_path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    found = [str(address) for address in stores(tmp_path)]
    assert found == ["agent", "zed", "chromium/a.com", "chromium/united.com"]


def test_stores_passes_over_what_is_no_store(tmp_path: Path) -> None:
    apps = tmp_path / "apps"
    apps.mkdir()
    (apps / "My Notes.db").touch()
    (apps / "agent.db-wal").touch()
    (apps / "agent.db").touch()
    assert [str(address) for address in stores(tmp_path)] == ["agent"]


def test_a_home_that_does_not_exist_has_no_stores(tmp_path: Path) -> None:
    assert list(stores(tmp_path / "nowhere")) == []


def test_a_file_is_no_home(tmp_path: Path) -> None:
    file = tmp_path / "home"
    file.write_text("notes")
    with pytest.raises(MemctlError, match="is a file, where a folder has to be"):
        default_home(file)
    assert file.read_text() == "notes"


@each("name", ["a\ud800b", "~/\udfff"])
def test_a_home_whose_name_no_file_can_have_is_refused(name: str) -> None:
    with pytest.raises(FileAccessError, match="no file can have"):
        default_home(name)
