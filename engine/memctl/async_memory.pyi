# Written by `python -m tests.docs.async_stub`: change the code instead.
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from types import TracebackType
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, Unpack, overload

from memctl.base.home import Address
from memctl.base.scope import Scope
from memctl.base.user_zone import UserZone
from memctl.config.settings import Settings
from memctl.consolidation.dream import Dream
from memctl.consolidation.views.sublimation import KnowledgeEntry
from memctl.drivers.look import Look
from memctl.episodic.episodes import Episode, Episodes
from memctl.episodic.log import Log, Turn
from memctl.memory import Memory, Source, Window
from memctl.porting.packs.packs import Packs
from memctl.procedural.skill_records import Skill
from memctl.procedural.skills import Skills
from memctl.recall.recalls import KeptRecall, Recalls
from memctl.search.answer.explanation import WhyNot
from memctl.semantic.facts import Facts
from memctl.semantic.records import Fact
from memctl.text.aliases import Alias, Aliases
from memctl.visual.graph.components import Component, ComponentChoice, Components
from memctl.visual.graph.states import State, States
from memctl.visual.graph.transitions import Transition, Transitions
from memctl.visual.ignored_areas import Area
from memctl.visual.waiting import Waited
from memctl.working.context import Context, Occasion
from memctl.working.journal import Journal
from memctl.working.live_sessions import SessionRecord, Sessions
from memctl.working.session_cache import SessionCache
from memctl.working.tool_calls import ToolCall, ToolCalls

_P = ParamSpec("_P")
_R = TypeVar("_R")
_T = TypeVar("_T")

COLLECTIONS: dict[str, str]
IN_STEPS: frozenset[str]

def collection_class(name: str) -> type: ...

class _Awaited(Generic[_P, _R]):
    def __init__(self, method: Callable[Concatenate[Any, _P], _R]) -> None: ...
    def __get__(self, face: object, kind: type) -> Callable[_P, Coroutine[Any, Any, _R]]: ...

class AsyncFace: ...

class AsyncCollection(AsyncFace, Generic[_T]):
    def __aiter__(self) -> AsyncIterator[_T]: ...
    async def length(self) -> int: ...
    async def contains(self, key: object) -> bool: ...

class _Settings(AsyncCollection[str]):
    check_home = _Awaited(Settings.check_home)
    describe = _Awaited(Settings.describe)
    get = _Awaited(Settings.get)
    integer = _Awaited(Settings.integer)
    list = _Awaited(Settings.list)
    number = _Awaited(Settings.number)
    set = _Awaited(Settings.set)
    several = _Awaited(Settings.several)
    unset = _Awaited(Settings.unset)

class _Components(AsyncCollection[Component]):
    called = _Awaited(Components.called)
    erase = _Awaited(Components.erase)
    erased = _Awaited(Components.erased)
    @overload
    async def forget(self, /, key: str | int, *, why: str = ...) -> Component: ...
    @overload
    async def forget(self, /, *, why: str = ..., **chosen: Unpack[ComponentChoice]) -> Sequence[Component]: ...
    get = _Awaited(Components.get)
    labelled = _Awaited(Components.labelled)
    lift = _Awaited(Components.lift)
    list = _Awaited(Components.list)
    living = _Awaited(Components.living)
    named = _Awaited(Components.named)
    names = _Awaited(Components.names)
    picture = _Awaited(Components.picture)
    @overload
    async def pin(self, /, key: str | int) -> Component: ...
    @overload
    async def pin(self, /, **chosen: Unpack[ComponentChoice]) -> Sequence[Component]: ...
    rename = _Awaited(Components.rename)
    @overload
    async def restore(self, /, key: str | int) -> Component: ...
    @overload
    async def restore(self, /, **chosen: Unpack[ComponentChoice]) -> Sequence[Component]: ...
    templates = _Awaited(Components.templates)
    @overload
    async def unpin(self, /, key: str | int) -> Component: ...
    @overload
    async def unpin(self, /, **chosen: Unpack[ComponentChoice]) -> Sequence[Component]: ...

class _States(AsyncCollection[State]):
    called = _Awaited(States.called)
    get = _Awaited(States.get)
    ignore = _Awaited(States.ignore)
    list = _Awaited(States.list)
    merge = _Awaited(States.merge)
    names_of = _Awaited(States.names_of)
    rename = _Awaited(States.rename)
    resolve = _Awaited(States.resolve)
    restore = _Awaited(States.restore)

class _Transitions(AsyncCollection[Transition]):
    commit = _Awaited(Transitions.commit)
    discard = _Awaited(Transitions.discard)
    get = _Awaited(Transitions.get)
    list = _Awaited(Transitions.list)
    path = _Awaited(Transitions.path)
    pending = _Awaited(Transitions.pending)
    record = _Awaited(Transitions.record)
    restore = _Awaited(Transitions.restore)
    take_over = _Awaited(Transitions.take_over)

