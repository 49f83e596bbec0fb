-- Episodic memory: what was said (log), what happened (episode), what was asked (recall), and what
-- was put into prompts. Nothing is destroyed by housekeeping: what is archived is marked with when
-- and why.

-- Raw turns, as they were said.
create table log (
    id integer primary key,  -- [export]
    session text not null,  -- the thread; a turn without one belongs to its day [store; note]
    seq integer not null default 0,  -- its place in the thread, from 1 [store]
    role text not null default 'user',  -- user, assistant, system, tool, ... [store; note]
    speaker text,                  -- who said it, where the role is not enough [store; indexed]
    text text not null,  -- [store; indexed]
    -- What came along: a caption, a tool's output.
    details text not null default '',  -- [store; indexed]
    logged_at text not null,       -- when it was said [store]
    recorded_at text not null default (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),  -- [store]
    processed_at text,             -- when consolidation last read it; null: still to read [store]
    archived_at text,              -- null: living [store]
    archived_why text,  -- why it was put away [store; note]
    -- While memctl adds a turn: 1: its words are indexed soon after; 2: with its batch. Always 0
    -- afterwards.
    later integer not null default 0 check (later in (0, 1, 2)),  -- [local]
    user_id text not null default '',  -- '': nobody in particular [store; note]
    agent_id text not null default '',  -- '': the main agent [store; note]
    project text not null default '',  -- of which; '': of none, read in all [store; note]
    -- Minutes that the clock was ahead of UTC where it was said; null: nobody knows.
    -- The day: date(logged_at, coalesce(utc_offset, 0) || ' minutes').
    utc_offset integer check (utc_offset between -1439 and 1439),  -- [store]
    check ((archived_at is null) = (archived_why is null))
) strict;

create index log_session on log (session, seq);
create index log_time on log (logged_at);

-- Turns that no run has read yet.
create index log_unread on log (session, seq)
where processed_at is null and archived_at is null;

-- First turns of threads: those of a schedule are alike.
create index log_opening on log (substr(text, 1, 80))
where seq = 1;

-- What was said last in a project, or for somebody.
create index log_project on log (project, logged_at)
where project <> '';

-- Episodes: something that happened, in one sentence, with its details.
create table episode (
    id integer primary key,  -- [export]
    summary text not null,  -- what happened, in one sentence [store; indexed]
    details text not null default '',  -- all the rest [store; indexed]
    tags text not null default '[]',         -- ["flight", "booking"] [store; indexed]
    participants text not null default '[]',  -- ["Ann", "Bob"] [store; indexed]
    -- How sure we are.
    confidence text not null default 'medium'  -- [store]
    check (confidence in ('low', 'medium', 'high')),
    source text,                   -- where it comes from: a person, a session, a file [store; note]
    thread text,                   -- what it belongs to; null: to nothing [store; note]
    seq integer not null default 0,  -- its place in the thread, from 1 [store]
    happened_at text not null,  -- [store]
    remembered_at text not null default (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),  -- [store]
    archived_at text,              -- null: living [store]
    archived_why text,  -- why it was put away [store; note]
    user_id text not null default '',  -- '': nobody in particular [store; note]
    agent_id text not null default '',  -- '': the main agent [store; note]
    project text not null default '',  -- of which; '': of none, read in all [store; note]
    -- Minutes that the clock was ahead of UTC where it happened; null: nobody knows.
    -- The day: date(happened_at, coalesce(utc_offset, 0) || ' minutes').
    utc_offset integer check (utc_offset between -1439 and 1439),  -- [store]
    check (json_valid(tags) and json_type(tags) = 'array'),
    check (json_valid(participants) and json_type(participants) = 'array'),
    check ((archived_at is null) = (archived_why is null))
) strict;

create index episode_thread on episode (thread, seq)
where thread is not null;
create index episode_time on episode (happened_at);

-- Turns that an episode was made from.
create table episode_source (
    episode_id integer not null references episode (id) on delete cascade,  -- [store]
    log_id integer not null references log (id) on delete cascade,  -- [store]
    primary key (episode_id, log_id)
) strict, without rowid;

create index episode_source_log on episode_source (log_id);

-- Names of all speakers and participants: how recall knows a name in a question. [local]
create table participant (
    name text primary key collate nocase  -- [row]
) strict, without rowid;

-- Words that mean the same; recall follows them both ways and through each other.
create table alias (
    term text not null collate nocase,  -- a word [store; row]
    synonym text not null collate nocase,  -- another word for it [store; row]
    added_at text not null default (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),  -- [store]
    primary key (term, synonym),
    check (term <> synonym)
) strict, without rowid;

create index alias_synonym on alias (synonym);

