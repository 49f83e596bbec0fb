-- Consolidation: what was said often or asked for again becomes episodes and facts. Every run says
-- what it changed, row by row, so that it can be taken back.

-- Runs of the dream. One that was killed goes on from where it was, judging by the same moment.
create table dream_run (
    id integer primary key autoincrement,
    kind text not null,            -- dream, decay, sublimation: what was to be done
    as_of text not null,           -- the moment that it judges by
    profile text not null default '',  -- whose formula and thresholds
    status text not null check (status in ('running', 'done', 'failed', 'rolled back')),
    owner text not null default '',  -- host and process that work on it
    beat_at text not null,         -- the owner's last sign of life
    report text not null default '{}' check (json_valid(report)),  -- counts, gates, nearest ones
    diary text not null default '',  -- one line for people
    started_at text not null,
    ended_at text,                 -- null: not yet
    rolled_back_at text            -- null: it stands
) strict;

create unique index dream_run_going on dream_run (status)
where status = 'running';

-- Rows that a run changed, in their order.
create table dream_change (
    id integer primary key autoincrement,
    run_id integer not null references dream_run (id) on delete cascade,
    relation text not null,        -- the table
    row_key text not null check (json_valid(row_key)),  -- its primary key, as a JSON array
    -- The columns that changed as they were, as a JSON object; null: the row was not there.
    old_values text check (old_values is null or json_valid(old_values)),
    -- The same as the run left them; null: the row was deleted.
    new_values text check (new_values is null or json_valid(new_values))
) strict;

create index dream_change_run on dream_change (run_id);
create index dream_change_row on dream_change (relation, row_key);

-- Threads whose reading failed, and when it is tried again.
create table dream_failure (
    session text primary key,      -- the thread
    attempts integer not null check (attempts >= 1),  -- in a row
    error text not null,           -- of the last attempt
    next_at text not null          -- not before
) strict, without rowid;

-- Statements that may become facts.
create table candidate (
    id integer primary key autoincrement,
    text text not null,            -- as it would be kept: names for "I", dates for "tomorrow"
    equal_key text not null,       -- equal statements have equal keys
    speaker text not null default '',  -- who said it first
    category text,                 -- null: no word speaks for one
    keep_score real not null,      -- points of the best time it was said
    standing_order integer not null check (standing_order in (0, 1)),  -- "always ...", "never ..."
    grounded integer not null default 1 check (grounded in (0, 1)),  -- 0: no source row says it
    boot_overlap real not null default 0,  -- share of its words that the boot text holds, 0 to 1
    tags text not null default '[]' check (json_valid(tags)),  -- its concepts
    first_said_at text not null,
    last_said_at text not null,
    light_hits integer not null default 0,  -- how often Light staged it
    light_at text,                 -- when it did last
    rem_hits integer not null default 0,    -- how often REM took it up
    rem_at text,  -- when it did last
    rem_seen_at text,              -- when REM last looked at it
    -- 1: something new speaks for it since Deep last judged it.
    due integer not null default 1 check (due in (0, 1)),
    status text not null check (status in ('staged', 'promoted', 'merged', 'dropped')),
    why text not null default '',  -- why it was merged or dropped
    merged_into integer references candidate (id),  -- the same statement, said before
    fact_id text                   -- the fact that it became; null: none
) strict;

create unique index candidate_equal on candidate (equal_key)
where status <> 'merged';
create index candidate_recent on candidate (last_said_at)
where status = 'staged';
create index candidate_due on candidate (id)
where status = 'staged' and due = 1;
create index candidate_fact on candidate (fact_id)
where fact_id is not null;

-- Words of candidates, stemmed: how the same statement in other words is found.
create table candidate_word (
    word text not null,            -- its first letters, folded
    candidate_id integer not null references candidate (id) on delete cascade,
    primary key (word, candidate_id)
) strict, without rowid;

create index candidate_word_candidate on candidate_word (candidate_id);

-- Turns that a candidate rests on, and where in them it was said.
create table candidate_source (
    candidate_id integer not null references candidate (id) on delete cascade,
    log_id integer not null references log (id) on delete cascade,
    start_at integer not null,     -- its first character in the turn
    end_at integer not null,       -- behind its last one
    primary key (candidate_id, log_id, start_at)
) strict, without rowid;

create index candidate_source_log on candidate_source (log_id);

-- What speaks for a candidate, a row each: it was said (session), noted (daily), found in an old
-- log (grounded), recalled by somebody (recall), or helped (feedback).
create table dream_signal (
    id integer primary key autoincrement,
    candidate_id integer not null references candidate (id) on delete cascade,
    kind text not null check (kind in ('session', 'daily', 'grounded', 'recall', 'feedback')),
    day text not null,             -- '2026-11-20'
    question_key text not null default '',  -- 12 hex digits of its SHA-1; '': none
    rank integer,                  -- among the recall's hits, from 1
    score real not null,           -- 0 to 1
    heard_at text not null,        -- when it was said or asked
    source text not null,          -- 'turn:12', 'recall:7'
    unique (candidate_id, kind, source)
) strict;

-- How far runs have read what is only ever added.
create table dream_mark (
    name text primary key,         -- 'recall'
    upto integer not null          -- the highest id that was read
) strict, without rowid;

-- Candidates that became facts, with the score that let them.
create table promotion (
    id integer primary key autoincrement,
    run_id integer not null references dream_run (id) on delete cascade,
    candidate_id integer not null references candidate (id) on delete cascade,
    fact_id text not null,
    event text not null,           -- what the facts made of it: ADD, SUPERSEDE, SKIP, PENDING ...
    score real not null,           -- 0 to 1
    parts text not null check (json_valid(parts)),  -- signal -> its share of the score
    lane text not null,            -- which gate it came through
    promoted_at text not null
) strict;

create index promotion_run on promotion (run_id);
create index promotion_fact on promotion (fact_id);

-- Turns that no run has read yet.
create index log_unread on log (session, seq)
where processed_at is null and archived_at is null;

-- What opens a thread: a schedule says the same in each.
create index log_opening on log (substr(text, 1, 80))
where seq = 1;