class _Log(AsyncCollection[Turn]):
    add = _Awaited(Log.add)
    add_many = _Awaited(Log.add_many)
    archive = _Awaited(Log.archive)
    archive_old = _Awaited(Log.archive_old)
    erase = _Awaited(Log.erase)
    get = _Awaited(Log.get)
    list = _Awaited(Log.list)
    mark_processed = _Awaited(Log.mark_processed)
    restore = _Awaited(Log.restore)
    timeline = _Awaited(Log.timeline)
    unprocessed = _Awaited(Log.unprocessed)

class _Episodes(AsyncCollection[Episode]):
    add = _Awaited(Episodes.add)
    add_many = _Awaited(Episodes.add_many)
    erase = _Awaited(Episodes.erase)
    forget = _Awaited(Episodes.forget)
    get = _Awaited(Episodes.get)
    list = _Awaited(Episodes.list)
    restore = _Awaited(Episodes.restore)
    turns_of = _Awaited(Episodes.turns_of)
    update = _Awaited(Episodes.update)

class _Aliases(AsyncCollection[Alias]):
    add = _Awaited(Aliases.add)
    entities = _Awaited(Aliases.entities)
    async def exist(self) -> bool: ...
    expand = _Awaited(Aliases.expand)
    get = _Awaited(Aliases.get)
    list = _Awaited(Aliases.list)
    remove = _Awaited(Aliases.remove)
    spellings = _Awaited(Aliases.spellings)

class _Recalls(AsyncCollection[KeptRecall]):
    forget = _Awaited(Recalls.forget)
    get = _Awaited(Recalls.get)
    hits = _Awaited(Recalls.hits)
    list = _Awaited(Recalls.list)
    restore = _Awaited(Recalls.restore)

class _Facts(AsyncCollection[Fact]):
    approve = _Awaited(Facts.approve)
    classify = _Awaited(Facts.classify)
    count = _Awaited(Facts.count)
    delete_all = _Awaited(Facts.delete_all)
    doubtful = _Awaited(Facts.doubtful)
    end_session = _Awaited(Facts.end_session)
    erase = _Awaited(Facts.erase)
    erase_all = _Awaited(Facts.erase_all)
    forget = _Awaited(Facts.forget)
    get = _Awaited(Facts.get)
    guide = _Awaited(Facts.guide)
    history = _Awaited(Facts.history)
    list = _Awaited(Facts.list)
    lookup = _Awaited(Facts.lookup)
    pending = _Awaited(Facts.pending)
    pin = _Awaited(Facts.pin)
    reading = _Awaited(Facts.reading)
    reject = _Awaited(Facts.reject)
    restore = _Awaited(Facts.restore)
    async def scope(self) -> Scope: ...
    search = _Awaited(Facts.search)
    slots = _Awaited(Facts.slots)
    standing = _Awaited(Facts.standing)
    store = _Awaited(Facts.store)
    store_all = _Awaited(Facts.store_all)
    triage = _Awaited(Facts.triage)
    undecided = _Awaited(Facts.undecided)
    unpin = _Awaited(Facts.unpin)
    update = _Awaited(Facts.update)
    would_replace = _Awaited(Facts.would_replace)
    async def zone(self) -> UserZone: ...

class _Journal(AsyncFace):
    blocker = _Awaited(Journal.blocker)
    clear = _Awaited(Journal.clear)
    context = _Awaited(Journal.context)
    decide = _Awaited(Journal.decide)
    done = _Awaited(Journal.done)
    get = _Awaited(Journal.get)
    observe = _Awaited(Journal.observe)
    open_items = _Awaited(Journal.open_items)
    pending = _Awaited(Journal.pending)
    plan = _Awaited(Journal.plan)
    restore = _Awaited(Journal.restore)
    async def session(self) -> str: ...
    skill = _Awaited(Journal.skill)
    snapshot = _Awaited(Journal.snapshot)
    snapshots = _Awaited(Journal.snapshots)
    task = _Awaited(Journal.task)

class _Sessions(AsyncCollection[SessionRecord]):
    current = _Awaited(Sessions.current)
    end = _Awaited(Sessions.end)
    get = _Awaited(Sessions.get)
    list = _Awaited(Sessions.list)
    start = _Awaited(Sessions.start)

class _SessionCache(AsyncFace):
    clear = _Awaited(SessionCache.clear)
    get = _Awaited(SessionCache.get)
    list = _Awaited(SessionCache.list)
    remove = _Awaited(SessionCache.remove)
    set = _Awaited(SessionCache.set)

class _ToolCalls(AsyncCollection[ToolCall]):
    add = _Awaited(ToolCalls.add)
    get = _Awaited(ToolCalls.get)
    list = _Awaited(ToolCalls.list)

