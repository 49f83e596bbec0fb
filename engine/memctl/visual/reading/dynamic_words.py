"""Words of dates, times and counts, as regular expressions in six languages.

They are matched against text in Unicode form NFKC, one blank between words, ``-`` for every
dash: see :func:`memctl.visual.reading.dynamic_text.dynamic_rule`.
"""

from __future__ import annotations


def _any(*words: str) -> str:
    """Match one of the words whatever its case; blanks in ``words`` separate them."""
    listed = [word for group in words for word in group.split()]
    return f"(?i:{'|'.join(sorted(listed, key=len, reverse=True))})"


NUMBER = r"\d{1,3}(?:[ ,.']\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?"

_MONTH = _any(
    r"jan(?:uary)?\.? feb(?:ruary)?\.? mar(?:ch)?\.? apr(?:il)?\.? may june?\.? july?\.?",
    r"aug(?:ust)?\.? sept?(?:ember)?\.? oct(?:ober)?\.? nov(?:ember)?\.? dec(?:ember)?\.?",
    r"januar februar märz mai juni juli oktober okt\.? dezember dez\.?",
    r"janvier janv\.? février févr?\.? mars avril avr\.? juin juillet août septembre octobre",
    r"novembre décembre déc\.?",
    r"enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
)
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_MONTH_NUMBER = r"(?:0?[1-9]|1[0-2])"
_YEAR = r"(?:(?:19|20)\d\d|'\d\d)"

TIME = (
    r"(?:(?i:am|pm|上午|下午|凌晨|早上|中午|晚上|午前|午後|오전|오후) ?)?"
    r"(?:(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?(?:[.,]\d{1,6})?(?: ?(?i:a\.?m\.?|p\.?m\.?|uhr|h))?"
    r"|(?:0?[1-9]|1[0-2]) ?(?i:am|pm|a\.m\.|p\.m\.)"
    r"|(?:[01]?\d|2[0-4])(?:点|點|時|시) ?(?:[0-5]?\d(?:分|분)?|半|반)?)"
    r"(?:Z| ?(?:UTC|GMT|CET|CEST|[ECMP][SD]T)| ?[+-][01]\d:?[0-5]\d)?"
)


def _numeric_date(mark: str) -> str:
    long_year, any_year = r"(?:19|20)\d\d", r"(?:(?:19|20)\d\d|\d\d)"
    return "|".join(
        (
            rf"{long_year}{mark} ?{_MONTH_NUMBER}{mark} ?{_DAY}",
            rf"{_DAY}{mark} ?{_MONTH_NUMBER}{mark} ?{any_year}",
            rf"{_MONTH_NUMBER}{mark}{_DAY}{mark}{any_year}",
        )
    )


_NAMED_DATE = (
    rf"{_DAY}(?i:st|nd|rd|th|er|\.)?[ -]?(?i:of |de )?{_MONTH}(?:,?[ -](?i:de )?{_YEAR})?",
    rf"{_MONTH}[ -]{_DAY}(?i:st|nd|rd|th)?(?:,? {_YEAR})?",
    rf"{_MONTH}(?i: de)?,? {_YEAR}",
)
_ASIAN_DATE = (
    r"(?:\d{2,4} ?(?:年|년) ?)?(?:1[0-2]|0?[1-9]) ?(?:月|월) ?(?:[12]\d|3[01]|0?[1-9]) ?(?:日|号|號|일)",
    r"\d{4} ?(?:年|년) ?(?:1[0-2]|0?[1-9]) ?(?:月|월)(?:份)?",
)

WEEKDAY = (
    r"\(?"
    + _any(
        r"mon(?:day)?\.? tue(?:s(?:day)?)?\.? wed(?:nesday)?\.? thu(?:rs(?:day)?)?\.?",
        r"fri(?:day)?\.? sat(?:urday)?\.? sun(?:day)?\.?",
        r"montag dienstag mittwoch donnerstag freitag samstag sonntag",
        r"lundi mardi mercredi jeudi vendredi samedi dimanche",
        r"lunes martes miércoles jueves viernes sábado domingo",
        r"(?:星期|周|週|礼拜|禮拜)[一二三四五六日天] [月火水木金土日]曜日? [월화수목금토일]요일",
    )
    + r"\)?"
)
RELATIVE_DAY = _any(
    r"today yesterday tomorrow heute gestern morgen aujourd'hui hier demain hoy ayer mañana",
    r"今天 昨天 前天 明天 后天 後天 今日 昨日 明日 一昨日 오늘 어제 그제 내일",
)

