"""Screenshots in: any file, bytes, array or PIL image with a picture, as one kind of frame.

Every input that cannot serve is refused with one line before a pixel of it is used: a
half-decoded screenshot would be learned as a screen whose lower half is grey.
"""

from __future__ import annotations

import hashlib
import io
import math
import os
import warnings
import zlib
from typing import TYPE_CHECKING, Any, BinaryIO

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from memctl.base.errors import StoreDamagedError, UnusableInputError, UsageError, WrongTypeError
from memctl.visual.frame import Frame, Pixels
from memctl.visual.reading.input_files import quoted, read_limited

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ImageSource = (
    str
    | os.PathLike[str]
    | bytes
    | bytearray
    | memoryview
    | BinaryIO
    | Image.Image
    | NDArray[np.uint8]
)

DEFAULT_MAX_PIXELS = 20_500_000
"""A little over 6K (6016 x 3384) and two 4K monitors: what is read and found again in 2 s and 400 MB."""

_MOST_SIDE = 32_767
"""Pixels: places are kept in two bytes."""
_ROWS = 256  # that are converted at once
_MANY = 100_000  # pixels: a tenth of a megapixel

_FORMATS = ("PNG", "JPEG", "WEBP", "BMP", "DIB", "GIF", "TIFF", "PPM")
_FORMATS_HINT = "PNG, JPEG, WebP, BMP, GIF, TIFF and PPM pictures are read"
_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_PNG_PICTURE_CHUNKS = frozenset({b"IHDR", b"IDAT", b"IEND"})
_PNG_EIGHT_BIT_RGB = (8, 2)
_GREYS_16_BIT = frozenset({"I;16", "I;16B", "I;16L", "I;16N"})
_DEEP_MODES = frozenset({"I", "F"})


def load_frame(image: ImageSource, *, max_pixels: int = DEFAULT_MAX_PIXELS) -> Frame:
    """Read one screenshot.

    ``image``: a path, the bytes or an open binary file of a PNG, JPEG, WebP, BMP, GIF (first
    picture), TIFF or PPM picture; a PIL image; or a uint8 array of shape ``(H, W)`` grey, ``(H, W,
    3)`` BGR or ``(H, W, 4)`` BGRA, as OpenCV has them (`as_bgr` turns RGB round). Transparency is
    laid on white; 16-bit samples are scaled to 8; palettes, grey and CMYK become BGR; an Exif
    orientation is applied. ``max_pixels``: larger pictures are refused; a file's size is read from
    its header before it is decoded. Returns the pixels, a copy of their own: changing ``image``
    afterwards does not change them. Raises UnusableInputError if there is no such file, it is no
    picture, or it is damaged, cut off, empty or too large.
    """
    if isinstance(image, np.ndarray):
        return Frame(_from_array(image, max_pixels))
    if isinstance(image, (bytes, bytearray, memoryview)):
        return Frame(_decode(bytes(image), "the image", max_pixels))
    if isinstance(image, Image.Image):
        _check_size(image.width, image.height, "the image", max_pixels)
        return Frame(_decode_any(image, "the image"))
    if isinstance(image, (str, os.PathLike)):
        # No readable format needs more than 8 bytes a pixel: beyond that, do not load it.
        data = read_limited(image, most=8 * max_pixels + 1_048_576, what="an image")
        return Frame(_decode(data, quoted(image), max_pixels))
    if hasattr(image, "read"):
        return Frame(_decode(_read_file(image, 8 * max_pixels), "the image file", max_pixels))
    raise WrongTypeError(
        f'an image cannot be read from a "{type(image).__name__}"',
        hint="pass a path, bytes, an open binary file, a PIL image or a uint8 array",
    )


def as_bgr(image: ImageSource, channels: str) -> ImageSource:
    """Return an array of RGB or RGBA pixels as BGR or BGRA, and every other image as it is.

    ``channels``: ``"bgr"``, as OpenCV has them, or ``"rgb"``; files and PIL images know their own
    order. Raises UsageError when `channels` is neither.
    """
    if channels not in {"bgr", "rgb"}:
        raise UsageError(f'channels "{channels}" is unknown', hint='it is "bgr" or "rgb"')
    coloured = isinstance(image, np.ndarray) and image.ndim == 3  # noqa: PLR2004
    if channels == "bgr" or not coloured or not isinstance(image, np.ndarray):
        return image
    return np.concatenate([image[:, :, 2::-1], image[:, :, 3:]], axis=2)


