-- The journal of the task at hand, its snapshots, and the cache.

-- name: write_entry
insert into main.journal (session, channel, kind, name, text, written_at, done_at)
values (:session, :channel, :kind, :name, :text, :written_at, :done_at);

-- name: session_alive
-- A sign of life, to the second; it opens a session that is not known, and one that was closed.
insert into main.session (id, channel, started_at, last_at, user_id, agent_id, project)
values (:session, :channel, :now, :now, :user_id, :agent_id, :project)
on conflict (id) do update set
    last_at = max(last_at, excluded.last_at),
    ended_at = null,
    ending = null
where excluded.last_at > session.last_at or session.ended_at is not null;

-- name: sessions
select *
from session
where (:id is null or id = :id) and (not :going_on or ended_at is null)
order by last_at desc, id;

-- name: silent_sessions
-- Those that nobody has ended, without an entry of the journal or a turn since some time.
select id
from session
where
    ended_at is null
    and last_at < :since
    and id <> :but
    and not exists (
        select 1
        from log
        where log.session = session.id and log.recorded_at >= :since
    )
order by last_at;

-- name: end_session
update main.session
set ended_at = :now, ending = :ending, episode_id = :episode
where id = :id;

-- name: channels
-- The channels in which a session has something in its journal.
select distinct channel
from journal
where session = :session and ended_at is null
order by channel;

-- name: end_session_entries
-- Ends what passes with its session, and what is done.
update main.journal
set ended_at = :now
where
    session = :session
    and ended_at is null
    and (
        done_at is not null
        or kind in (select passing.value from json_each(:kinds) as passing)
    );

-- name: entries
-- The present entries of a session, in the order in which they were written.
select
    id,
    kind,
    name,
    text,
    written_at,
    done_at
from journal
where session = :session and channel = :channel and ended_at is null
order by id;

-- name: open_items
-- What is pending or blocks, in any session, the newest first.
select
    id,
    session,
    channel,
    kind,
    text,
    written_at
from journal
where
    kind in ('pending', 'blocker')
    and done_at is null
    and ended_at is null
    and (:session is null or session = :session)
order by id desc
limit :limit;

-- name: end_entries
-- Ends the present entries of some kinds; of all where none is named.
update main.journal
set ended_at = :now
where
    session = :session
    and channel = :channel
    and ended_at is null
    and (:kind is null or kind = :kind)
    and (:name is null or name = :name);

-- name: finish_entry
update main.journal
set done_at = :now
where id = :id;

-- name: add_snapshot
insert into main.journal_snapshot (session, channel, taken_at, why, entries)
values (:session, :channel, :now, :why, :entries);

-- name: snapshots
select
    id,
    taken_at,
    why,
    json_array_length(entries) as size
from journal_snapshot
where session = :session and channel = :channel
order by id desc;

-- name: snapshot
select entries
from journal_snapshot
where id = :id;

-- name: drop_snapshots
-- Keeps the newest of a session, and the one that is named.
delete from main.journal_snapshot
where
    session = :session
    and channel = :channel
    and id <> :spared
    and id not in (
        select newest.id
        from journal_snapshot as newest
        where newest.session = :session and newest.channel = :channel
        order by newest.id desc
        limit :most
    );

-- name: set_cached
insert or replace into main.cache (session, name, value, set_at, expires_at)
values (:session, :name, :value, :now, :expires_at);

-- name: cached
-- What has not expired: one name's, or all.
select
    name,
    value,
    set_at,
    expires_at
from cache
where
    session = :session
    and (:name is null or name = :name)
    and (expires_at is null or expires_at > :now)
order by set_at desc, name;

-- name: remove_cached
delete from main.cache
where session = :session and (:name is null or name = :name);

-- name: drop_expired
delete from main.cache
where expires_at <= :now;
