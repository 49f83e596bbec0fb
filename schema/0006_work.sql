-- What is going on, and how things are done: sessions and the journal of the task at hand, acts and
-- calls of tools in their order, and the skills that come of them.

-- One session of an agent or a person. A session that was not ended and has been silent for long
-- was cut off; the next one that starts closes it. [local]
create table session (
    id text primary key,  -- [note]
    channel text not null default '',   -- where it is held: a chat, a terminal [note]
    started_at text not null,
    last_at text not null,              -- its last sign of life
    ended_at text,                      -- null: it is going on
    ending text check (ending in ('ended', 'cut off')),  -- by whom it ended
    episode_id integer references episode (id) on delete set null,  -- what it was, in one row
    -- The journal, the cache and the calls of tools are their session's.
    user_id text not null default '',  -- '': nobody in particular [note]
    agent_id text not null default '',  -- '': the main agent [note]
    project text not null default '',  -- of which; '': of none, read in all [note]
    check ((ended_at is null) = (ending is null))
) strict;

create index session_open on session (last_at)
where ended_at is null;

-- What a session is at, one row an entry. Nothing is overwritten: what a later entry replaces, or
-- is cleared, has an end. [local]
create table journal (
    id integer primary key autoincrement,
    session text not null,              -- whose task it is [note]
    channel text not null default '',   -- where the session is held [note]
    kind text not null check (
        kind in (
            'task', 'step', 'observation', 'skill', 'context', 'decision', 'pending', 'blocker'
        )
    ),
    name text not null default '',      -- of a context entry: budget, deadline [row]
    text text not null,  -- [row]
    written_at text not null,
    done_at text,                       -- of a step, a pending item, a blocker
    ended_at text                       -- replaced, cleared, or put away by a restore
) strict;

create index journal_present on journal (session, channel, kind, id)
where ended_at is null;

-- The present state of a journal as it was: taken on request, and before a restore. [local]
create table journal_snapshot (
    id integer primary key autoincrement,
    session text not null,              -- whose journal it was [note]
    channel text not null default '',   -- where the session is held [note]
    taken_at text not null,
    why text not null default '',       -- asked for, or what came next [empty]
    entries text not null check (json_valid(entries))  -- the rows that were present [row]
) strict;

create index journal_snapshot_session on journal_snapshot (session, channel, id);

-- What a session keeps at hand for a while. [local]
create table cache (
    session text not null,              -- whose it is [note]
    name text not null,  -- [row]
    value text not null,  -- [row]
    set_at text not null,
    expires_at text,                    -- null: until it is removed
    primary key (session, name)
) strict, without rowid;

-- Tools that an agent called, as reported by its host's hooks: skills are mined from their order.
-- [local]
create table tool_call (
    id integer primary key autoincrement,
    session text not null,                          -- whose agent called it [note]
    tool text not null,                             -- its name, as the host calls it [row]
    input text not null check (json_valid(input)),  -- secrets masked, long values cut [row]
    ok integer check (ok in (0, 1)),                -- null: unknown
    told text not null default '',                  -- the beginning of what it answered [row]
    called_at text not null
) strict;

create index tool_call_session on tool_call (session, id);

-- Acts in the order in which they were done: habits are mined from them. An erased component or
-- state takes its acts along. [local]
create table act (
    id integer primary key,
    session text not null default '',            -- whose they are; '': unknown [note]
    from_state text not null references state (id) on delete cascade,
    action text not null,          -- click, type, key, drag, scroll, ... [plain]
    component_id integer references component (id) on delete cascade,  -- acted on
    detail text,                   -- what was typed or pressed [row]
    to_state text not null references state (id) on delete cascade,
    done_at text not null
) strict;

create index act_order on act (session, id);

-- Skills: a draft waits for a person; what was rejected stays rejected, by its shape.
create table skill (
    -- What callers use.
    id text primary key default ('k_' || lower(hex(randomblob(6)))),  -- [local; plain]
    name text not null,  -- small letters, digits and hyphens, as SKILL.md wants it [pack; row]
    description text not null default '',  -- [pack; row]
    status text not null check (status in ('draft', 'active', 'rejected', 'archived')),  -- [store]
    -- From a demonstration, from what was done again and again, or from a file.
    origin text not null check (origin in ('recorded', 'mined', 'imported')),  -- [local]
    shape text not null,  -- a digest of what its steps do: equal ones are one skill [local; plain]
    url text,                      -- where it begins; null: not in a browser [pack; row]
    -- What people ask for it with.
    triggers text not null default '[]' check (json_valid(triggers)),  -- [pack; row]
    -- What must be known, as texts.
    facts text not null default '[]' check (json_valid(facts)),  -- [store; row]
    support integer,               -- mined: sequences that it is in [store]
    expected real,                 -- mined: how many would by chance [store]
    p_value real,                  -- mined: the chance of that many [store]
    chance_rate real,              -- mined: drafts that the miner finds in a shuffled log [store]
    why text not null default '',  -- why it was rejected or archived [store; note]
    created_at text not null,  -- [local]
    decided_at text,               -- when a person decided; null: nobody has [store]
    -- Full looks of the demonstration: one first, one after each act; null: never shown here.
    shown_looks integer check (shown_looks >= 0),  -- [local]
    -- Its seconds: waiting until the app had settled, taking the looks and learning them. What the
    -- person took is not in it.
    shown_seconds real check (shown_seconds >= 0),  -- [local]
    -- Checks apart from the screen: reload, http, sql, command, each with what it needs.
    verify text not null default '[]' check (json_valid(verify)),  -- [store; row]
    -- Names under which it is known as well, such as the one that a file gave it.
    aliases text not null default '[]' check (json_valid(aliases))  -- [store; row]
) strict;

