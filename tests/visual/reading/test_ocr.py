"""Real text is read, without a network and without noise; texts find their boxes."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from memctl.base.errors import UsageError
from memctl.visual.boxes import Box
from memctl.visual.frame import Frame
from memctl.visual.reading import ocr
from memctl.visual.reading.ocr import TextRun, label_boxes, nearest_text, read_text


def run(text: str, x: int, y: int, w: int = 40, h: int = 16) -> TextRun:
    return TextRun(Box(x, y, w, h), text, 0.9)


def test_real_text_is_read_where_it_stands(capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("rapidocr", reason='the extra "ocr" is not installed')
    # A square, for the recogniser enlarges the shorter side to a fixed length.
    picture = Image.new("RGB", (240, 240), "white")
    font = ImageFont.load_default(28)
    ImageDraw.Draw(picture).text((40, 30), "Open Recent", fill="black", font=font)
    ImageDraw.Draw(picture).text((40, 130), "Settings", fill="navy", font=font)
    runs = read_text(Frame(np.asarray(picture)[:, :, ::-1]))
    assert [each.text for each in runs] == ["Open Recent", "Settings"]
    assert runs[0].box.iou(Box(40, 36, 160, 26)) > 0.6
    assert min(each.confidence for each in runs) > 0.8
    assert read_text(Frame(np.full((60, 60, 3), 255, np.uint8))) == []
    assert read_text(Frame(np.zeros((1, 1, 3), np.uint8))) == []
    assert capfd.readouterr() == ("", "")


def test_without_the_extra_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    ocr._engine.cache_clear()
    with pytest.raises(UsageError, match='needs the extra "ocr"') as caught:
        read_text(Frame(np.zeros((20, 20, 3), np.uint8)))
    assert "memctl-engine[ocr]" in caught.value.hint


def test_several_texts_are_joined_in_reading_order() -> None:
    runs = [run("Recent", 60, 11), run("below", 10, 40), run("Open", 10, 12)]
    assert label_boxes([Box(0, 0, 120, 60)], runs) == ["Open Recent below"]


def test_a_text_that_sticks_out_labels_what_it_overlaps_best() -> None:
    runs = [run("Settings", 0, 0, 100, 20), run("Other", 0, 15, 100, 20)]
    assert label_boxes([Box(0, 0, 50, 20)], runs) == ["Settings"]


def test_the_nearest_text_is_the_one_with_the_smallest_gap() -> None:
    runs = [run("far", 60, 0), run("near", 20, 0), run("below", 0, 30)]
    assert nearest_text(Box(0, 0, 16, 16), runs) == "near"


def test_a_text_too_far_away_lends_no_name() -> None:
    assert nearest_text(Box(0, 0, 16, 16), [run("far", 41, 0)]) == ""
    assert nearest_text(Box(0, 0, 16, 16), [run("just", 40, 0)]) == "just"
    assert nearest_text(Box(0, 0, 16, 16), []) == ""
