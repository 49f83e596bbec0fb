"""What load_frame reads, and what it refuses in one line; files that may never end are not opened."""

from __future__ import annotations

import io
import os
import socket
import struct
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from memctl.base.errors import StoreDamagedError, UnusableInputError
from memctl.visual.reading.image import decode_png, encode_png, load_frame
from memctl.visual.reading.input_files import read_limited
from tests.each import each

if TYPE_CHECKING:
    from memctl.visual.frame import Pixels


def noise(height: int = 48, width: int = 64, channels: int = 3) -> Pixels:
    return np.random.default_rng(7).integers(0, 256, (height, width, channels), dtype=np.uint8)


def packed(picture: Image.Image, kind: str, **options: Any) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def png_chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png(width: int, height: int, *, depth: int = 8, colour: int = 2, rows: bytes = b"") -> bytes:
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + png_chunk(b"IHDR", header)
        + png_chunk(b"IDAT", zlib.compress(rows))
        + png_chunk(b"IEND", b"")
    )


def refusal(image: Any, **options: Any) -> str:
    with pytest.raises(UnusableInputError) as caught:
        load_frame(image, **options)
    message = caught.value.message
    assert "\n" not in message
    return message


# ---- what is read


def test_a_png_is_read_as_bgr(tmp_path: Path) -> None:
    pixels = noise()
    path = tmp_path / "shot.png"
    path.write_bytes(encode_png(pixels))
    for source in (path, str(path), path.read_bytes(), memoryview(path.read_bytes())):
        assert np.array_equal(load_frame(source).bgr, pixels)


@each("kind", ["PNG", "BMP", "TIFF", "PPM", "WEBP"])
def test_every_lossless_format_gives_the_same_pixels(kind: str) -> None:
    pixels = noise()
    options: dict[str, Any] = {"lossless": True} if kind == "WEBP" else {}
    data = packed(Image.fromarray(pixels[:, :, ::-1]), kind, **options)
    assert np.array_equal(load_frame(data).bgr, pixels)


def test_grey_is_spread_over_three_channels() -> None:
    grey = noise()[:, :, 0]
    expected = np.repeat(grey[:, :, None], 3, axis=2)
    assert np.array_equal(load_frame(grey).bgr, expected)
    assert np.array_equal(load_frame(encode_png(grey)).bgr, expected)


def test_transparent_pixels_are_laid_on_white() -> None:
    bgra = np.zeros((2, 3, 4), dtype=np.uint8)
    bgra[:, 1] = (0, 0, 255, 255)
    bgra[:, 2] = (0, 0, 255, 128)
    for source in (bgra, packed(Image.fromarray(bgra[:, :, [2, 1, 0, 3]]), "PNG")):
        read = load_frame(source).bgr
        assert read[0].tolist() == [[255, 255, 255], [0, 0, 255], [127, 127, 255]]


def test_sixteen_bit_grey_is_scaled() -> None:
    rows = b"\x00" + struct.pack(">3H", 0, 0x8080, 0xFFFF)
    read = load_frame(png(3, 1, depth=16, colour=0, rows=rows)).bgr
    assert read[0, :, 0].tolist() == [0, 128, 255]


def test_a_palette_is_resolved() -> None:
    picture = Image.new("P", (2, 1))
    picture.putpalette([255, 0, 0, 0, 0, 255])
    picture.putdata([0, 1])
    assert load_frame(packed(picture, "PNG")).bgr.tolist() == [[[0, 0, 255], [255, 0, 0]]]


def test_a_transparent_palette_colour_is_laid_on_white() -> None:
    picture = Image.new("P", (2, 1))
    picture.putpalette([255, 0, 0, 0, 0, 255])
    picture.putdata([0, 1])
    data = packed(picture, "PNG", transparency=0)
    assert load_frame(data).bgr.tolist() == [[[255, 255, 255], [255, 0, 0]]]


