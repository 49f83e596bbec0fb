-- Semantic memory: what is true, and the runs (dreams) that read it from what was said. Nothing is
-- destroyed by housekeeping: a fact that another replaces, or that is forgotten, is marked; only an
-- erasure removes it.
--
-- A run notes what it wrote by number, so that it can be taken back.

-- Facts that are true, or were: the replaced and the forgotten ones too.
create table fact (
    number integer primary key,    -- the order of arrival; the search index points here [local]
    -- What callers use.
    id text not null unique default ('f_' || lower(hex(randomblob(6)))),  -- [store; note]
    text text not null check (text <> ''),       -- as it was given [store; indexed]
    subject text,                  -- who or what it is about: 'Falcon' [store; indexed]
    attribute text,                -- which of its properties: 'deadline' [store; indexed]
    value text,                    -- and what that is: '2026-12-01' [store; indexed]
    category text,  -- identity, rule, decision, ...; null: none was named [store; plain]
    -- 0 to 1; by its category unless it was given.
    importance real not null default 0.5 check (importance between 0 and 1),  -- [store]
    -- How sure we are: a low one waits as pending.
    confidence text not null default 'medium'  -- [store]
    check (confidence = 'medium' or confidence = 'low' or confidence = 'high'),
    source text not null default '',             -- where it comes from; '': unknown [store; note]
    user_id text not null default '',            -- '': nobody in particular [store; note]
    agent_id text not null default '',           -- '': the main agent [store; note]
    session_id text not null default '',         -- '': long-term [store; note]
    -- What the caller added, as JSON.
    metadata text not null default '{}'  -- [store; own]
    check (metadata = '{}' or json_valid(metadata)),
    status text not null default 'active'  -- [store]
    check (
        status = 'active' or status = 'pending' or status = 'superseded' or status = 'forgotten'
    ),
    status_why text not null default '',  -- why it waits, was replaced or forgotten [store; note]
    -- 1: never changed, only erased.
    immutable integer not null default 0 check (immutable in (0, 1)),  -- [store]
    -- 1: never expires or decays.
    pinned integer not null default 0 check (pinned in (0, 1)),  -- [store]
    -- When it began to hold.
    valid_from text not null default (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),  -- [store]
    valid_to text,                 -- null: it still holds [store]
    expires_at text,               -- hidden from then on; null: never [store]
    -- Who set the end: the caller or the category.
    expires_by text check (expires_by in ('given', 'category')),  -- [store]
    archived_at text,              -- put away by decay; null: in use [store]
    superseded_by text,            -- id of the fact that replaced it [store; plain]
    conflicts_with text,  -- id of the fact that it contradicts, while it waits [store; plain]
    created_at text not null default (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),  -- [store]
    updated_at text not null default (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),  -- [store]
    revision integer not null default 1,  -- counts memctl's own changes, not hand edits [export]
    -- Derived by memctl, null after a hand edit until its next write fills them in:
    equal_key text,                -- equal facts have equal keys [derived; note]
    subject_key text,              -- equal subjects have equal keys [derived; note]
    attribute_key text,            -- likewise [derived; note]
    folded text,  -- the text in compatibility form, where that differs [derived; indexed]
    -- Id of an earlier fact that this one may replace; null: there is none, or somebody decided.
    may_replace text,  -- [export; plain]
    -- Why it is to be checked; null: nothing it rests on has changed, or somebody has settled it.
    doubt text,  -- [export; mark]
    -- What raised the doubt: the id of a fact that changed, or a turn ("turn:12").
    doubted_by text,  -- [export; plain]
    project text not null default '',  -- of which; '': holds in all of them [store; note]
    -- The slot: the caller's name for what the fact is about, as user.home; null: none was given.
    about text,  -- [store; note]
    -- A time typed by hand has the one shape too, or is refused. What is compared first is cheap,
    -- and true of nearly every new fact.
    check (strftime('%Y-%m-%dT%H:%M:%SZ', created_at) is created_at),
    check (updated_at = created_at or strftime('%Y-%m-%dT%H:%M:%SZ', updated_at) is updated_at),
    check (valid_from = created_at or strftime('%Y-%m-%dT%H:%M:%SZ', valid_from) is valid_from),
    check (valid_to is null or strftime('%Y-%m-%dT%H:%M:%SZ', valid_to) is valid_to),
    check (expires_at is null or strftime('%Y-%m-%dT%H:%M:%SZ', expires_at) is expires_at),
    check (valid_to is null or valid_to >= valid_from),
    check ((expires_at is null) = (expires_by is null))
) strict;

