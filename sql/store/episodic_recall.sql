-- What recall reads: names, counts, candidates and their neighbours.

-- name: names_in_question
-- Participants whose whole name, or its first word, is one of the spellings; where the
-- question is in a script without spaces, also those that stand anywhere in it. The name
-- stands left of =, so that its collation (no case) and its index are used.
select participant.name
from json_each(:spellings) as spelling
inner join participant on participant.name = spelling.value  -- noqa: ST09
union
select participant.name
from json_each(:spellings) as spelling
inner join participant
    on
        participant.name >= spelling.value || ' '
        and participant.name < spelling.value || '!'
union
select name
from participant
where :question is not null and instr(:question, name) > 0
limit 50;

-- name: index_averages
-- FTS5's averages record: the number of rows and of words, in one read.
select block
from episode_fts_data
where id = 1;

-- name: first_and_last
select
    min(bounds.first_at) as earliest,
    max(bounds.last_at) as latest
from (
    select
        (select min(logged_at) from log) as first_at,
        (select max(logged_at) from log) as last_at
    union all
    select
        (select min(happened_at) from episode) as first_at,
        (select max(happened_at) from episode) as last_at
) as bounds;

-- name: last_row
-- The highest number that a row of the index can have.
select
    max(
        2 * (select coalesce(max(log.id), 0) from log),
        2 * (select coalesce(max(episode.id), 0) from episode) + 1
    ) as last_row;

-- name: matching_first
-- The oldest rows that match, in one text: handing over a row a number would cost more than
-- finding them.
select
    count(*) as held,
    min(matching.id) as first_id,
    max(matching.id) as last_id,
    group_concat(matching.id) as ids
from (
    select rowid as id
    from episode_fts
    where episode_fts match :match
    order by rowid
    limit :most
) as matching;

-- name: matching
-- The newest rows that match.
select group_concat(matching.id) as ids
from (
    select rowid as id
    from episode_fts
    where episode_fts match :match
    order by rowid desc
    limit :most
) as matching;

-- name: matching_few
-- All rows that match.
select group_concat(rowid) as ids
from episode_fts
where episode_fts match :match;

-- name: matching_filtered
-- The newest rows that match and pass every filter.
select group_concat(matching.id) as ids
from (
    select rowid as id
    from episode_fts
    where
        episode_fts match :match
        and (
            (:turns and rowid % 2 = 0 and exists (
                select 1
                from log
                where
                    log.id = episode_fts.rowid / 2
                    and (:thread is null or log.session = :thread)
                    and (:as_of is null or log.logged_at <= :as_of)
                    and (
                        :status = 'all'
                        or (log.archived_at is null or log.archived_at > coalesce(:as_of, '9'))
                        = (:status = 'living')
                    )
                    and (
                        (:since is null or log.logged_at >= :since)
                        and (:until is null or log.logged_at <= :until)
                        and (
                            :participants = '[]'
                            or lower(coalesce(log.speaker, log.role)) in (
                                select asked.value from json_each(:participants) as asked
                            )
                        )
                        and (:tags = '[]')
                    )
            ))
            or (:episodes and rowid % 2 = 1 and exists (
                select 1
                from episode
                where
                    episode.id = episode_fts.rowid / 2
                    and (:thread is null or episode.thread = :thread)
                    and (:as_of is null or episode.happened_at <= :as_of)
                    and (
                        :status = 'all'
                        or (
                            episode.archived_at is null
                            or episode.archived_at > coalesce(:as_of, '9')
                        )
                        = (:status = 'living')
                    )
                    and (
                        (:since is null or episode.happened_at >= :since)
                        and (:until is null or episode.happened_at <= :until)
                        and (
                            :participants = '[]'
                            or exists (
                                select 1
                                from json_each(episode.participants) as present
                                inner join json_each(:participants) as asked
                                    on lower(present.value) = asked.value
                            )
                        )
                        and (:tags = '[]' or not exists (
                            select 1
                            from json_each(:tags) as asked
                            where asked.value not in (
                                select lower(present.value) from json_each(episode.tags) as present
                            )
                        ))
                    )
            ))
        )
    order by rowid desc
    limit :most
) as matching;

