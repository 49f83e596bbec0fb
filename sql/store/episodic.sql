-- Log and episodes: written, listed, archived, erased.

-- name: add_turn
-- Adds a turn at the end of its thread. Turns and episodes share one sequence of ids, so
-- that an id alone names a memory.
insert into main.log (
    id, session, seq, role, speaker, text, details, logged_at, utc_offset, recorded_at, later,
    user_id, agent_id, project
)
values (
    1 + max(
        (select coalesce(max(id), 0) from main.log), (select coalesce(max(id), 0) from main.episode)
    ),
    :session,
    1 + coalesce((
        select max(seq) from main.log
        where session = :session
    ), 0),
    :role, :speaker, :text, :details, :logged_at, :utc_offset, :recorded_at, :later,
    :user_id, :agent_id, :project
);

-- name: add_episodes
-- In one statement, whatever their number: the index is written once for all of them.
insert into main.episode (
    id, summary, details, tags, participants, confidence, source, thread, seq, happened_at,
    utc_offset, remembered_at, user_id, agent_id, project
)
select
    1 + given.key
    + max(
        (select coalesce(max(log.id), 0) from main.log),
        (select coalesce(max(episode.id), 0) from main.episode)
    ) as id,
    given.value ->> 'summary' as summary,
    given.value ->> 'details' as details,
    given.value ->> 'tags' as tags,
    given.value ->> 'participants' as participants,
    given.value ->> 'confidence' as confidence,
    given.value ->> 'source' as source,
    given.value ->> 'thread' as thread,
    iif(
        given.value ->> 'thread' is null,
        1,
        row_number() over (partition by given.value ->> 'thread' order by given.key)
        + coalesce((
            select max(earlier.seq) from main.episode as earlier
            where earlier.thread = given.value ->> 'thread'
        ), 0)
    ) as seq,
    given.value ->> 'happened_at' as happened_at,
    given.value ->> 'utc_offset' as utc_offset,
    given.value ->> 'remembered_at' as remembered_at,
    given.value ->> 'user_id' as user_id,
    given.value ->> 'agent_id' as agent_id,
    given.value ->> 'project' as project
from json_each(:rows) as given
order by given.key;

-- name: change_episode
update main.episode
set
    summary = :summary,
    details = :details,
    tags = :tags,
    participants = :participants,
    confidence = :confidence
where id = :id;

-- name: link_turn
insert or ignore into episode_source (episode_id, log_id)
select
    :episode_id as episode_id,
    id as log_id
from log
where id = :log_id;

-- name: turn
select *
from log
where id = :id;

-- name: turns
select *
from log
where
    (:session is null or session = :session)
    and (archived_at is not null) = :archived
order by logged_at desc, id desc;

-- name: count_turns
select count(*)
from log
where archived_at is null;

-- name: timeline
-- Turns and episodes, the newest first, after a place in that order. Of each kind no more than
-- the page are read, by the index of their times.
select *
from (
    select *
    from (
        select
            'turn' as kind,
            id,
            logged_at as happened_at,
            utc_offset,
            session as thread,
            coalesce(speaker, role) as who,
            text,
            archived_at
        from log
        where
            :kind in ('', 'turn')
            and (:thread is null or session = :thread)
            and (archived_at is not null) = :archived
            and (:after_at is null or logged_at <= :after_at)
            and (:after_at is null or logged_at < :after_at or id < cast(:after_id as integer))
        order by logged_at desc, id desc
        limit :limit
    ) as turns
    union all
    select *
    from (
        select
            'episode' as kind,
            id,
            happened_at,
            utc_offset,
            thread,
            (
                select group_concat(present.value, ', ')
                from json_each(episode.participants) as present
            ) as who,
            summary as text,
            archived_at
        from episode
        where
            :kind in ('', 'episode')
            and (:thread is null or thread = :thread)
            and (archived_at is not null) = :archived
            and (:after_at is null or happened_at <= :after_at)
            and (:after_at is null or happened_at < :after_at or id < cast(:after_id as integer))
        order by happened_at desc, id desc
        limit :limit
    ) as episodes
) as moments
order by happened_at desc, id desc
limit :limit;

-- name: turns_to_process
select *
from log
where
    processed_at is null
    and archived_at is null
    and (:session is null or session = :session)
order by session, seq, id
limit :limit;

-- name: mark_processed
update main.log
set processed_at = :processed_at
where id = :id;

-- name: episode
select *
from episode
where id = :id;

-- name: episodes
select *
from episode
where
    (:thread is null or thread = :thread)
    and (archived_at is not null) = :archived
    and (:tag is null or exists (
        select 1
        from json_each(episode.tags) as present
        where lower(present.value) = lower(:tag)
    ))
    and (:duplicates = 0 or id in (
        select placed.id
        from (
            select
                id,
                row_number() over (
                    partition by
                        trim(summary),
                        details,
                        date(happened_at, coalesce(utc_offset, 0) || ' minutes'),
                        thread
                    order by archived_at is not null, id
                ) as place
            from episode
        ) as placed
        where placed.place > 1
    ))
order by happened_at desc, id desc;

-- name: count_episodes
select count(*)
from episode
where archived_at is null;

-- name: turns_of_episode
select log_id
from episode_source
where episode_id = :id
order by log_id;
