"""Pairs of siblings: what was learned, and what stands in its place on another page."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PAIRS", "Pair"]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two labels or two icons of one element.

    Parameters
    ----------
    kind
        The element: button, line (an outlined button), link, tab, menu, chip, badge or icon.
    nearness
        far (another word), near (one letter or digit, an icon mirrored) or confusable
        (O and 0; l, I and 1; two icons that differ by a stroke).
    """

    kind: str
    one: str
    other: str
    nearness: str


def _read(text: str) -> tuple[Pair, ...]:
    """Read lines of ``kind nearness: one/other, one/other``."""
    pairs = []
    for line in text.strip().splitlines():
        head, _, listed = line.partition(":")
        kind, nearness = head.split()
        for both in listed.split(","):
            one, _, other = both.strip().partition("/")
            pairs.append(Pair(kind, one, other, nearness))
    return tuple(pairs)


_DEVELOPMENT = """
button far: Archive/Restore, Publish/Discard, Connect/Dismiss, Approve/Decline, Merge/Clone
line far: Upload/Delete, Invite/Remove, Pause/Start, Compare/Refresh
link far: Show history/Edit account, Privacy/Support, More filters/Clear search
tab far: Overview/Settings, Billing/Members
menu far: Duplicate page/Rename folder, Print preview/Insert image
chip far: urgent/closed, design/travel
button near: Send/Lend, Sort/Port, Mode/Move, Hide/Ride, Step 3/Step 8
line near: Test/Text, Copy/Cozy, Form/Fork, Page 12/Page 13
link near: Read mail/Read main, Version 1.4/Version 1.7, Log in here/Log on here
tab near: Boards/Boardy, Week 31/Week 37
menu near: Link cells/Line cells, Sheet 5/Sheet 6, Take a note/Take a vote
chip near: ward 4/ward 1, blue/glue
badge near: 5/6, 27/21, 3/2, 80/90
icon near: arrow/back, play/play turned, flag/flag turned, plus/cross, down/up
icon far: gear/user, mail/cloud
button confusable: Room O4/Room 04, Plan I/Plan l
line confusable: Key l2/Key 12
chip confusable: BO7/B07, I9/l9
link confusable: Unit O3/Unit 03
menu confusable: Floor I/Floor 1
icon confusable: bell/bell off, lock/lock open, house/house door
icon confusable: search in/search out, sheet/sheet lines
"""

_REPORT = """
button far: Submit/Cancel, Confirm/Receive, Forward/Install, Replace/Schedule, Share/Erase
line far: Enable/Locate, Follow/Ignore, Unpack/Attach, Collect/Observe
link far: Learn about it/Report a fault, Careers/Sitemap, Change photo/Reset limits
tab far: Activity/Policies, Reviews/Devices
menu far: New window/Save a draft, By owner/To the left
chip far: pending/overdue, winter/garden
button near: Book/Look, Bind/Find, Lock/Lack, Trim/Trip, Level 6/Level 8
line near: Pack/Park, Call/Tall, Mark/Mask, Line 41/Line 47
link near: See the cost/See the cast, Build 2.2/Build 2.3, Step back to top/Stop back to top
tab near: Prices/Prizes, Hall 14/Hall 19
menu near: Sand table/Send table, Frame 3/Frame 9, Add a point/Add a paint
chip near: zone 2/zone 7, gold/bold
badge near: 8/9, 64/61, 4/7, 30/50
icon near: back/arrow, play turned/play, flag turned/flag, cross/plus, up/down
icon far: heart/tag, star/eye
button confusable: Gate 0A/Gate OA, Type l/Type I
line confusable: Row 1x/Row lx
chip confusable: D0/DO, l5/15
link confusable: Shelf 0/Shelf O
menu confusable: Cell I/Cell 1
icon confusable: ring/ring dot, bin/bin full, user/user plus
icon confusable: clock/clock late, box/box ticked
"""

PAIRS = {"development": _read(_DEVELOPMENT), "report": _read(_REPORT)}
"""Sixty pairs a half; no label stands twice in a half."""
