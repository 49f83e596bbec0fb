"""What is known of properties: which have one value at a time, of which sort, and their names."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from memctl.semantic.sentences.normal import name_key

__all__ = ["Kind", "attribute_key", "kind_of", "may_be_several", "role_of"]

Kind = Literal["sure", "person", "amount", "state", "tool"]

# One property under several names.
_SAME = {
    "time zone": "timezone",
    "e-mail": "email",
    "email address": "email",
    "e-mail address": "email",
    "mail address": "email",
    "phone number": "phone",
    "telephone": "phone",
    "telephone number": "phone",
}
# Properties that one may have several of: another does not replace the first.
_SEVERAL = frozenset(
    """friend colleague coworker sister brother sibling child son daughter cousin neighbour neighbor
    uncle aunt niece nephew pet dog cat hobby hobbies interest language allergy client customer
    competitor partner teammate report goal problem risk issue feature advantage strength weakness
    example part member one
    爱好 朋友 同事 兄弟 姐妹 孩子 儿子 女儿 语言 宠物 客户 趣味 友達 同僚 子供""".split()  # noqa: SIM905  (a list of words reads best as words)
)
# Properties that have one value at a time, by what their values are: somebody; an amount; one of a
# few words, whatever it looks like; a tool, which may be written small; or anything else that is
# told from another of its sort (a date, a name, an address).
_KINDS: dict[Kind, str] = {
    "person": """owner lead leader manager boss ceo cto chef jefe 负责人 经理 上司 担当者 上司""",
    "amount": """age budget price cost limit timeout salary height weight adresse presupuesto prix
        preis 预算 价格 年龄 予算""",
    "state": """status stage priority theme mode tier 状态 主题 优先级 状態""",
    "tool": """database editor format currency unit framework provider host 编辑器 数据库 エディタ""",
    "sure": """deadline date day month year time name email address phone number birthday zone
        timezone region version port url capital title role job position employer company city
        country residence release diet
        frist termin datum name zeitzone budget stadt plazo fecha nombre zona correo ciudad délai
        date nom fuseau adresse ville
        时区 邮箱 电话 生日 地址 名字 姓名 职位 公司 城市 截止日期 版本 端口 締め切り 誕生日 住所 電話""",
}
_KIND_OF: dict[str, Kind] = {word: kind for kind, words in _KINDS.items() for word in words.split()}
_ONE_OF_ALL = frozenset(
    "favourite favorite default preferred primary main current only first last next".split()  # noqa: SIM905
)
# What one decides between: of each line one is in use at a time.
_ROLES = {
    tool: role
    for role, tools in {
        "package manager": "npm pnpm yarn bun",
        "editor": "vim neovim emacs nano",
        "bundler": "webpack vite rollup esbuild parcel",
        "Python packaging": "poetry pipenv pdm uv hatch",
    }.items()
    for tool in tools.split()
}


@lru_cache(maxsize=1024)
def attribute_key(name: str | None) -> str | None:
    """Return the form under which a property is looked up, whichever of its names is given."""
    key = name_key(name)
    return _SAME.get(key, key) if key else key


@lru_cache(maxsize=1024)
def kind_of(attribute: str) -> Kind | None:
    """Return what a property that has one value at a time has as values; ``None`` for others."""
    words = (attribute_key(attribute) or "").split()
    if not words:
        return None
    return _KIND_OF.get(words[-1]) or ("state" if words[0] in _ONE_OF_ALL else None)


@lru_cache(maxsize=1024)
def may_be_several(attribute: str) -> bool:
    """Whether one may have several of it, and a second says nothing against the first."""
    return attribute.casefold().split()[-1] in _SEVERAL


def role_of(tool: str) -> str | None:
    """Return what a tool is used as, where one of its kind is in use at a time."""
    return _ROLES.get(tool.casefold())
