"""Arguments and options that several commands share, so that each is spelt and explained alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from memctl.base.errors import UsageError
from memctl_cli.completed_values import offered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.visual.ignored_areas import Area

Text = str | None
Texts = list[str] | None

Yes = Annotated[bool, Option("--yes", help="Do not ask.")]
DryRun = Annotated[
    bool, Option("--dry-run", help="Only show what would happen; nothing is changed.")
]
# Of packs.
PublicKey = Annotated[Text, Option(help="The public key that must have signed it.")]
Unsigned = Annotated[bool, Option("--unsigned", help="Take a pack that nobody vouches for.")]
Sign = Annotated[Text, Option(help="Sign it with the private key in this file.")]
Replace = Annotated[bool, Option("--replace", help="Write over the file.")]
Apply = Annotated[bool, Option("--apply", help="Write; without it, only show.")]
Duplicates = Annotated[bool, Option("--duplicates", help="Those that say what another one says.")]
Forgotten = Annotated[bool, Option("--forgotten", help="The forgotten ones instead.")]
AllStores = Annotated[
    bool, Option("--all-stores", help="Every store of this home, not only --app.")
]
Limit = Annotated[int, Option("--limit", min=1, max=1_000_000, help="At most so many.")]
Most = Annotated[
    int | None,
    Option("--limit", min=1, help="At most so many; else as the setting recall_limit says."),
]
# Of a list: Call.limit knows what holds where it is not given.
Limited = Annotated[
    int | None, Option("--limit", min=1, help="At most so many; else 20, and all with --json.")
]
User = Annotated[Text, Option("--user", help="Only this user's facts.")]
Agent = Annotated[Text, Option("--agent", help="Only this agent's facts.")]
Tools = Annotated[Text, Option(help="memory, screens or all; by default by the store.")]
Why = Annotated[str, Option("--why", help="The reason, kept.")]
Recorded = Annotated[
    bool, Option("--record/--no-record", help="Keep a record of this call in the store.")
]
Explain = Annotated[bool, Option("--explain", help="Show how each score adds up.")]
Source = Annotated[Text, Option(help="The source: a person, a file, a URL.")]
Confidence = Annotated[
    str, Option(help="low, medium or high.", autocompletion=offered("confidence"))
]
Category = Annotated[
    Text,
    Option(
        "--category", "-c", help="identity, rule, decision, ...", autocompletion=offered("category")
    ),
]
Categories = Annotated[
    Texts,
    Option(
        "--category",
        "-c",
        help="Only this category; may be given again.",
        autocompletion=offered("category"),
    ),
]
Said = Annotated[str, Argument(help='What was said; "-" reads it from standard input.')]

# Of screenshots.
Image = Annotated[
    str,
    Argument(help="A PNG or JPEG file, an http or https URL, or screen; - reads standard input."),
]
Images = Annotated[
    list[str],
    Argument(
        help="A PNG or JPEG file, an http or https URL, or screen; - reads standard input. Many: "
        "several files, a folder, a pattern such as 'shots/*.png'.",
        metavar="IMAGE",
    ),
]
Folder = Annotated[str, Argument(help="A folder; its subfolders too.")]
PageFrom = Annotated[
    Text,
    Option(
        metavar="REGEX",
        help="The page of each of many screenshots: what is found in its path below the folder, "
        "the group page or the first.",
    ),
]
Viewport = Annotated[Text, Option(help="Size of a URL's page, WxH in CSS pixels.")]
Scale = Annotated[
    float | None, Option(help="Pixels to one CSS pixel of a URL's page.", min=0.5, max=4)
]
Dark = Annotated[bool, Option("--dark", help="Ask a URL's page for its dark theme.")]
Profile = Annotated[Text, Option(help="Folder of a browser profile that is signed in to a URL.")]
Timeout = Annotated[
    float | None, Option(help="Seconds that a URL's page may take.", min=0.1, max=600)
]
Window = Annotated[Text, Option(help="The app's window, X,Y,W,H in image pixels.")]
Ignore = Annotated[
    Texts,
    Option(
        metavar="X,Y,W,H[=LABEL]",
        help="An area that does not count, such as a clock, in image pixels; may be repeated.",
    ),
]
Page = Annotated[
    Text,
    Option(
        help="Your name of this page; states of two pages are never merged.",
        autocompletion=offered("page"),
    ),
]
Ocr = Annotated[
    bool, Option("--ocr", help="Read texts too (needs the extra: memctl-engine\\[ocr]).")
]
AppVersion = Annotated[Text, Option(help="Version of the app on the screenshot, for reports.")]
AsLearned = Annotated[
    bool,
    Option(
        "--as-learned",
        help="Leave out what stands at its place in another dress, such as other colours.",
    ),
]
State = Annotated[
    str, Argument(help="A state's id, name or page.", autocompletion=offered("state"))
]
FromState = Annotated[
    str,
    Argument(
        help="Where it begins: a state's id, name or page.",
        metavar="FROM",
        autocompletion=offered("state"),
    ),
]
ToState = Annotated[
    str, Argument(help="Where it leads to.", metavar="TO", autocompletion=offered("state"))
]

# Of skills.
SkillName = Annotated[
    str, Argument(help="A skill's name or id.", metavar="NAME", autocompletion=offered("skill"))
]
Params = Annotated[Texts, Option("--param", metavar="KEY=VALUE", help="A value; several.")]
Trigger = Annotated[Texts, Option(help="What it is asked for with; several.")]
Verify = Annotated[
    Texts,
    Option(
        metavar="CHECK",
        help='What else must say so: reload, none, "http=URL contains=TEXT" (or lacks=TEXT), '
        '"sql=FILE query=QUERY equals=TEXT" or "command=WORDS"; several.',
    ),
]


def window_of(text: str | None) -> tuple[int, int, int, int] | None:
    """Return the window that `Window` names."""
    return None if text is None else area_of("--window", text)


def areas_of(option: str, texts: Sequence[str] | None) -> list[Area]:
    """Return the areas of an option or argument, each X,Y,W,H with perhaps =LABEL behind it."""
    parted = (text.partition("=") for text in texts or ())
    return [
        (*area_of(option, place), label) if label else area_of(option, place)
        for place, _, label in parted
    ]


def area_of(option: str, text: str) -> tuple[int, int, int, int]:
    """Return the four numbers of an option."""
    try:
        x, y, w, h = (int(part) for part in text.split(","))
    except ValueError:
        raise UsageError(f'{option} "{text}" is not X,Y,W,H', hint="four whole numbers") from None
    return x, y, w, h