create index fact_equal on fact (equal_key);
create index fact_slot on fact (subject_key, attribute_key)
where subject_key is not null;
create index fact_successor
on fact (superseded_by)
where superseded_by is not null;
create index fact_undecided on fact (may_replace)
where may_replace is not null;
create index fact_doubtful on fact (doubted_by)
where doubted_by is not null;
create index fact_source on fact (source)
where source > '';
create index fact_about on fact (about)
where about is not null;

-- Further sources that said the same as a fact.
create table fact_support (
    fact_id text not null references fact (id) on delete cascade on update cascade,  -- [store]
    source text not null,  -- who said it too [store; note]
    supported_at text not null,  -- [store]
    primary key (fact_id, source)
) strict, without rowid;

-- Changes of facts, deletions included. An erased fact leaves its rows without texts.
create table fact_history (
    id integer primary key,  -- [local]
    fact_id text not null,         -- no reference: it outlives the fact [store; plain]
    event text not null,  -- ADD, UPDATE, SUPERSEDE, PENDING, DELETE, RESTORE, ... [store; plain]
    old_text text,  -- before [store; own]
    new_text text,  -- after [store; own]
    changed_at text not null,  -- [store]
    actor text not null,  -- which agent or user; 'sqlite3' for an edit by hand [store; note]
    why text not null default ''  -- as the caller put it, or the rule [store; empty]
) strict;

create index fact_history_fact on fact_history (fact_id, id);

-- When a fact was served last by a search, by its id or subject, or in a context; a recall keeps
-- its hits itself. One row a fact, written at most once a day. [local]
create table fact_use (
    number integer primary key references fact (number) on delete cascade on update cascade,
    used_at text not null          -- the first time on its last day
) strict;

-- memctl raises `revision` with every change and writes the history itself; a change that
-- leaves it is an edit by hand.
create trigger fact_edit after update of text, subject, attribute, value on fact
when
    new.revision = old.revision and (
        new.text is not old.text or new.subject is not old.subject
        or new.attribute is not old.attribute or new.value is not old.value
    )
begin
    update fact
    set
        equal_key = null, subject_key = null, attribute_key = null,
        folded = null, updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where number = new.number;
    insert into fact_history (fact_id, event, old_text, new_text, changed_at, actor)
    values (
        new.id, 'UPDATE', old.text, new.text, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'sqlite3'
    );
end;

-- Facts that hold now, the newest first. One that another replaces from a later day on is
-- among them until then. A category's expiry spares what is pinned or immutable.
create view fact_current as
select
    id,
    text,
    category,
    importance,
    subject,
    attribute,
    value,
    confidence,
    source,
    pinned,
    immutable,
    valid_from,
    expires_at,
    user_id,
    agent_id,
    session_id,
    cast(julianday('now') - julianday(created_at) as integer) as age_days
from fact
where
    status in ('active', 'superseded')
    and archived_at is null
    and valid_from <= max(strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), created_at)
    and (
        valid_to is null
        or valid_to > max(strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), updated_at, valid_from)
    )
    and (
        expires_at is null
        or expires_at > strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
        or (expires_by = 'category' and (pinned = 1 or immutable = 1))
    )
order by updated_at desc, number desc;

