"""The screen driver: takes pictures of the desktop."""

from __future__ import annotations

from memctl.base.errors import UnusableInputError, UsageError
from memctl.drivers.look import Look

_HINT = "pip install 'memctl-engine[screen]'"


class ScreenDriver:
    """The desktop, all of its monitors together; it knows no boxes."""

    def look(self) -> Look:
        """Return a picture of the desktop as it is now.

        Raises
        ------
        UsageError
            When the extra is not installed.
        UnusableInputError
            When there is no display, or it shows nobody its pixels.
        """
        try:
            import mss
        except ImportError:
            raise UsageError('looking at the screen needs the extra "screen"', hint=_HINT) from None
        from mss.exception import ScreenShotError
        from mss.tools import to_png

        try:
            with mss.MSS() as camera:
                shot = camera.grab(camera.monitors[0])
                png = to_png(shot.rgb, shot.size)
        except ScreenShotError as error:
            raise UnusableInputError(
                f"the screen cannot be read: {error}".partition("\n")[0],
                hint="is there a display? On Linux, DISPLAY names it",
            ) from None
        return Look(png=png or b"", size=(shot.width, shot.height))