def _read_file(file: BinaryIO, most: int) -> bytes:
    """Read an open file from its position; refuse one that is text, closed or too large."""
    try:
        data = file.read(most + 1)
    except (OSError, ValueError) as error:
        raise UnusableInputError(f"the image file cannot be read: {error}") from error
    if not isinstance(data, bytes):
        raise UnusableInputError(
            "the image file is not open for reading bytes", hint='open it with open(path, "rb")'
        )
    if len(data) > most:
        raise UnusableInputError(f"the image file is too large for an image: over {most:,} bytes")
    return data


def encode_png(bgr: Pixels) -> bytes:
    """Pack ``(H, W, 3)`` BGR or ``(H, W)`` grey pixels as a PNG, without loss."""
    done, packed = cv2.imencode(".png", bgr)
    if not done:
        raise UnusableInputError(f"an array of shape {bgr.shape} cannot be packed as a PNG")
    return packed.tobytes()


def decode_png(png: bytes) -> Pixels:
    """Unpack a stored PNG into ``(H, W, 3)`` BGR pixels, as :func:`load_frame` reads them.

    Raises StoreDamagedError when it cannot be read: memctl has written it.
    """
    try:
        return _decode(png, "a stored picture", DEFAULT_MAX_PIXELS)
    except UnusableInputError as error:
        raise StoreDamagedError(error.message) from None


def _from_array(array: NDArray[np.uint8], max_pixels: int) -> Pixels:
    if array.dtype != np.uint8:
        raise UnusableInputError(
            f'the image array is of type "{array.dtype}", not "uint8"',
            hint="scale it to 0..255 and convert it to uint8; NaN cannot be shown",
        )
    channels = array.shape[2] if array.ndim == 3 else 1  # noqa: PLR2004
    if array.ndim not in {2, 3} or (array.ndim == 3 and channels not in {3, 4}):  # noqa: PLR2004
        raise UnusableInputError(
            f"the image array has the shape {array.shape}",
            hint="pass (H, W) grey, (H, W, 3) BGR or (H, W, 4) BGRA",
        )
    _check_size(array.shape[1], array.shape[0], "the image array", max_pixels)
    if array.ndim == 2:  # noqa: PLR2004
        return _u8(cv2.cvtColor(np.ascontiguousarray(array), cv2.COLOR_GRAY2BGR))
    if channels == 4:  # noqa: PLR2004
        return _converted(array, _on_white)
    return np.array(array, dtype=np.uint8, order="C")


def _converted(pixels: NDArray[Any], convert: Callable[[NDArray[Any]], Any]) -> Pixels:
    """Convert a picture to BGR some rows at a time: all at once takes several times its size."""
    result = np.empty((*pixels.shape[:2], 3), np.uint8)
    for top in range(0, len(pixels), _ROWS):
        result[top : top + _ROWS] = convert(pixels[top : top + _ROWS])
    return result