create unique index skill_name on skill (name)
where status in ('draft', 'active');
create index skill_shape on skill (shape);

-- Steps, in order.
create table skill_step (
    skill_id text not null references skill (id) on delete cascade,  -- [local]
    number integer not null check (number >= 1),  -- [pack]
    -- Click, double click, right click, hover, drag, type, key, ...
    action text not null,  -- [pack; plain]
    component_id integer references component (id) on delete set null,  -- acted on [pack]
    target text,  -- what it was called; null: the page, or the field in focus [pack; row>skill]
    beside text,  -- what is in its row, where others look the same [pack; row>skill]
    detail text,  -- what is typed or pressed, or where to; {name} is a parameter [pack; row>skill]
    from_state text,               -- the screen before, and the one expected after [pack; plain]
    to_state text,  -- [pack; plain]
    output text,                   -- the name under which its text is read [pack; row>skill]
    -- 1: it cannot be undone: delete, send, pay.
    irreversible integer not null default 0 check (irreversible in (0, 1)),  -- [pack]
    mean_ms real,                  -- how long it took until the screen was there [pack]
    -- How a step's target is known on its page, as JSON: its kind, its label, and the texts beside
    -- it; null: by its picture alone.
    place text check (place is null or json_valid(place)),  -- [store; row>skill]
    -- How the place is known where a drag is let go, likewise.
    onto text check (onto is null or json_valid(onto)),  -- [store; row>skill]
    -- What the step changed when it was shown, as JSON: the same change proves it done.
    effects text not null default '{}' check (json_valid(effects)),  -- [store; row>skill]
    -- The path of the page that it was shown on; null: nobody saw one.
    page text,  -- [store; row>skill]
    -- The tool of a host that does the step; null: it is done on the screen.
    tool text,  -- [store; row>skill]
    primary key (skill_id, number)
) strict, without rowid;

create index skill_step_component on skill_step (component_id);

-- What varies from time to time.
create table skill_parameter (
    skill_id text not null references skill (id) on delete cascade,  -- [local]
    name text not null,  -- [pack; row>skill]
    example text not null default '',            -- a value that it had [store; empty]
    -- What kind of value it takes: text, number, email, date, url or boolean.
    kind text not null default 'text',  -- [store; plain]
    -- What it is, for people.
    description text not null default '',  -- [store; empty]
    -- 0: a run may leave it out.
    required integer not null default 1 check (required in (0, 1)),  -- [store]
    primary key (skill_id, name)
) strict, without rowid;

-- Rows that a skill is known from. [local]
create table skill_source (
    skill_id text not null references skill (id) on delete cascade,
    kind text not null check (kind in ('transition', 'act', 'tool call')),
    item_id integer not null,
    primary key (skill_id, kind, item_id)
) strict, without rowid;

-- Runs: what was predicted, and what happened. [local]
create table skill_run (
    id integer primary key autoincrement,
    skill_id text not null references skill (id) on delete cascade,
    -- done: every effect was seen. failed: the app refused, or what had to change did not.
    -- uncertain: neither was seen. halted: it stopped before an act. dropped: given up after it was
    -- killed.
    status text not null check (
        status in ('running', 'done', 'failed', 'uncertain', 'halted', 'dropped')
    ),
    step integer not null default 0,             -- the last step that was done
    -- Values that it was given.
    params text not null default '{}' check (json_valid(params)),  -- [object]
    outputs text not null default '{}' check (json_valid(outputs)),  -- values that it read [object]
    predicted real,                -- chance of success as the twin saw it, 0 to 1
    why text not null default '',  -- why it is not done [empty]
    looks integer not null default 0,            -- full looks
    seconds real not null default 0,             -- that it took
    owner text not null default '',              -- host and process, while it runs [plain]
    started_at text not null,
    ended_at text,
    feedback text check (feedback in ('right', 'wrong'))  -- what a person said of it afterwards
) strict;

create index skill_run_skill on skill_run (skill_id);

-- Steps of a run, each as it went. [local]
create table skill_run_step (
    run_id integer not null references skill_run (id) on delete cascade,
    number integer not null,
    -- Recovered: done, by another way than the one it had.
    outcome text not null check (
        outcome in ('done', 'recovered', 'failed', 'uncertain', 'halted')
    ),
    why text not null default '',  -- why it is not done, or what was mended [empty]
    seconds real not null default 0,             -- that it took
    -- What was looked at before it: nothing, its target, or the whole screen.
    look text not null check (look in ('none', 'target', 'full')),
    before_png blob,               -- the screen before and after, where the step failed [note]
    after_png blob,                -- likewise [note]
    -- Where exactly one other thing fits all but its label or place: that, as JSON, for a person.
    proposal text check (proposal is null or json_valid(proposal)),  -- [null]
    primary key (run_id, number)
) strict;

-- Open items and blockers of all sessions, the oldest first.
create view journal_open as
select
    id,
    session,
    channel,
    kind,
    text,
    written_at
from journal
where kind in ('pending', 'blocker') and done_at is null and ended_at is null
order by id;

-- Skills with how their runs went.
create view skill_record as
select
    skill.id,
    skill.name,
    skill.status,
    skill.origin,
    count(skill_run.id) as runs,
    count(skill_run.id) filter (
        where skill_run.status = 'done' and coalesce(skill_run.feedback, 'right') = 'right'
    ) as done,
    count(skill_run.id) filter (
        where
        skill_run.status in ('halted', 'failed', 'uncertain')
        or (skill_run.status = 'done' and skill_run.feedback = 'wrong')
    ) as stopped,
    max(skill_run.started_at) as last_run_at
from skill
left join skill_run on skill.id = skill_run.skill_id and skill_run.status <> 'dropped'
group by skill.id;
