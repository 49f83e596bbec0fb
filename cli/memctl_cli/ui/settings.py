"""The pages of settings: what is set where, and the form that changes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.errors import NotFoundError
from memctl.config.setting import spelt
from memctl.config.settings import KNOWN, SettingValue
from memctl_cli.ui.view import Route, Undo, View, version_of

if TYPE_CHECKING:
    from starlette.responses import Response


def setting_list(view: View) -> Response:
    """Show the settings with some words in their name or purpose."""
    words = view.asked("q").casefold()
    shown = [
        setting
        for setting in view.memory.settings.list()
        if words in f"{setting.key} {setting.help}".casefold()
    ]
    shown.sort(key=lambda setting: setting.source == "default")
    return view.page("settings.html", settings=shown, words=view.asked("q"), spelt=spelt)


def setting(view: View) -> Response:
    """Show one setting, and the form that changes it."""
    shown = _described(view)
    known = KNOWN[shown.key]
    choices = ("true", "false") if isinstance(known.default, bool) else known.choices
    return view.page(
        "setting.html",
        setting=shown,
        choices=choices,
        limits=known,
        spelt=spelt,
        version=_version(shown),
    )


def change(view: View) -> Response:
    """Keep what was typed in the store, or take it out of the store."""
    before, settings = _described(view), view.memory.settings
    with view.unchanged(lambda: _version(_described(view))):
        if "unset" in view.form:
            after = settings.unset(before.key)
        else:
            after = settings.set(before.key, view.typed("value"))
    fields = {"version": _version(after)}
    fields |= {"value": spelt(before.value)} if before.source == "store" else {"unset": "1"}
    undo = Undo(view.path("settings", before.key), fields)
    return view.done(
        f"{after.key} is {spelt(after.value)} now ({after.source})",
        view.path("settings", after.key),
        undo,
    )


def _described(view: View) -> SettingValue:
    key = view.part("key")
    if key not in KNOWN:
        raise NotFoundError(f'there is no setting "{key:.60}"', hint="choose one of the list")
    return view.memory.settings.describe(key)


def _version(setting: SettingValue) -> str:
    return version_of(setting, "value", "source")


PAGES = (Route("settings", setting_list), Route("settings/{key}", setting, change))