def _on_white(bgra: NDArray[np.uint8]) -> NDArray[np.uint16]:
    alpha = bgra[:, :, 3:].astype(np.uint16)
    blended = bgra[:, :, :3] * alpha + 255 * (255 - alpha)
    return np.asarray((blended + 127) // 255, np.uint16)


def _of_16_bit(grey: NDArray[np.uint16]) -> NDArray[np.uint32]:
    return ((grey.astype(np.uint32) + 128) // 257)[:, :, None]


def _counted(pixels: int) -> str:
    return f"{pixels / 1e6:,.1f} megapixels" if pixels >= _MANY else f"{pixels:,} pixels"


def _check_size(width: int, height: int, name: str, max_pixels: int) -> None:
    if width < 1 or height < 1:
        raise UnusableInputError(f"{name} has no pixels ({width}x{height})")
    ratio = min(1.0, math.sqrt(max_pixels / (width * height)), _MOST_SIDE / max(width, height))
    if ratio == 1:
        return
    size = f"{max(int(width * ratio), 1)}x{max(int(height * ratio), 1)}"
    if max(width, height) > _MOST_SIDE:
        said = (
            f"{name} has a side of {max(width, height):,} pixels; at most {_MOST_SIDE:,} are read"
        )
        raise UnusableInputError(said, hint=f"crop it, or give it at {size}")
    raise UnusableInputError(
        f"{name} has {width}x{height} = {_counted(width * height)};"
        f" at most {_counted(max_pixels)} are read",
        hint=f"crop it, give it at {size}, or raise the setting max_pixels",
    )


def _decode(data: bytes, name: str, max_pixels: int) -> Pixels:
    if not data:
        raise UnusableInputError(f"{name} is empty", hint=_FORMATS_HINT)
    # Pillow warns about large sizes and odd metadata; both are judged here, not printed.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        picture = _open(data, name, max_pixels)
        _check_size(picture.width, picture.height, name, max_pixels)
        plain = _plain_rgb_png(data) if picture.format == "PNG" else None
        if plain is not None:
            return _decode_plain_png(plain, name)
        return _decode_any(picture, name)


def _open(data: bytes, name: str, max_pixels: int) -> Image.Image:
    if data.startswith(_PNG_SIGNATURE):
        _check_png(data, name)
    try:
        return Image.open(io.BytesIO(data), formats=_FORMATS)
    except UnidentifiedImageError:
        raise UnusableInputError(f"{name} is not an image", hint=_FORMATS_HINT) from None
    except Image.DecompressionBombError:
        raise UnusableInputError(
            f"{name} has more pixels than can be read safely",
            hint=f"crop it, or scale it to at most {_counted(max_pixels)}",
        ) from None
    except Exception as error:
        raise _damaged(name) from error


def _damaged(name: str) -> UnusableInputError:
    return UnusableInputError(
        f"{name} is damaged or cut off", hint="take or copy the screenshot again"
    )


def _png_chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield each chunk's name and where it starts and ends; stop where the file breaks off."""
    start = len(_PNG_SIGNATURE)
    while start + 12 <= len(data):
        end = start + 12 + int.from_bytes(data[start : start + 4], "big")
        if end > len(data):
            return
        yield data[start + 4 : start + 8], start, end
        start = end


def _check_png(data: bytes, name: str) -> None:
    """Refuse a PNG that breaks off or whose picture chunks fail their checksum.

    libpng fills what is missing with whatever was there and complains on stderr, so this is
    settled before it sees the file.
    """
    for chunk, start, end in _png_chunks(data):
        if chunk in _PNG_PICTURE_CHUNKS:
            body = memoryview(data)[start + 4 : end - 4]
            if zlib.crc32(body) != int.from_bytes(data[end - 4 : end], "big"):
                raise _damaged(name)
        if chunk == b"IEND":
            return
    raise _damaged(name)


def _plain_rgb_png(data: bytes) -> bytes | None:
    """Reduce an 8-bit RGB PNG to its picture chunks; None for every other kind of PNG.

    Without its colour profile, comments and animation frames libpng has nothing to warn about.
    A transparent colour (tRNS) or an orientation (eXIf) is left to the general path.
    """
    kept = [_PNG_SIGNATURE]
    for chunk, start, end in _png_chunks(data):
        if chunk in {b"tRNS", b"eXIf"}:
            return None
        if chunk == b"IHDR" and (data[start + 16], data[start + 17]) != _PNG_EIGHT_BIT_RGB:
            return None
        if chunk in _PNG_PICTURE_CHUNKS:
            kept.append(data[start:end])
        if chunk == b"IEND":
            break
    return b"".join(kept)


def _decode_plain_png(data: bytes, name: str) -> Pixels:
    decoded = cv2.imdecode(np.frombuffer(data, dtype=np.uint8), cv2.IMREAD_COLOR)
    if decoded is None:
        raise _damaged(name)
    return _u8(decoded)


def _decode_any(picture: Image.Image, name: str) -> Pixels:
    try:
        picture.load()
        upright = ImageOps.exif_transpose(picture)
    except Exception as error:
        raise _damaged(name) from error
    if upright.mode in _GREYS_16_BIT:
        return _converted(np.asarray(upright), _of_16_bit)
    if upright.mode in _DEEP_MODES:
        raise UnusableInputError(
            f"{name} has 32-bit samples, whose range is unknown",
            hint="save it with 8 or 16 bits a channel",
        )
    if upright.mode == "La":  # Pillow converts premultiplied grey to nothing but its own kind
        upright = upright.convert("LA")
    if upright.has_transparency_data:
        rgba = np.asarray(upright if upright.mode == "RGBA" else upright.convert("RGBA"))
        return _converted(rgba, lambda part: _on_white(part[:, :, [2, 1, 0, 3]]))
    return _u8(cv2.cvtColor(np.asarray(upright.convert("RGB")), cv2.COLOR_RGB2BGR))


def _u8(pixels: cv2.typing.MatLike) -> Pixels:
    return np.ascontiguousarray(pixels, dtype=np.uint8)


def pixels_digest(pixels: Pixels) -> str:
    """Return the hex SHA-256 of a picture's size and pixels, whatever file it came from."""
    height, width = pixels.shape[:2]
    return hashlib.sha256(f"{width}x{height}:".encode() + pixels.tobytes()).hexdigest()