-- Slots, by name, each with its present fact; every user, agent and project has its own.
create view fact_slot_current as
select
    fact.about,
    fact.text,
    fact.id,
    fact.user_id,
    fact.agent_id,
    fact.project,
    fact.valid_from
from fact
where fact.about is not null and fact.status = 'active'
order by fact.about, fact.number;

-- Facts that wait for a person, the oldest first, each beside the fact that it contradicts; and
-- those that hold and may replace an older one.
create view fact_pending as
select
    fact.id,
    fact.text,
    fact.category,
    fact.confidence,
    fact.source,
    coalesce(nullif(fact.status_why, ''), 'may replace ' || known.id) as why,
    known.id as conflicts_with,
    known.text as known_text,
    (
        select count(*)
        from fact_support
        where fact_support.fact_id = fact.id
    ) as supports,
    fact.created_at
from fact
left join fact as known on coalesce(fact.conflicts_with, fact.may_replace) = known.id
where
    fact.status = 'pending'
    or (fact.status = 'active' and fact.may_replace is not null and known.status = 'active')
order by fact.created_at, fact.number;

-- Last use of each fact, by whatever served it; '': none.
create view fact_last_use as
select
    fact.number,
    fact.id,
    fact.text,
    max(
        coalesce(fact_use.used_at, ''),
        coalesce(
            (
                select max(recall.asked_at)
                from recall_hit
                inner join recall on recall_hit.recall_id = recall.id
                where recall_hit.kind = 'fact' and recall_hit.item_id = fact.number
            ),
            ''
        )
    ) as used_at
from fact
left join fact_use on fact.number = fact_use.number;

-- Statements that may become facts. [local]
create table candidate (
    id integer primary key autoincrement,
    text text not null,            -- as it would be kept: names for "I", dates for "tomorrow" [row]
    equal_key text not null,       -- equal statements have equal keys [row]
    speaker text not null default '',  -- who said it first [row]
    category text,                 -- null: no word suggests one [plain]
    keep_score real not null,      -- points of the best time it was said
    standing_order integer not null check (standing_order in (0, 1)),  -- "always ...", "never ..."
    grounded integer not null default 1 check (grounded in (0, 1)),  -- 0: in no source row
    boot_overlap real not null default 0,  -- share of its words in the boot text, 0 to 1
    tags text not null default '[]' check (json_valid(tags)),  -- its concepts [list]
    first_said_at text not null,
    last_said_at text not null,
    light_hits integer not null default 0,  -- how often Light staged it
    light_at text,                 -- when it did last
    rem_hits integer not null default 0,    -- how often REM took it up
    rem_at text,  -- when it did last
    rem_seen_at text,              -- when REM last looked at it
    -- 1: it has new signals since Deep last judged it.
    due integer not null default 1 check (due in (0, 1)),
    status text not null check (status in ('staged', 'promoted', 'merged', 'dropped')),
    why text not null default '',  -- why it was merged or dropped [empty]
    merged_into integer references candidate (id),  -- the same statement, said before
    fact_id text,                  -- the fact that it became; null: none [plain]
    user_id text not null default '',  -- as its turns [note]
    agent_id text not null default '',  -- as its turns [note]
    project text not null default ''  -- as its turns [note]
) strict;

create index candidate_recent on candidate (last_said_at)
where status = 'staged';
create index candidate_due on candidate (id)
where status = 'staged' and due = 1;
create index candidate_fact on candidate (fact_id)
where fact_id is not null;
create unique index candidate_equal on candidate (equal_key, user_id, agent_id, project)
where status <> 'merged';

-- Words of candidates, stemmed: how the same statement in other words is found. [local]
create table candidate_word (
    word text not null,            -- its first letters, folded [row]
    candidate_id integer not null references candidate (id) on delete cascade,
    primary key (word, candidate_id)
) strict, without rowid;

create index candidate_word_candidate on candidate_word (candidate_id);

