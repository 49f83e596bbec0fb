-- What is going on now: sessions, the journal of the task at hand, its snapshots, and a cache.

-- One session of an agent or a person. A session that was not ended and has been silent for long
-- was cut off; the next one that starts closes it.
create table session (
    id text primary key,
    channel text not null default '',   -- where it is held: a chat, a terminal
    started_at text not null,
    last_at text not null,              -- its last sign of life
    ended_at text,                      -- null: it is going on
    ending text check (ending in ('ended', 'cut off')),  -- by whom it ended
    episode_id integer references episode (id) on delete set null,  -- what it was, in one row
    check ((ended_at is null) = (ending is null))
) strict;

create index session_open on session (last_at)
where ended_at is null;

-- What a session is at, one row an entry. Nothing is overwritten: what a later entry replaces, or
-- is cleared, has an end.
create table journal (
    id integer primary key autoincrement,
    session text not null,              -- whose task it is
    channel text not null default '',   -- where the session is held
    kind text not null check (
        kind in (
            'task', 'step', 'observation', 'skill', 'context', 'decision', 'pending', 'blocker'
        )
    ),
    name text not null default '',      -- of a context entry: budget, deadline
    text text not null,
    written_at text not null,
    done_at text,                       -- of a step, a pending item, a blocker
    ended_at text                       -- replaced, cleared, or put away by a restore
) strict;

create index journal_present on journal (session, channel, kind, id)
where ended_at is null;

-- The present state of a journal as it was: taken on request, and before a restore.
create table journal_snapshot (
    id integer primary key autoincrement,
    session text not null,              -- whose journal it was
    channel text not null default '',   -- where the session is held
    taken_at text not null,
    why text not null default '',       -- asked for, or what came next
    entries text not null check (json_valid(entries))  -- the rows that were present
) strict;

create index journal_snapshot_session on journal_snapshot (session, channel, id);

-- What a session keeps at hand for a while.
create table cache (
    session text not null,              -- whose it is
    name text not null,
    value text not null,
    set_at text not null,
    expires_at text,                    -- null: until it is removed
    primary key (session, name)
) strict, without rowid;

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
