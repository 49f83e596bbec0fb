# ruff: noqa: RUF001 - full-width and ambiguous characters are among the examples
"""Texts that come and go, by rules that are listed: times, dates, counters, chat lines.

A clock learned as a component is missed on the next screenshot, and its digits turn up in the
names of states. Each rule below names itself, says what it is for, and carries examples of what
it takes and of what it leaves alone; the tests run all of them. Whoever knows more than the text
(a digit on a calculator's button is no counter) need not ask.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.visual.reading import dynamic_words as word

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["RULES", "DynamicRule", "dynamic_rule"]

# Lengths that separate the examples below; characters where the name does not say words.
_LONGEST_LABEL = 200
_PROSE_WORDS = 12
_PROSE_WORDS_IN_SENTENCES = 7
_PROSE_ASIAN = 24
_CUT_OFF_WORDS = 5
_CUT_OFF_ASIAN = 10
_SAYS_WORDS = 4
_SAYS_WORDS_IN_A_SENTENCE = 2
_SAYS_ASIAN = 7
_ASIAN = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"


@dataclass(frozen=True, slots=True)
class DynamicRule:
    """One kind of text that is not learned.

    Parameters
    ----------
    name
        What the rule is called in answers and reports.
    why
        What it keeps out.
    applies
        Whether a text falls under it; the text is in Unicode form NFKC, with one blank between
        words and ``-`` for every dash.
    takes, leaves
        Examples on both sides of the line; ``leaves`` falls under no rule at all.
    """

    name: str
    why: str
    applies: Callable[[str], bool]
    takes: tuple[str, ...]
    leaves: tuple[str, ...]


def dynamic_rule(text: str) -> str | None:
    """Return the name of the first rule that a text falls under, or None for an ordinary label.

    Case, full-width forms and kinds of dashes make no difference.
    """
    normal = re.sub(r"[\u2010-\u2015\u2212]", "-", unicodedata.normalize("NFKC", text))
    normal = " ".join(normal.replace("\u2019", "'").split())
    if not normal:
        return None
    return next((rule.name for rule in RULES if rule.applies(normal)), None)


def _whole(*patterns: str) -> Callable[[str], bool]:
    """Match texts that one of the patterns describes from end to end."""
    compiled = [re.compile(pattern) for pattern in patterns]
    return lambda text: (
        len(text) <= _LONGEST_LABEL and any(each.fullmatch(text) for each in compiled)
    )


_SPAN = rf"(?:{word.NUMBER}) ?{word.SHORT_UNIT}"
_ANY_SPAN = rf"(?:{word.NUMBER}) ?(?:{word.SHORT_UNIT}|{word.LONG_UNIT})"
_MOMENTS = (
    rf"{word.MOMENT}(?:(?:,? (?:(?i:at|um|à|a las) )?|, ?|T| ?[-/|·] ?|,? of ){word.MOMENT})*"
)
_AMOUNT = rf"[-+]?(?:{word.NUMBER})"
_SIZE = rf"{_AMOUNT} ?{word.BYTES}"


def _is_prose(text: str) -> bool:
    words = len(text.split())
    sentences = len(re.findall(r"[.!?](?= \S)", text)) + 1
    asian = len(re.findall(f"[{_ASIAN}]", text))
    return (
        words >= _PROSE_WORDS
        or (words >= _PROSE_WORDS_IN_SENTENCES and sentences > 1)
        or asian >= _PROSE_ASIAN
        or len(text) > _LONGEST_LABEL
    )


def _is_cut_off(text: str) -> bool:
    if not text.endswith("..."):
        return False
    asian = len(re.findall(f"[{_ASIAN}]", text))
    return len(text.split()) >= _CUT_OFF_WORDS or asian >= _CUT_OFF_ASIAN


_SPEAKER = re.compile(
    rf"(?P<who>[^\W\d_][\w.'-]*(?: [^\W\d_][\w.'-]*){{0,2}}|[{_ASIAN}]{{2,4}}) ?: ?(?P<says>\S.*)"
)


def _is_chat_line(text: str) -> bool:
    """Return True if somebody says something: ``Alice: see you at noon``, not ``Status: Online``."""
    line = _SPEAKER.fullmatch(text)
    if (
        line is None
        or len(line["who"]) == 1
        or line["who"].casefold().split()[-1] in word.FORM_WORDS
    ):
        return False
    who, says = line["who"], line["says"]
    if re.fullmatch(f"[{_ASIAN}]+", who):
        return says[-1] in "。!?" or len(re.findall(f"[{_ASIAN}]", says)) >= _SAYS_ASIAN
    if not all(part[0].isupper() for part in who.split()):
        return False
    words = len(says.split())
    return words >= (_SAYS_WORDS_IN_A_SENTENCE if says[-1] in ".!?" else _SAYS_WORDS)


RULES: tuple[DynamicRule, ...] = (
    DynamicRule(
        "time",
        "clocks",
        _whole(word.TIME),
        (
            "12:30", "9:05", "23:59:59", "7:45 PM", "11:20 a.m.", "9am", "10 PM", "14:30 Uhr",
            "12:30 UTC", "08:00 +02:00", "下午 3:20", "上午9:00", "午後3時", "15点30分", "오전 9:30",
            "１２：３０", "00:01.250",
        ),
        ("16:9", "4:3", "10:99", "25:00", "Time", "13 PM", "HH:MM", "at", "Port 8080:80"),
    ),
    DynamicRule(
        "relative_time",
        "how long ago something was",
        _whole(*(f"{word.LEAD_IN}(?:{pattern})" for pattern in word.AGO)),
        (
            "5 mins ago", "5 min ago", "an hour ago", "2h ago", "3d ago", "a few seconds ago",
            "just now", "Just now", "in 5 minutes", "Updated 5 minutes ago", "1 hour 5 minutes ago",
            "vor 5 Minuten", "il y a 3 heures", "hace 2 días", "刚刚", "刚才", "5分钟前", "3小时前",
            "2天前", "5分前", "3時間前", "たった今", "방금", "5분 전", "posted 3 weeks ago",
        ),
        ("Ago", "Now", "Long ago", "Time machine", "前", "Minutes"),
    ),
    DynamicRule(
        "relative_day",
        "headings of lists by day",
        _whole(f"{word.LEAD_IN}{word.RELATIVE_DAY}"),
        ("Today", "Yesterday", "tomorrow", "Gestern", "Aujourd'hui", "今天", "昨天", "昨日", "오늘"),
        ("Today's deals", "USA Today", "Todays", "今日头条"),
    ),
    DynamicRule(
        "weekday",
        "headings and times that name the day",
        _whole(f"{word.LEAD_IN}{word.WEEKDAY}(?: - {word.WEEKDAY})?"),
        ("Monday", "Fri", "SUNDAY", "Wed.", "Mon - Fri", "Montag", "jeudi", "星期一", "周三", "月曜日",
         "월요일"),
        ("Monday blues", "Sunny", "Satellite", "Friends", "周", "Month"),
    ),
    DynamicRule(
        "date",
        "calendar dates, numeric and by name",
        _whole(f"{word.LEAD_IN}(?:{word.DATE})", r"(?:0[1-9]|[12]\d|3[01])[-.](?:0[1-9]|1[0-2])\.?"),
        (
            "2024-05-12", "2024/5/12", "12.05.2024", "12/05/24", "5/31/2024", "31-12-2023", "05-12",
            "24.12.", "12 May", "May 12", "May 12th, 2024", "12. Mai 2024", "1er janvier 2024",
            "12 de mayo de 2024", "May 2024", "12-Dec-2023", "Dec '23", "2024年5月12日", "5月12日",
            "2024年5月", "2024년 5월 12일", "Modified 12 May 2024", "Last updated: 2024-05-12",
        ),
        (
            "1.2.3", "v10.15.7", "Home 2024 report", "May", "March", "Mars rover", "2024-13-40",
            "Office 2024 May", "Windows 10", "3-4", "Maybe 5", "192.168.0.1", "Decimal 5",
        ),
    ),
    DynamicRule(
        "date_time",
        "dates together with times, ranges of times",
        _whole(f"{word.LEAD_IN}{_MOMENTS}", f"{word.LEAD_IN}(?:{_MOMENTS}) ?\\([^)]*\\)"),
        (
            "2024-05-12T14:05:00Z", "2024-05-12 14:05", "12 May 2024, 14:05", "Today at 5:04 PM",
            "Mon 12:30", "Friday, 12 May", "Fri, May 12, 2024", "yesterday 9:15", "9:00 - 10:30",
            "Mon, 12 May 2024 14:05:33 +0200", "星期一 12:30", "5月12日 星期日", "昨天 18:22",
            "Last login: Mon 12:30", "00:03 / 03:45", "12.05.2024 um 14:30",
        ),
        ("Today and tomorrow's plan", "Meeting at 9:00", "Mon ami", "Date & Time"),
    ),
    DynamicRule(
        "duration",
        "how long something takes or lasts; ages in a feed",
        _whole(
            rf"(?:~|<|>|(?i:about|approx\.?|ca\.?) )? ?{_SPAN}(?:,? ?{_SPAN})*(?i: left| remaining)?",
            rf"{_ANY_SPAN}(?:,? ?{_ANY_SPAN})+(?i: left| remaining)?",
            rf"{_ANY_SPAN}(?i: left| remaining)",
            r"\d{1,3}[dwy]",
            rf"(?:剩余|还剩|残り|남은 시간:?) ?{_ANY_SPAN}(?: ?{_ANY_SPAN})*",
        ),
        (
            "1h 20m", "3 min", "45 s", "250 ms", "2 hours 5 minutes", "about 5 minutes left",
            "3 days left", "2 days 4 hours", "3d", "2w", "5分钟", "3시간 20분", "残り 5分", "还剩 3 天",
            "1.5 h", "2 Std.", "~ 10 min",
        ),
        ("3D", "7 days", "30 days", "Last 24 hours", "5 minute break", "Mins", "H1", "2 weeks"),
    ),
    DynamicRule(
        "progress",
        "how far something is, pages of a list",
        _whole(
            rf"\d[\d,.]* ?/ ?\d[\d,.]*(?: ?(?:tasks|steps|pages|done|completed?|{word.COUNTED}))?",
            r"(?i:(?:page|step|question|slide|item|seite|schritt|página) )?\d+ (?i:of|von|de|sur) \d+"
            r"(?: [^\W\d]+)?",
            r"(?:(?i:showing|zeige) )?\d[\d,]* ?(?:-|to|bis) ?\d[\d,]* (?:(?i:of|von|/) )?\d[\d,]*"
            r"(?: [^\W\d]+)?",
            r"第 ?\d+ ?[页頁ページ]+ ?/? ?(?:共 ?\d+ ?[页頁])?",
            rf"{_SIZE}?(?: ?/ ?|(?i: of | von )){_SIZE}(?: [^\W\d]+)?",
        ),
        (
            "3/10", "3 / 10", "31/5", "3 of 10", "Page 2 of 7", "Step 2 of 5", "1-10 of 57",
            "1–10 of 57", "Showing 1 to 10 of 57 entries", "3/10 tasks", "第 3 页", "第3页/共10页",
            "1.2 GB of 5 GB", "12 MB / 80 MB", "1.2 GB of 5 GB used",
        ),
        ("Step 3: Confirm", "Page 2", "24/7 support line", "I/O", "and/or", "2 of us", "N/A"),
    ),
    DynamicRule(
        "percentage",
        "shares, zoom, battery",
        _whole(rf"{_AMOUNT} ?%(?: [^\W\d]+){{0,2}}"),
        ("45%", "45 %", "100%", "-3.2%", "99,5 %", "45% complete", "80% full", "20% off"),
        ("%", "Percent", "Top 5 %age", "50/50 split"),
    ),
    DynamicRule(
        "file_size",
        "sizes and rates of data",
        _whole(rf"{_SIZE}(?i: free| used| available| left| remaining| total)?"),
        ("12 KB", "1.2 GiB", "512MB", "3 bytes", "3.5 MB/s", "1,024 kB", "12 GB free", "80 Mbps"),
        ("MB", "4G", "5G", "4K", "GB News", "Byte order", "16-bit mode"),
    ),
    DynamicRule(
        "price",
        "amounts of money",
        _whole(
            rf"[-+]?{word.CURRENCY} ?{_AMOUNT}(?:[kKmMbB]\b)?(?: ?/ ?[^\W\d]+)?",
            rf"{_AMOUNT} ?{word.CURRENCY}(?: ?/ ?[^\W\d]+)?",
        ),
        ("$12.50", "€ 1.299,00", "12,50 €", "US$5", "¥100", "5 USD", "$9.99/mo", "-$3", "100元",
         "₹1,200", "$12K"),
        ("$", "Free", "Price", "$HOME", "USD", "A$AP", "€uro"),
    ),
    DynamicRule(
        "count",
        "counters and badges: digits with separators, or with what they count",
        _whole(
            rf"[(\[]?{_AMOUNT}\+?[)\]]?",
            rf"(?!\dK$){_AMOUNT} ?(?:[BKMk]|万|億|亿|만|억)\+?",
            rf"{_AMOUNT} ?{word.QUANTITY}",
            rf"(?:{_AMOUNT}|(?i:no)) ?{word.COUNTED}",
            r"\d+ ?[x\u00d7] ?\d+",
        ),
        (
            "7", "42", "1,234", "1.234,56", "1 234", "+12", "-3", "(12)", "99+", "[5]", "12K", "1.5M",
            "3万", "22 °C", "22°", "3.2 GHz", "60 fps", "5 items", "12 unread", "3 new messages",
            "No results", "2 files selected", "57 views", "12 条", "3个文件", "5개", "1920 x 1080",
        ),
        (
            "File 1", "Tab 2", "Level 42", "4K", "8K", "2 columns", "3 dots", "Item", "Files",
            "Items 5", "Number 5 lives", "1st", "A1", "R2-D2", "MP3", "Web 2.0", "Python 3.11",
        ),
    ),
    DynamicRule(
        "attachment",
        "what a chat shows in place of a picture or a call",
        _whole(
            r"\[(?i:photo|image|picture|video|sticker|voice|audio|file|link|emoji|location|gif)\]",
            r"\[(?:图片|照片|视频|语音|文件|链接|表情|动画表情|位置|写真|動画|사진|동영상)\].{0,40}",
        ),
        ("[Photo]", "[Sticker]", "[图片]", "[文件] 报告.pdf"),
        ("Photo", "图片", "[Draft]", "[ ]", "[x] Done"),
    ),
    DynamicRule(
        "waiting",
        "what is said while something is under way",
        _whole(rf"(?:{word.WAITING}) ?\.\.\.", r"[^:]{1,40} (?i:is|are) typing ?(?:\.\.\.)?"),
        ("Loading...", "Loading…", "Connecting to server...", "正在加载…", "Alice is typing…"),
        ("Loading dock", "Save As…", "Downloads", "Updating policy", "Touch typing", "Rename…"),
    ),
    DynamicRule(
        "cut_off",
        "the beginning of something longer",
        _is_cut_off,
        ("Hello, I wanted to ask whe…", "the quick brown fox jumps...", "我今天想问一下你明天有没…"),
        ("Save As…", "Find and Replace...", "Add Words to Dictionary...", "...", "打开文件…"),
    ),
    DynamicRule(
        "chat_line",
        "somebody says something",
        _is_chat_line,
        ("Alice: see you at noon then", "Bob Smith: sounds good!", "张三：明天见。",
         "小明：今天晚上一起吃饭吗"),
        (
            "Step 3: Confirm", "Status: Online", "Name:", "Sort by: Date modified", "状态：已连接",
            "Tip: Press F1 for help.", "File name: the quick brown fox", "C: Local disk drive one",
            "Warning: low disk space on drive", "https://example.org/a b c d", "文件位置：桌面",
        ),
    ),
    DynamicRule(
        "prose",
        "sentences: articles, messages, descriptions",
        _is_prose,
        (
            "The quick brown fox jumps over the lazy dog and runs away again",
            "Saved. Click here to undo the last change", "Sounds good to me! See you tomorrow then",
            "这是一个很长的句子，里面有许多的字，所以它不应该被当作组件来学习",
            "x" * 201,
        ),
        (
            "Are you sure you want to delete this file?", "Show hidden files and folders",
            "Do not show this message again", "Save", "Open Recent", "设置", "Über diese App",
            "Sign in with Google", "Terms of Service and Privacy Policy", "新建文件夹", "파일 열기",
            "Customize and control Chromium", "e.g. name@example.org",
        ),
    ),
)  # fmt: skip
"""Every rule, in the order in which they are asked."""