-- Turns that a candidate rests on, and where in them it was said. [local]
create table candidate_source (
    candidate_id integer not null references candidate (id) on delete cascade,
    log_id integer not null references log (id) on delete cascade,
    start_at integer not null,     -- its first character in the turn
    end_at integer not null,       -- behind its last one
    primary key (candidate_id, log_id, start_at)
) strict, without rowid;

create index candidate_source_log on candidate_source (log_id);

-- Pairs of candidates that say the same in other words, or otherwise; each twice, once from either
-- side. [local]
create table candidate_near (
    candidate_id integer not null references candidate (id) on delete cascade,
    other_id integer not null references candidate (id) on delete cascade,
    relation text not null check (relation in ('kin', 'rival')),  -- kin: supports the other
    primary key (candidate_id, other_id)
) strict, without rowid;

create index candidate_near_other on candidate_near (other_id);

-- Signals for a candidate, a row each: it was said (session), noted (daily), found in an old
-- log (grounded), recalled by somebody (recall), or helped (feedback). [local]
create table dream_signal (
    id integer primary key autoincrement,
    candidate_id integer not null references candidate (id) on delete cascade,
    kind text not null check (kind in ('session', 'daily', 'grounded', 'recall', 'feedback')),
    day text not null,             -- '2026-11-20' [plain]
    question_key text not null default '',  -- 12 hex digits of its SHA-1; '': none [plain]
    rank integer,                  -- among the recall's hits, from 1
    score real not null,           -- 0 to 1
    heard_at text not null,        -- when it was said or asked
    source text not null,          -- 'turn:12', 'recall:7' [plain]
    -- Share of a recall's words that are in the candidate, by rareness, 0 to 1; other signals: 1.
    cover real not null default 1 check (cover between 0 and 1),
    unique (candidate_id, kind, source)
) strict;

-- How far runs have read what is only ever added. [local]
create table dream_mark (
    name text primary key,         -- 'recall' [plain]
    upto integer not null          -- the highest id that was read
) strict, without rowid;

-- Runs of the dream. One that was killed goes on from where it was, judging by the same moment.
-- [local]
create table dream_run (
    id integer primary key autoincrement,
    kind text not null,            -- dream, decay, sublimation: what was to be done [plain]
    as_of text not null,           -- the moment that it judges by [plain]
    profile text not null default '',  -- whose formula and thresholds [plain]
    status text not null check (status in ('running', 'done', 'failed', 'rolled back')),
    owner text not null default '',  -- host and process that work on it [plain]
    beat_at text not null,         -- the owner's last sign of life
    -- Counts, gates, nearest ones.
    report text not null default '{}' check (json_valid(report)),  -- [object]
    diary text not null default '',  -- one line for people [empty]
    started_at text not null,
    ended_at text,                 -- null: not yet
    rolled_back_at text            -- null: it was not
) strict;

create unique index dream_run_going on dream_run (status)
where status = 'running';

-- Rows that runs wrote, by their numbers; no text is kept, so nothing that is erased stays in it.
-- [local]
create table dream_row (
    run_id integer not null references dream_run (id) on delete cascade,
    -- What was written: 'fact_history': a change of a fact; 'episode': a new one; 'read': a turn
    -- that was read; 'archived': a turn; 'knowledge': an entry that was made or retired;
    -- 'dropped': a candidate; 'recall': the recall up to which it had been read before.
    relation text not null check (
        relation in (
            'fact_history', 'episode', 'read', 'archived', 'knowledge', 'dropped', 'recall'
        )
    ),
    row_id integer not null,       -- the number of that row
    primary key (run_id, relation, row_id)
) strict, without rowid;

create index dream_row_row on dream_row (relation, row_id);

-- Threads whose reading failed, and when it is tried again. [local]
create table dream_failure (
    session text primary key,      -- the thread [note]
    attempts integer not null check (attempts >= 1),  -- in a row
    error text not null,           -- of the last attempt [empty]
    next_at text not null          -- not before
) strict, without rowid;