def test_a_cmyk_jpeg_becomes_bgr() -> None:
    data = packed(Image.new("CMYK", (16, 16), (0, 255, 255, 0)), "JPEG", quality=95)
    blue, green, red = load_frame(data).bgr[8, 8].tolist()
    assert red > 240
    assert max(blue, green) < 15


def test_the_orientation_of_a_photograph_is_applied() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by 90 degrees
    data = packed(Image.new("RGB", (30, 10)), "JPEG", exif=exif)
    frame = load_frame(data)
    assert (frame.width, frame.height) == (10, 30)


def test_comments_and_profiles_change_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    pixels = noise()
    data = packed(Image.fromarray(pixels[:, :, ::-1]), "PNG", icc_profile=b"not a profile")
    assert np.array_equal(load_frame(data).bgr, pixels)
    assert capfd.readouterr() == ("", "")


def test_the_frame_is_a_copy_of_the_array() -> None:
    pixels = noise()
    frame = load_frame(pixels)
    before = pixels.copy()
    pixels[:] = 0
    assert np.array_equal(frame.bgr, before)


# ---- what is refused


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    assert "nothing.png" in refusal(tmp_path / "nothing.png")


def test_a_path_that_no_system_takes_is_refused() -> None:
    assert "cannot be read" in refusal("a\0b")
    assert "cannot be read" in refusal("x" * 5000)


def test_a_file_larger_than_any_image_is_not_loaded(tmp_path: Path) -> None:
    path = tmp_path / "huge.bmp"
    with path.open("wb") as file:
        file.truncate(2_000_000)  # sparse
    assert "too large for an image" in refusal(path, max_pixels=1000)


@each("data", [b"hello", b"<svg/>", b"\x00" * 999])
def test_other_data_is_not_an_image(data: bytes) -> None:
    assert "is not an image" in refusal(data)


def test_a_name_with_control_characters_stays_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a\nb.png"
    path.write_bytes(b"text")
    assert 'a?b.png"' in refusal(path)


@pytest.mark.parametrize("cut", [1, 13, 5000])
def test_a_png_that_breaks_off_is_refused(cut: int, capfd: pytest.CaptureFixture[str]) -> None:
    data = encode_png(noise())
    assert len(data) > 9000
    assert "damaged or cut off" in refusal(data[:-cut])
    assert capfd.readouterr() == ("", "")


@given(st.integers(0, 8000))
def test_a_png_with_a_changed_byte_is_never_half_decoded(at: int) -> None:
    data = bytearray(encode_png(noise(32, 32)))
    at %= len(data) - 16
    data[at] ^= 0x40
    try:
        frame = load_frame(bytes(data))
    except UnusableInputError:
        return
    assert np.array_equal(frame.bgr, noise(32, 32))