-- Questions that were asked. [local]
create table recall (
    id integer primary key,
    asked_at text not null,
    question text not null,        -- secrets masked [mark]
    hits integer not null check (hits >= 0),  -- rows that came back
    unknown_words text not null default '[]',  -- words found nowhere [list]
    fallback text,                 -- which vectors were asked as well; null: none [plain]
    duration_ms real not null,     -- without the writing of this row
    outcome text check (outcome in ('ok', 'failed')),  -- as somebody reported it
    outcome_at text,
    forgotten_at text,             -- null: living
    user_id text not null default '',  -- who asked [note]
    agent_id text not null default '',  -- '': the main agent [note]
    project text not null default '',  -- of which; '': asked in none [note]
    check (json_valid(unknown_words)),
    check ((outcome is null) = (outcome_at is null))
) strict;

create index recall_time on recall (asked_at);

-- Results of a recall, by rank. Ids are those of log, episode or fact. [local]
create table recall_hit (
    recall_id integer not null references recall (id) on delete cascade,
    rank integer not null check (rank >= 1),  -- 1 is the best
    kind text not null check (kind in ('turn', 'episode', 'fact')),
    item_id integer not null,
    score real not null,  -- the sum of what recall explains
    fallback integer not null default 0 check (fallback in (0, 1)),  -- 1: found by vectors
    used_at text,                  -- when somebody said that it helped
    primary key (recall_id, rank)
) strict, without rowid;

create index recall_hit_item on recall_hit (kind, item_id);

-- Models that made the vectors: 'store' is the store's own text, else a sentence model. [local]
create table embedding_model (
    id integer primary key,
    name text not null unique,  -- [plain]
    fingerprint text not null,  -- changes whenever the same text would get another vector [plain]
    dims integer not null check (dims > 0),  -- numbers in a vector
    made_at text not null
) strict;

-- Vectors of turns, episodes and facts, one a passage: float32, little-endian, of unit length.
-- [local]
create table embedding (
    id integer primary key,
    model_id integer not null references embedding_model (id) on delete cascade,
    kind text not null check (kind in ('turn', 'episode', 'fact')),
    item_id integer not null,      -- of a fact, its number
    passage integer not null check (passage >= 0),  -- from 0, in the order of the text
    vector blob not null  -- dims x 4 bytes [note]
) strict;

create unique index embedding_item on embedding (kind, item_id, model_id, passage);

-- Vectors of words, of the model 'store' only: how a question gets its vector. [local]
create table embedding_word (
    model_id integer not null references embedding_model (id) on delete cascade,
    word text not null,            -- stemmed, as the index has it [row]
    vector blob not null,  -- dims x 4 bytes [note]
    primary key (model_id, word)
) strict, without rowid;

-- One block that a hook, a context or a tool of MCP put into a prompt. [local]
create table injection (
    id integer primary key,
    session text not null,         -- of which conversation [note]
    hook text not null,            -- what put it there: prompt, start, context, ... [plain]
    tokens integer not null check (tokens >= 0),  -- estimated, of the whole block
    injected_at text not null,
    forgotten_at text,  -- a compaction took it from the conversation; null: it is there
    user_id text not null default '',   -- whose prompt; '': nobody in particular [note]
    agent_id text not null default '',  -- '': the main agent [note]
    project text not null default ''    -- where; '': in no project [note]
) strict;

create index injection_session on injection (session);

-- Rows that were in the block, by the names that feedback takes. [local]
create table injected_row (
    injection_id integer not null references injection (id) on delete cascade,
    name text not null,            -- turn:12, episode:3, or the id of a fact [plain]
    used_at text,                  -- when a reply repeated it, or feedback named it
    primary key (injection_id, name)
) strict, without rowid;

create index injected_row_name on injected_row (name);

-- Erasures that a person asked for: when and why; never a word of the text. [local]
create table erasure (
    id integer primary key,
    kind text not null check (kind in ('turn', 'episode')),
    item_id integer not null,
    erased_at text not null,
    why text not null  -- as the person said [empty]
) strict;

-- Turns and episodes in one list, the newest first.
create view memory_timeline as
select
    'turn' as kind,
    id,
    logged_at as happened_at,
    session as thread,
    coalesce(speaker, role) as who,
    text,
    archived_at
from log
union all
select
    'episode' as kind,
    id,
    happened_at,
    thread,
    (
        select group_concat(present.value, ', ')
        from json_each(episode.participants) as present
    ) as who,
    summary as text,
    archived_at
from episode
order by happened_at desc, id desc;

-- Counts of how often each turn, episode or fact was recalled, and how often that helped.
create view recall_worth as
select
    recall_hit.kind,
    recall_hit.item_id,
    case recall_hit.kind
        when 'turn'
            then (
                select log.text
                from log
                where log.id = recall_hit.item_id
            )
        when 'episode'
            then (
                select episode.summary
                from episode
                where episode.id = recall_hit.item_id
            )
        else (
            select fact.text
            from fact
            where fact.number = recall_hit.item_id
        )
    end as text,
    count(*) as recalled,
    count(recall_hit.used_at) as used,
    max(recall.asked_at) as last_recalled_at
from recall_hit
inner join recall on recall_hit.recall_id = recall.id
group by recall_hit.kind, recall_hit.item_id;