-- Candidates that became facts, with the score that let them. [local]
create table promotion (
    id integer primary key autoincrement,
    run_id integer not null references dream_run (id) on delete cascade,
    candidate_id integer not null references candidate (id) on delete cascade,
    fact_id text not null,  -- [plain]
    event text not null,  -- what the facts made of it: ADD, SUPERSEDE, SKIP, PENDING ... [plain]
    score real not null,           -- 0 to 1
    parts text not null check (json_valid(parts)),  -- signal -> its share of the score [plain]
    lane text not null,            -- which gate it came through [plain]
    promoted_at text not null
) strict;

create index promotion_run on promotion (run_id);
create index promotion_fact on promotion (fact_id);

-- Turns that a later one contradicts: another value, or the opposite. [local]
create table turn_change (
    new_id integer not null references log (id) on delete cascade,
    old_id integer not null references log (id) on delete cascade,
    kind text not null check (kind in ('replaced', 'update', 'contradiction')),
    score real not null,           -- of its kind's own scale; see docs/dreaming.md
    said text not null,            -- the earlier turn's value, or 'never'; '' else [empty]
    why text not null,             -- for people [empty]
    primary key (new_id, old_id)
) strict, without rowid;

create index turn_change_old on turn_change (old_id);

-- Entries, one version a row; made anew when what they rest on has changed.
create table knowledge (
    id integer primary key autoincrement,  -- [local]
    kind text not null  -- [export]
    check (kind in ('post-mortem', 'tracker', 'work style', 'playbook')),
    subject text not null default '',  -- key of the project; '': of the user [export; row]
    title text not null,           -- its first line [export; row]
    body text not null,            -- Markdown, each line with the ids that it cites [export; row]
    made_at text not null,  -- [export]
    run_id integer,                -- the run that made it [local]
    superseded_by integer references knowledge (id) on delete set null,  -- its next version [local]
    retired_at text                -- when that, or nothing, took its place; null: present [local]
) strict;

create unique index knowledge_present on knowledge (kind, subject)
where retired_at is null;

-- Facts that an entry cites.
create table knowledge_source (
    knowledge_id integer not null references knowledge (id) on delete cascade,  -- [export]
    fact_id text not null,  -- [export; plain]
    primary key (knowledge_id, fact_id)
) strict, without rowid;

create index knowledge_source_fact on knowledge_source (fact_id);

-- A candidate whose last turn is erased goes with it.
create trigger candidate_unfounded after delete on candidate_source
when
    not exists (
        select 1 from candidate_source
        where candidate_source.candidate_id = old.candidate_id
    )
begin
    delete from candidate
    where id = old.candidate_id;
end;

-- What is erased, is erased from every entry that cites it: the entry goes, and the next run makes
-- it anew from what is left.
create trigger knowledge_cited_deleted after delete on fact begin
    delete from knowledge
    where
        id in (
            select knowledge_source.knowledge_id
            from knowledge_source
            where knowledge_source.fact_id = old.id
        );
end;

-- A number may be given again once its row is gone.
create trigger row_of_run_unwritten after delete on fact_history begin
    delete from dream_row
    where relation = 'fact_history' and row_id = old.id;
end;

create trigger episode_of_run_deleted after delete on episode begin
    delete from dream_row
    where relation = 'episode' and row_id = old.id;
end;

create trigger turn_of_run_deleted after delete on log begin
    delete from dream_row
    where relation in ('read', 'archived') and row_id = old.id;
end;

-- What somebody erases, leaves the doubts that it raised, too.
create trigger doubting_turn_deleted after delete on log begin
    update fact_history
    set why = 'what raised the doubt was erased'
    where event = 'DOUBT' and why glob 'is earlier than turn ' || old.id || ',*';
    update fact
    set doubt = null, doubted_by = null
    where doubted_by = 'turn:' || old.id;
end;
