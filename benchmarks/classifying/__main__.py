"""Measures the keyword classifier: accuracy and coverage on the kept half of 120 sentences.

``python -m benchmarks.classifying`` prints both halves; the words were fitted on the first alone.
One hand wrote the sentences and the words, so both halves flatter: the statements of a week, which
somebody else wrote, are the figure to go by.
The rival counts hits of substrings, as Smart Memory does: the share of the best type among all
hits is its confidence, with the same floor. It has words of English and Chinese alone, and its
six types are compared as tags.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.keeping import keep
from memctl.base.categories import KINDS
from memctl.text.classifier import MIN_CONFIDENCE, classify

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_SENTENCES = Path(__file__).with_name("sentences.txt")
_WEEK = Path(__file__).parents[2] / "tests" / "data" / "week_of_facts.txt"
_WEEK_TAGS = Path(__file__).with_name("week_tags.txt")
_NONE = "-"
# Our own words in the way of its lists: it has some 20 to 29 a type.
_SUBSTRINGS = {
    "PREF": "prefer,like,love,hate,want,always,never,favorite,style,enjoy,dislike,rather,wish,please,"
    "name,i am,喜欢,偏好,讨厌,总是,希望,习惯",
    "PROJ": "project,goal,deadline,milestone,launch,plan,release,decide,status,phase,roadmap,task,sprint,"
    "team,client,scope,项目,目标,计划,截止,决定,进度",
    "TECH": "api,code,server,database,config,python,deploy,docker,error,port,version,script,install,git,"
    "linux,url,file,代码,服务器,数据库,接口,配置",
    "LESSON": "learn,lesson,mistake,fix,bug,fail,issue,cause,avoid,remember,next time,realize,wrong,solution,"
    "教训,错误,失败,原因,解决,经验",
    "PEOPLE": "he,she,they,friend,manager,team,boss,contact,person,people,colleague,family,wife,sister,"
    "client,同事,朋友,老板,客户,家人",
    "TEMP": "today,now,currently,temporary,tomorrow,this week,wait,pending,moment,later,soon,session,"
    "今天,现在,暂时,目前,明天,等待",
}


@dataclass(frozen=True)
class Labelled:
    """A sentence, its language, and the category that a person files it under."""

    half: str
    language: str
    category: str
    text: str

    @property
    def tag(self) -> str:
        """The tag of its category."""
        return KINDS[self.category].tag if self.category != _NONE else _NONE


@dataclass(frozen=True)
class Figures:
    """Of the sentences that are of a kind: how many were answered, and how many of these rightly."""

    accuracy: float
    coverage: float
    wrong_of_none: int


def main() -> None:
    """Print a table and keep the raw figures."""
    sentences = _read()
    kept = {}
    print(f"{'half':6} {'what':24} {'accuracy':>8} {'coverage':>8} {'false':>6}")
    for half in ("fit", "aside"):
        some = [one for one in sentences if one.half == half]
        english = [one for one in some if one.language == "en"]
        for what, told, wanted, among in (
            ("memctl, category", _category, _category_of, some),
            ("memctl, tag", _tag, _tag_of, some),
            ("substrings, tag", _substrings, _tag_of, some),
            ("memctl, tag, English", _tag, _tag_of, english),
            ("substrings, tag, English", _substrings, _tag_of, english),
        ):
            figures = _measured(among, told, wanted)
            kept[f"{half}: {what}"] = vars(figures)
            print(
                f"{half:6} {what:24} {figures.accuracy:8.2f} {figures.coverage:8.2f}"
                f" {figures.wrong_of_none:6}"
            )
    for what, told in (("memctl, tag", _tag), ("substrings, tag", _substrings)):
        figures = _week(told)
        kept[f"week: {what}"] = vars(figures)
        print(f"{'week':6} {what:24} {figures.accuracy:8.2f} {figures.coverage:8.2f}")
    keep("classifying", kept)


def _week(told: Callable[[str], str]) -> Figures:
    lines = (line for line in _WEEK_TAGS.read_text("utf-8").splitlines() if line[0] != "#")
    pairs = (line.split(": ") for line in lines)
    tags = {number: one.split() for one, numbers in pairs for number in numbers.split()}
    week = (line.split(" | ", 2) for line in _WEEK.read_text("utf-8").splitlines() if "|" in line)
    answers = [(told(one[2]), tags[one[0]]) for one in week if one[0] in tags]
    answered = [pair for pair in answers if pair[0] != _NONE]
    right = sum(answer in wanted for answer, wanted in answered)
    return Figures(round(right / len(answered), 3), round(len(answered) / len(answers), 3), 0)


def _read() -> list[Labelled]:
    lines = _SENTENCES.read_text("utf-8").splitlines()
    cells = (line.split(" | ", 3) for line in lines if line and not line.startswith("#"))
    return [Labelled(*four) for four in cells]


def _measured(
    sentences: Sequence[Labelled], told: Callable[[str], str], wanted: Callable[[Labelled], str]
) -> Figures:
    ours = [one for one in sentences if one.category != _NONE]
    answers = [(told(one.text), wanted(one)) for one in ours]
    answered = [pair for pair in answers if pair[0] != _NONE]
    right = sum(answer == label for answer, label in answered)
    wrong = sum(told(one.text) != _NONE for one in sentences if one.category == _NONE)
    return Figures(
        round(right / max(1, len(answered)), 3), round(len(answered) / len(answers), 3), wrong
    )


def _category(text: str) -> str:
    return classify(text).category or _NONE


def _tag(text: str) -> str:
    return classify(text).tag or _NONE


def _category_of(one: Labelled) -> str:
    return one.category


def _tag_of(one: Labelled) -> str:
    return one.tag


def _substrings(text: str) -> str:
    plain = text.lower()
    hits = {
        tag: sum(word in plain for word in words.split(",")) for tag, words in _SUBSTRINGS.items()
    }
    best = max(hits, key=lambda tag: hits[tag])
    return best if hits[best] and hits[best] / sum(hits.values()) >= MIN_CONFIDENCE else _NONE


if __name__ == "__main__":
    main()