-- name: turn_rows
-- What the ranking needs of turns. What is not wanted may still lend score to its neighbours.
select
    2 * log.id as index_id,
    log.session as thread,
    log.seq,
    coalesce(log.speaker, log.role) as who,
    log.logged_at as at_time,
    substr(log.text, -1) in ('?', '？') as asks,
    docsize.sz as words,
    (
        :turns
        and (:since is null or log.logged_at >= :since)
        and (:until is null or log.logged_at <= :until)
        and (
            :participants = '[]'
            or lower(coalesce(log.speaker, log.role)) in (
                select asked.value from json_each(:participants) as asked
            )
        )
        and (:tags = '[]')
    ) as wanted
from json_each(:ids) as asked_for
inner join log on asked_for.value = log.id
inner join episode_fts_docsize as docsize on docsize.id = 2 * log.id
where
    (:thread is null or log.session = :thread)
    and (:as_of is null or log.logged_at <= :as_of)
    and (
        :status = 'all'
        or (log.archived_at is null or log.archived_at > coalesce(:as_of, '9'))
        = (:status = 'living')
    );

-- name: episode_rows
-- What the ranking needs of episodes.
select
    2 * episode.id + 1 as index_id,
    episode.thread,
    episode.seq,
    episode.participants as who,
    episode.happened_at as at_time,
    substr(episode.summary, -1) in ('?', '？') as asks,
    docsize.sz as words,
    (
        :episodes
        and (:since is null or episode.happened_at >= :since)
        and (:until is null or episode.happened_at <= :until)
        and (
            :participants = '[]'
            or exists (
                select 1
                from json_each(episode.participants) as present
                inner join json_each(:participants) as asked
                    on lower(present.value) = asked.value
            )
        )
        and (:tags = '[]' or not exists (
            select 1
            from json_each(:tags) as asked
            where asked.value not in (
                select lower(present.value) from json_each(episode.tags) as present
            )
        ))
    ) as wanted
from json_each(:ids) as asked_for
inner join episode on asked_for.value = episode.id
inner join episode_fts_docsize as docsize on docsize.id = 2 * episode.id + 1
where
    (:thread is null or episode.thread = :thread)
    and (:as_of is null or episode.happened_at <= :as_of)
    and (
        :status = 'all'
        or (episode.archived_at is null or episode.archived_at > coalesce(:as_of, '9'))
        = (:status = 'living')
    );

-- name: turns_around
-- The turns up to two places away from some.
select distinct log.id
from json_each(:places) as place
inner join log
    on
        log.session = place.value ->> 0
        and log.seq between (place.value ->> 1) - 2 and (place.value ->> 1) + 2
order by log.id
limit 2000;

-- name: episodes_around
select distinct episode.id
from json_each(:places) as place
inner join episode
    on
        episode.thread = place.value ->> 0
        and episode.seq between (place.value ->> 1) - 2 and (place.value ->> 1) + 2
order by episode.id
limit 2000;

-- name: session_sizes
-- How many places some sessions have.
select
    thread.value as thread,
    (
        select max(log.seq) from log
        where log.session = thread.value
    ) as places
from json_each(:threads) as thread;

-- name: thread_sizes
select
    thread.value as thread,
    (
        select max(episode.seq) from episode
        where episode.thread = thread.value
    ) as places
from json_each(:threads) as thread;

-- name: rows_between
-- The newest rows of some days.
select 2 * turn.id as index_id
from (
    select id
    from log
    where
        logged_at >= :first
        and logged_at < :after
    order by logged_at desc
    limit :most
) as turn
union all
select 2 * happening.id + 1 as index_id
from (
    select id
    from episode
    where happened_at >= :first and happened_at < :after
    order by happened_at desc
    limit :most
) as happening;

-- name: turn_texts
select
    2 * id as index_id,
    'turn' as kind,
    id,
    text,
    details,
    '' as tags,
    coalesce(speaker, '') as participants,
    logged_at as happened_at,
    session as thread,
    seq
from log
where id in (select asked_for.value from json_each(:ids) as asked_for);

-- name: episode_texts
select
    2 * id + 1 as index_id,
    'episode' as kind,
    id,
    summary as text,
    details,
    (
        select coalesce(group_concat(present.value, ', '), '')
        from json_each(episode.tags) as present
    ) as tags,
    (
        select coalesce(group_concat(present.value, ', '), '')
        from json_each(episode.participants) as present
    ) as participants,
    happened_at,
    thread,
    seq
from episode
where id in (select asked_for.value from json_each(:ids) as asked_for);