@pytest.mark.parametrize("cut", [2, 400])
def test_a_jpeg_that_breaks_off_is_refused(cut: int, capfd: pytest.CaptureFixture[str]) -> None:
    data = packed(Image.fromarray(noise()), "JPEG")
    assert len(data) > 1500
    assert "damaged or cut off" in refusal(data[:-cut])
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("kind", ["WEBP", "GIF", "TIFF"])
def test_every_other_format_that_breaks_off_is_refused(
    kind: str, capfd: pytest.CaptureFixture[str]
) -> None:
    data = packed(Image.fromarray(noise()), kind)
    assert refusal(data[: len(data) // 2]).startswith("the image ")
    assert capfd.readouterr() == ("", "")


def test_a_picture_of_no_pixels_is_refused() -> None:
    refusal(png(0, 0))
    assert "no pixels" in refusal(np.zeros((0, 0, 3), np.uint8))
    assert "no pixels" in refusal(np.zeros((0, 5), np.uint8))


def test_a_decompression_bomb_is_refused_by_its_header() -> None:
    assert "12000x12000 = 144.0 megapixels; at most 20.5 megapixels are read" in refusal(
        png(12_000, 12_000)
    )
    assert "pixels" in refusal(png(100_000, 100_000))


def test_a_picture_that_is_too_large_is_refused_with_the_size_that_would_do() -> None:
    with pytest.raises(UnusableInputError) as raised:
        load_frame(png(8000, 4500))
    assert raised.value.hint.startswith("crop it, give it at 6036x3395, or raise")
    assert 6036 * 3395 < 20_500_000


def test_places_fit_into_the_two_bytes_that_they_are_kept_in() -> None:
    with pytest.raises(
        UnusableInputError, match="a side of 100,000 pixels; at most 32,767"
    ) as raised:
        load_frame(png(100_000, 40))
    assert raised.value.hint == "crop it, or give it at 32767x13"


@each("size", [(6016, 3384), (7680, 2160), (5120, 2880)])
def test_the_largest_screens_and_two_monitors_are_read(size: tuple[int, int]) -> None:
    assert load_frame(encode_png(np.zeros((*size[::-1], 3), np.uint8))).bgr.shape[1::-1] == size


def test_the_pixel_limit_is_the_callers() -> None:
    data = encode_png(noise(10, 10))
    assert load_frame(data, max_pixels=100).width == 10
    assert "at most 99" in refusal(data, max_pixels=99)
    assert "at most 99" in refusal(noise(10, 10), max_pixels=99)


@each("dtype", [np.float32, np.float64, np.uint16, np.int64, np.bool_])
def test_an_array_of_another_type_is_refused(dtype: type) -> None:
    assert 'not "uint8"' in refusal(np.zeros((4, 4, 3), dtype))


@each("shape", [(), (4,), (4, 4, 1), (4, 4, 2), (4, 4, 5), (2, 4, 4, 3)])
def test_an_array_of_another_shape_is_refused(shape: tuple[int, ...]) -> None:
    assert "shape" in refusal(np.zeros(shape, np.uint8))


@each("thing", [None, 3, [[1, 2], [3, 4]]])
def test_things_of_other_types_are_a_type_error(thing: Any) -> None:
    with pytest.raises(TypeError, match="cannot be read"):
        load_frame(thing)


def test_floating_point_samples_are_refused() -> None:
    assert "32-bit" in refusal(packed(Image.new("F", (4, 4)), "TIFF"))


def test_a_damaged_stored_png_is_refused() -> None:
    with pytest.raises(StoreDamagedError, match="stored picture"):
        decode_png(encode_png(noise())[:-20])


def test_the_fast_path_and_the_general_path_agree() -> None:
    pixels = noise()
    plain = encode_png(pixels)
    with_gamma = plain[:33] + png_chunk(b"eXIf", Image.Exif().tobytes()) + plain[33:]
    assert np.array_equal(load_frame(with_gamma).bgr, load_frame(plain).bgr)
    assert np.array_equal(load_frame(plain).bgr, pixels)


def test_a_pipe_that_nobody_writes_to_does_not_wait(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    with pytest.raises(UnusableInputError, match="pipe or device") as raised:
        load_frame(tmp_path / "pipe.png")
    assert '"-"' in raised.value.hint


@each("device", ["/dev/zero", "/dev/null", "/dev/tty"])
def test_a_device_is_refused(device: str) -> None:
    if not Path(device).exists():
        pytest.skip(f"there is no {device} here")
    with pytest.raises(UnusableInputError, match="pipe or device"):
        load_frame(device)


def test_a_socket_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # a socket's path may be 100 bytes long at most
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        with pytest.raises(UnusableInputError, match="pipe or device"):
            load_frame("socket")


def test_one_byte_more_than_allowed_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"ten bytes.")
    with pytest.raises(UnusableInputError, match="too large for a text: over 9 bytes"):
        read_limited(tmp_path / "file", most=9, what="a text")


def test_an_empty_path_is_not_the_folder_of_the_process() -> None:
    with pytest.raises(UnusableInputError, match="the path of an image is empty"):
        read_limited("", most=10, what="an image")