_SHORT = r"(?:ms|h|m|s|[Hh]rs?\.?|[Mm]ins?\.?|[Ss]ecs?\.?|[Ss]td\.?)"
_LONG = r"(?:d|w|y|mo|wks?|yrs?)"
_SHORT_WORD = _any(
    r"hours? minutes? seconds? stunden? minuten? sekunden? heures? secondes? horas? minutos?",
    r"segundos? 分钟 分鐘 小时 小時 個小時 个小时 秒 秒钟 時間 分 시간 분 초",
)
_LONG_WORD = _any(
    r"days? weeks? months? years? tage?n? wochen? monate?n? jahre?n? jours? semaines? mois ans?",
    r"días? semanas? mes(?:es)? años? 天 日 周 週 週間 个月 個月 か月 ヶ月 年 일 주 개월 년",
)
SHORT_UNIT = rf"(?:{_SHORT}|{_SHORT_WORD})"
LONG_UNIT = rf"(?:{_LONG}|{_LONG_WORD})"

_SPAN = (
    rf"(?:\d+|(?i:an?|one|a few|about an?|über|einem?r?|une?|una?)) ?(?:{SHORT_UNIT}|{LONG_UNIT})"
)
AGO = (
    rf"{_SPAN}(?: {_SPAN})? ?(?:(?i: ?ago)|前|之前|以前|전)",
    rf"(?i:vor|il y a|hace|in|dans|en) {_SPAN}",
    r"(?i:just now|(?:a )?moments? ago|a (?:few )?(?:seconds?|minutes?) ago|gerade eben|à l'instant)",
    r"刚刚|刚才|剛剛|剛才|たった今|さっき|방금(?: 전)?",
)

DATE = "|".join((*map(_numeric_date, ("-", "/", r"\.")), *_NAMED_DATE, *_ASIAN_DATE))
MOMENT = rf"(?:{DATE}|{TIME}|{WEEKDAY}|{RELATIVE_DAY})"
"""One word of a point in time: a date, a time of day, a weekday, or a day such as "today"."""

LEAD_IN = (
    r"(?:(?i:(?:last |date )?(?:updated|modified|edited|seen|login|opened|saved|changed|accessed|"
    r"synced|used|active|created|posted|published|added|sent|received|started|finished|due|"
    r"expires|since|until|geändert|erstellt|zuletzt geändert|modifié|créé|modificado|creado)"
    r"(?: on| at| am| le| el)?):? |更新于 ?|修改于 ?|创建于 ?|更新日:? ?|最終更新:? ?)?"
)
"""Words that may stand before a point in time."""

CURRENCY = r"(?:[$€£¥₩₹₽元円원]|US\$|(?i:usd|eur|gbp|jpy|cny|rmb|chf|krw|inr|zł|kr))"
BYTES = r"(?i:(?:[kmgtp]i?b|bytes?|bits?|[kmg]bit)(?:/s|ps)?)"
QUANTITY = (
    r"(?:°[CF]?|℃|℉|km/h|mph|km|cm|mm|kg|mg|dpi|ppi|fps|rpm|[kMG]?Hz|[kM]?bps|[kM]?[WVA]h?|"
    r"mAh|dB|dBm|px|pt|MP|kcal|lb|oz|ft|in)"
)
COUNTED = (
    r"(?:(?:new|unread|selected|active|total) )?"
    + _any(
        r"items? files? folders? results? messages? emails? mails? notifications? comments?",
        r"replies reply views? likes? followers? following users? members? online unread selected",
        r"matches match errors? warnings? problems? changes? commits? contributors? stars? forks?",
        r"downloads? photos? songs? tracks? participants? votes? points? words? characters?",
        r"dateien elemente ergebnisse nachrichten fichiers? éléments? résultats? archivos?",
        r"elementos? resultados? mensajes?",
        r"条 條 项 項 個 个 件 人 次 篇 条消息 条评论 个文件 個檔案 个项目 개 명 건 회",
    )
    + r"(?: (?:selected|found|total|left|remaining|online|unread))?"
)
WAITING = (
    r"(?i:(?:please wait|loading|searching|connecting|reconnecting|saving|uploading|downloading|"
    r"updating|syncing|processing|buffering|starting|installing|laden|chargement|cargando)\b.*)"
    r"|正在.+|加载中|載入中|読み込み中|로딩 ?중"
)
"""Said while something is under way, when three dots follow."""

FORM_WORDS = frozenset(
    word
    for line in (
        "name type size step note warning error tip hint status theme title version path location",
        "file folder language author about date info caution important example usage see default",
        "from to subject sort view show mode shortcut description summary keyboard help group",
        "source target 名称 类型 大小 位置 状态 提示 注意 警告 错误 版本 路径 标题 说明 文件名 备注 示例",
    )
    for word in line.split()
)
"""Words before a colon in a form: ``Status: ...`` is not somebody speaking."""