class _Skills(AsyncCollection[Skill]):
    add = _Awaited(Skills.add)
    approve = _Awaited(Skills.approve)
    archive = _Awaited(Skills.archive)
    calibration = _Awaited(Skills.calibration)
    decided = _Awaited(Skills.decided)
    detect = _Awaited(Skills.detect)
    draft_last = _Awaited(Skills.draft_last)
    drop = _Awaited(Skills.drop)
    export = _Awaited(Skills.export)
    feedback = _Awaited(Skills.feedback)
    foresee = _Awaited(Skills.foresee)
    get = _Awaited(Skills.get)
    list = _Awaited(Skills.list)
    match = _Awaited(Skills.match)
    meant = _Awaited(Skills.meant)
    near_habits = _Awaited(Skills.near_habits)
    next = _Awaited(Skills.next)
    read = _Awaited(Skills.read)
    record = _Awaited(Skills.record)
    reject = _Awaited(Skills.reject)
    repair = _Awaited(Skills.repair)
    resume = _Awaited(Skills.resume)
    run = _Awaited(Skills.run)
    runs = _Awaited(Skills.runs)
    told = _Awaited(Skills.told)
    trace = _Awaited(Skills.trace)
    update = _Awaited(Skills.update)

class _Dream(AsyncFace):
    candidates = _Awaited(Dream.candidates)
    decay = _Awaited(Dream.decay)
    diary = _Awaited(Dream.diary)
    explain = _Awaited(Dream.explain)
    async def knowledge(self) -> Sequence[KnowledgeEntry]: ...
    palace = _Awaited(Dream.palace)
    promote = _Awaited(Dream.promote)
    rollback = _Awaited(Dream.rollback)
    run = _Awaited(Dream.run)
    runs = _Awaited(Dream.runs)
    status = _Awaited(Dream.status)
    sublimate = _Awaited(Dream.sublimate)
    tidy = _Awaited(Dream.tidy)
    to_roll_back = _Awaited(Dream.to_roll_back)
    verification_report = _Awaited(Dream.verification_report)
    verify = _Awaited(Dream.verify)

class _Packs(AsyncFace):
    contents = _Awaited(Packs.contents)
    export_pack = _Awaited(Packs.export_pack)
    import_pack = _Awaited(Packs.import_pack)
    import_store = _Awaited(Packs.import_store)

class AsyncMemory(AsyncFace):
    def __init__(self, opens: Callable[[], Memory], name: str) -> None: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...
    async def close(self) -> None: ...
    async def run(
        self,
        function: Callable[Concatenate[Memory, _P], _R],
        /,
        *args: _P.args,
        **named: _P.kwargs,
    ) -> _R: ...
    active = _Awaited(Memory.active)
    async def address(self) -> Address: ...
    at_once = _Awaited(Memory.at_once)
    backup = _Awaited(Memory.backup)
    compacted = _Awaited(Memory.compacted)
    async def context(self, query: str | None = ..., max_tokens: int | None = ..., *, occasion: Occasion = ..., trigger: str = ..., also: AsyncMemory | None = ...) -> Context: ...
    diff = _Awaited(Memory.diff)
    doctor = _Awaited(Memory.doctor)
    erase = _Awaited(Memory.erase)
    export_to = _Awaited(Memory.export_to)
    extract = _Awaited(Memory.extract)
    feedback = _Awaited(Memory.feedback)
    import_from = _Awaited(Memory.import_from)
    injected = _Awaited(Memory.injected)
    learn = _Awaited(Memory.learn)
    locate = _Awaited(Memory.locate)
    log = _Awaited(Memory.log)
    async def look(self, image: Source, **options: Any) -> Look | None: ...
    match = _Awaited(Memory.match)
    recall = _Awaited(Memory.recall)
    reembed = _Awaited(Memory.reembed)
    remember = _Awaited(Memory.remember)
    report = _Awaited(Memory.report)
    async def session(self) -> str | None: ...
    status = _Awaited(Memory.status)
    take_part = _Awaited(Memory.take_part)
    vacuum = _Awaited(Memory.vacuum)
    async def wait(self, name: str | int, image: Source, window: Window | None = ..., *, timeout: float = ..., interval: float = ..., record: bool = ..., ignore: Sequence[Area] = ..., **options: Any) -> Waited: ...
    async def why_not(self, query: Any, row: str, limit: int | None = ..., **narrowing: Any) -> WhyNot: ...
    @property
    def settings(self) -> _Settings: ...
    @property
    def components(self) -> _Components: ...
    @property
    def states(self) -> _States: ...
    @property
    def transitions(self) -> _Transitions: ...
    @property
    def turns(self) -> _Log: ...
    @property
    def episodes(self) -> _Episodes: ...
    @property
    def aliases(self) -> _Aliases: ...
    @property
    def recalls(self) -> _Recalls: ...
    @property
    def facts(self) -> _Facts: ...
    @property
    def journal(self) -> _Journal: ...
    @property
    def sessions(self) -> _Sessions: ...
    @property
    def cache(self) -> _SessionCache: ...
    @property
    def tool_calls(self) -> _ToolCalls: ...
    @property
    def skills(self) -> _Skills: ...
    @property
    def dream(self) -> _Dream: ...
    @property
    def packs(self) -> _Packs: ...
