"""``memctl learn``, ``match``, ``locate``, ``diff`` and ``wait``: screenshots."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from memctl.base.errors import UnusableInputError, UsageError
from memctl_cli.call import Answer, Call
from memctl_cli.commands.options import (
    AppVersion,
    AsLearned,
    Dark,
    Ignore,
    Image,
    Images,
    Ocr,
    Page,
    PageFrom,
    Profile,
    Recorded,
    Scale,
    Text,
    Timeout,
    Viewport,
    Window,
    areas_of,
    window_of,
)
from memctl_cli.completed_values import offered
from memctl_cli.output.records import table_of
from memctl_cli.output.words import area_words, counted, place_lines, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.drivers.look import Look
    from memctl.memory import Memory
    from memctl.visual.comparing import ComparedPictures, Difference
    from memctl.visual.ignored_areas import Area
    from memctl.visual.match_results import Learn, Location, Match
    from memctl.visual.waiting import Waited
    from memctl_cli.output.console import Console

_NOT_FOUND = 4
_MOST = 20  # components in a table
_MOST_CHANGES = 40
# CSS pixels of a viewport.
_LEAST_SIDE, _MOST_SIDE = 100, 10_000


def learn(
    call: Call,
    image: Images,
    boxes: Annotated[
        Text, Option(help="JSON list of {x,y,w,h,label?,type?}; else boxes are proposed.")
    ] = None,
    page: Page = None,
    page_from: PageFrom = None,
    again: Annotated[
        bool, Option("--again", help="Of many: learn what was learned before once more.")
    ] = False,
    window: Window = None,
    ignore: Ignore = None,
    ocr: Ocr = False,
    app_version: AppVersion = None,
    viewport: Viewport = None,
    scale: Scale = None,
    dark: Dark = False,
    profile: Profile = None,
    timeout: Timeout = None,
) -> Answer:
    """Learn a screen: add what is new, update what is known, name the screen.

    Of many, each is learned by itself, and one that is broken is named and skipped: then the exit
    code is 2. The name of a file is its page; shot.json beside shot.png holds its boxes.

    Example: memctl learn http://localhost:8000/orders

    Example: memctl --app chromium/united.com learn shot.png --boxes dom.json --page search

    Example: memctl --app harbor learn shots --page-from '(.+)-'
    """
    (first, *more) = image
    options = browser_options(first, viewport, scale, dark, profile, timeout)
    about: dict[str, Any] = {
        "page": page,
        "window": window_of(window),
        "ocr": ocr,
        "app_version": app_version,
        "ignore": areas_of("--ignore", ignore),
    }
    if more or again or page_from is not None or _is_several(first):
        return _learn_many(call, image, boxes, about, page_from, again=again)
    call.look_at(first)
    with call.memory() as memory:
        answer = memory.learn(_pixels(first, memory, options), boxes, **about)
    store = "" if call.named else call.address
    return Answer(answer, lambda on: _show_learned(on, answer, store), len(answer.learned))


def _is_no_file(image: str) -> bool:
    from memctl.drivers.live_sources import is_url

    return is_url(image) or image in {"-", "screen"}


def _is_several(image: str) -> bool:
    """Return whether an image is a folder or a pattern."""
    path = Path(image).expanduser()
    several = path.is_dir() or (not path.exists() and any(sign in image for sign in "*?["))
    return several and not _is_no_file(image)


def _learn_many(
    call: Call,
    images: Sequence[str],
    boxes: str | None,
    about: dict[str, Any],
    page_from: str | None,
    *,
    again: bool,
) -> Answer:
    from memctl_cli.commands.screen_files import learn_files

    if boxes is not None:
        hint = "name them shot.png and shot.json, and leave out --boxes"
        raise UsageError("the boxes of many screenshots lie beside them", hint=hint)
    for image in images:
        if _is_no_file(image):
            raise UsageError(f'"{image}" is learned alone', hint="one command for each")
    return learn_files(call, images, about, page_from, again=again)


def match(
    call: Call,
    image: Image,
    page: Page = None,
    window: Window = None,
    record: Recorded = True,
    png: Annotated[
        Path | None, Option(help="Write the screenshot with boxes drawn on it to this file.")
    ] = None,
    ocr: Ocr = False,
    app_version: AppVersion = None,
    as_learned: AsLearned = False,
    ignore: Ignore = None,
    viewport: Viewport = None,
    scale: Scale = None,
    dark: Dark = False,
    profile: Profile = None,
    timeout: Timeout = None,
) -> Answer:
    """Find the state and the components of a screenshot, and say what is absent and why.

    Example: memctl match http://localhost:8000/orders --png seen.png

    Example: memctl --app chromium/united.com match shot.png --png seen.png
    """
    options = browser_options(image, viewport, scale, dark, profile, timeout)
    call.look_at(image)
    with call.memory(reading=True) as memory:
        source = _pixels(image, memory, options)
        answer = memory.match(
            source,
            window_of(window),
            page=page,
            record=record,
            app_version=app_version,
            ocr=ocr,
            as_learned=as_learned,
            ignore=areas_of("--ignore", ignore),
        )
    if png is not None:
        from memctl_cli.drawing.marks import draw_match

        png.write_bytes(draw_match(source, answer))
    return Answer(answer, lambda on: _show_match(on, answer), len(answer.sightings))


def locate(
    call: Call,
    name: Annotated[
        str, Argument(help="A component's name, label or id.", autocompletion=offered("component"))
    ],
    image: Image,
    window: Window = None,
    beside: Annotated[
        Text,
        Option(
            metavar="TEXT",
            help="Choose one of equal places: a text, or a component's name, label or id, in the "
            "same row, on the same card or in the same group.",
        ),
    ] = None,
    as_learned: AsLearned = False,
    ignore: Ignore = None,
    viewport: Viewport = None,
    scale: Scale = None,
    dark: Dark = False,
    profile: Profile = None,
    timeout: Timeout = None,
) -> Answer:
    """Find one component on a screenshot; exit 4 when it is not there.

    Example: memctl locate New_invoice http://localhost:8000/orders

    Example: memctl --app harbor locate New_invoice shot.png

    Example: memctl --app harbor locate Delete shot.png --beside "Ann Berg"
    """
    options = browser_options(image, viewport, scale, dark, profile, timeout)
    call.look_at(image)
    with call.memory(reading=True) as memory:
        answer = memory.locate(
            name,
            _pixels(image, memory, options),
            window_of(window),
            beside=beside,
            as_learned=as_learned,
            ignore=areas_of("--ignore", ignore),
        )
    code = 0 if answer.found else _NOT_FOUND
    return Answer(answer, lambda on: _show_place(on, answer), int(answer.found), exit_code=code)


def diff(
    call: Call,
    first: Annotated[
        str,
        Argument(
            help="A PNG or JPEG file; alone, a component's name, label or id.",
            autocompletion=offered("component"),
        ),
    ],
    second: Annotated[Text, Argument(help="The file to compare it with.")] = None,
    png: Annotated[
        Path | None, Option(help="Write both, marked, and where they are alike to this file.")
    ] = None,
    ignore: Ignore = None,
) -> Answer:
    """Compare two screenshots, or a component's first look with its last.

    With --app, changes are named by the components that stand there.

    Example: memctl diff monday.png friday.png --png changes.png

    Example: memctl --app harbor diff New_invoice
    """
    compared = _compared(call, first, second, areas_of("--ignore", ignore))
    if png is not None:
        from memctl_cli.drawing.difference import draw_difference

        names = ("first look", "last look") if second is None else (first, second)
        png.write_bytes(draw_difference(compared, names=names))
    found = compared.difference
    return Answer(found, lambda on: _show_difference(on, found), len(found.changes))


def wait(
    call: Call,
    name: Annotated[
        str,
        Argument(
            help="A state's id, name or page, or a component's name or id.",
            autocompletion=offered("screen"),
        ),
    ],
    image: Image,
    window: Window = None,
    timeout: Annotated[float, Option(help="Seconds to wait at most.", min=0, max=86_400)] = 10.0,
    interval: Annotated[float, Option(help="Seconds between two looks.", min=0, max=3_600)] = 0.5,
    record: Recorded = True,
    ignore: Ignore = None,
    viewport: Viewport = None,
    scale: Scale = None,
    dark: Dark = False,
    profile: Profile = None,
) -> Answer:
    """Look until a state or a component is on the screen; exit 4 when the time is over.

    Example: memctl wait orders http://localhost:8000/orders --timeout 30

    Example: memctl --app harbor wait New_invoice screen
    """
    if image == "-":
        raise UsageError("standard input does not change", hint="name a file, a URL or screen")
    options = browser_options(image, viewport, scale, dark, profile)
    call.look_at(image)
    with call.memory() as memory:
        answer = memory.wait(
            name,
            image,
            window_of(window),
            timeout=timeout,
            interval=interval,
            record=record,
            ignore=areas_of("--ignore", ignore),
            **options,
        )
    code = 0 if answer.found else _NOT_FOUND
    return Answer(answer, lambda on: _show_waited(on, answer), int(answer.found), exit_code=code)


def browser_options(
    image: str,
    viewport: str | None,
    scale: float | None,
    dark: bool,
    profile: str | None,
    timeout: float | None = None,
) -> dict[str, Any]:
    """Return the options of the browser driver that were given.

    Raises
    ------
    UsageError
        When one is given and the image is no URL, or the viewport is no size.
    """
    from memctl.drivers.live_sources import is_url

    given = {"scale": scale, "dark": dark or None, "profile": profile, "timeout": timeout}
    options: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    if viewport is not None:
        options["viewport"] = _size_of(viewport)
    if options and not is_url(image):
        raise UsageError(f"--{next(iter(options))} needs a URL", hint="leave it out for an image")
    return options


def _size_of(text: str) -> tuple[int, int]:
    try:
        width, height = (int(part) for part in text.lower().split("x"))
    except ValueError:
        width = height = 0
    if not all(_LEAST_SIDE <= side <= _MOST_SIDE for side in (width, height)):
        raise UsageError(f'--viewport "{text}" is not WxH', hint="such as 1280x800")
    return width, height


def _pixels(image: str, memory: Memory, options: dict[str, Any]) -> str | bytes | Look:
    """Return the path of an image, the bytes of standard input, or a look at a live screen.

    Raises
    ------
    UnusableInputError
        When standard input is closed, or longer than any image that would be read; when a
        live screen cannot be looked at.
    """
    if image != "-":
        return memory.look(image, **options) or image
    hint = "send a PNG or JPEG to it"
    if sys.stdin is None:
        raise UnusableInputError("standard input is closed", hint=hint)
    # No format needs more than 8 bytes a pixel, and a little for its header.
    most = 8 * memory.settings.integer("max_pixels") + 1_048_576
    data = sys.stdin.buffer.read(most + 1)
    if len(data) > most:
        raise UnusableInputError(
            f"standard input is too large for an image: over {most:,} bytes", hint=hint
        )
    return data


def _compared(
    call: Call, first: str, second: str | None, ignore: Sequence[Area]
) -> ComparedPictures:
    if second is None and ignore:
        raise UsageError("--ignore needs two images", hint="memctl diff A.png B.png --ignore ...")
    if second is None:
        if Path(first).is_file():
            raise UsageError(
                f'"{first}" is a file, and there is nothing to compare it with',
                hint="memctl diff A.png B.png; a component of that name: its id",
            )
        with call.memory(existing=True) as memory:
            return memory.visual.compared_looks(first)
    if call.named:
        with call.memory(readonly=True) as memory:
            return memory.visual.compared(first, second, ignore=ignore)
    from memctl.visual.comparing import compare_images

    return compare_images(first, second, ignore=ignore)


def _show_rows(console: Console, kind: str, rows: Sequence[object], most: int) -> None:
    if rows[:most]:
        console.print(table_of(kind, rows[:most]))
    if len(rows) > most:
        console.print(f"          and {len(rows) - most} more; --json lists all")


def _show_match(console: Console, answer: Match, *, most: int = _MOST) -> None:
    state = answer.state
    if state is None:
        console.print("state     unknown" + (f": {shown(answer.doubt)}" if answer.doubt else ""))
    else:
        name = f"  {state.name}" if state.name else ""
        console.print(
            f"state     {state.id}{name}  {state.status}, similarity {state.similarity:.2f}"
        )
    console.print(f"found     {counted(len(answer.sightings), 'component')}")
    _show_rows(console, "sighting", answer.sightings, most)
    for remark in filter(None, (answer.unrecorded, answer.note)):
        console.print(shown(remark))
    if answer.absent:
        console.print(f"absent    {len(answer.absent)} that are expected here")
        console.print(table_of("absent component", answer.absent[:most]))
    for gone in answer.forgotten:
        console.print(f"forgotten {gone.name}: {gone.why}")
    if answer.ignored:
        console.print(f"ignored   {area_words(answer.ignored)}")
    console.print(f"time      {sum(answer.ms.values()):.1f} ms")


def _show_learned(console: Console, answer: Learn, store: str) -> None:
    _show_match(console, answer, most=0)
    fate = "a new state" if answer.state_created else "seen before"
    console.print(f"screen    {fate if answer.state else 'nothing on it to know it by'}")
    if store:
        console.print(f"store     {store}; --app names another")
    console.print(f"learned   {counted(len(answer.learned), 'component')}")
    _show_rows(console, "learned component", answer.learned, _MOST)
    for why, count in Counter(one.why for one in answer.refused).most_common():
        console.print(f"refused   {count} x {why}")
    for merged in answer.states_merged:
        console.print(f"merged    {merged.merged} into {merged.into} ({merged.similarity:.2f})")


def _show_place(console: Console, answer: Location) -> None:
    for line in place_lines(answer):
        console.print(line)


def _show_difference(console: Console, difference: Difference) -> None:
    for note in difference.notes:
        console.print(shown(note))
    if not difference.changes:
        console.print("no difference")
        return
    console.print(table_of("change of a picture", enumerate(difference.changes[:_MOST_CHANGES], 1)))
    more = f", {_MOST_CHANGES} shown; --json lists all"
    console.print(
        f"{counted(len(difference.changes), 'change')} in {difference.share:.1%} of the pixels"
        + (more if len(difference.changes) > _MOST_CHANGES else "")
    )


def _show_waited(console: Console, answer: Waited) -> None:
    came = "there" if answer.found else "not there"
    console.print(f"{answer.name}: {came} after {answer.seconds:.1f} s, {answer.looks} looks")
    _show_match(console, answer.match, most=20 if answer.found else 5)
