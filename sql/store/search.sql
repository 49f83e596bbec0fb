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

-- name: index_size
-- FTS5's averages record (the number of rows and of words), the last change, the
-- highest id of each kind, and the first and last time of turns and episodes.
select
    (
        select block
        from memory_fts_data
        where id = 1
    ) as averages,
    (select coalesce(max(row_change.id), 0) from row_change) as changes,
    (select coalesce(max(log.id), 0) from log) as turn,
    (select coalesce(max(episode.id), 0) from episode) as episode,
    (select coalesce(max(fact.number), 0) from fact) as fact,
    (select min(log.logged_at) from log) as first_turn,
    (select max(log.logged_at) from log) as last_turn,
    (select min(episode.happened_at) from episode) as first_episode,
    (select max(episode.happened_at) from episode) as last_episode;

-- name: matching_first
-- How many of the oldest rows match each of some expressions in a range, the first and the last of
-- them, and all where they are fewer than :most: in one text, since handing over a row a number
-- would cost more than finding them.
select (
    select
        json_array(
            count(*),
            min(matching.id),
            max(matching.id),
            iif(count(*) < :most, group_concat(matching.id), '')
        )
    from (
        select memory_fts.rowid as id
        from memory_fts
        where
            memory_fts match json_extract(asked.value, '$[0]')
            and memory_fts.rowid >= json_extract(asked.value, '$[1]')
            and memory_fts.rowid <= json_extract(asked.value, '$[2]')
        order by memory_fts.rowid
        limit :most
    ) as matching
) as held
from json_each(:asked) as asked;

-- name: matching
-- The newest rows that match.
select group_concat(matching.id) as ids
from (
    select rowid as id
    from memory_fts
    where memory_fts match :match and rowid between :low and :high
    order by rowid desc
    limit :most
) as matching;

-- name: matching_few
-- All rows that match.
select group_concat(rowid) as ids
from memory_fts
where memory_fts match :match and rowid between :low and :high;

-- name: matching_filtered
-- The newest rows that match and pass every filter.
select group_concat(matching.id) as ids
from (
    select rowid as id
    from memory_fts
    where
        memory_fts match :match
        and rowid between :low and :high
        and (
            (:turns and rowid < 281474976710656 and exists (
                select 1
                from log
                where log.id = memory_fts.rowid and :turn_in_reach and :turn_asked_for
            ))
            or (:episodes and rowid > 281474976710656 and exists (
                select 1
                from episode
                where
                    episode.id = memory_fts.rowid - 281474976710656
                    and :episode_in_reach
                    and :episode_asked_for
            ))
        )
    order by rowid desc
    limit :most
) as matching;

-- name: turn_rows
-- What the ranking needs of turns. What is not wanted may still lend score to its neighbours.
select
    log.id as index_id,
    log.session as thread,
    log.seq,
    coalesce(log.speaker, log.role) as who,
    case
        when log.role in ('user', 'human') then iif(log.speaker is null, 1, 0)
        when log.role in ('assistant', 'system', 'tool', 'model', 'ai', 'bot', 'function') then 2
        else 0
    end as said_as,
    log.logged_at as at_time,
    log.utc_offset,
    substr(log.text, -1) in ('?', '？') as asks,
    docsize.sz as words,
    (:turns and :turn_asked_for) as wanted
from json_each(:ids) as asked_for
inner join log on asked_for.value = log.id
inner join memory_fts_docsize as docsize on log.id = docsize.id
where :turn_in_reach;

-- name: episode_rows
-- What the ranking needs of episodes.
select
    episode.id + 281474976710656 as index_id,
    episode.thread,
    episode.seq,
    episode.participants as who,
    0 as said_as,
    episode.happened_at as at_time,
    episode.utc_offset,
    substr(episode.summary, -1) in ('?', '？') as asks,
    docsize.sz as words,
    (:episodes and :episode_asked_for) as wanted
from json_each(:ids) as asked_for
inner join episode on asked_for.value = episode.id
inner join memory_fts_docsize as docsize on docsize.id = episode.id + 281474976710656
where :episode_in_reach;

-- name: turns_around
-- The turns up to two places away from some.
select distinct log.id
from json_each(:places) as place
inner join log
    on
        log.session = place.value ->> 0
        and log.seq between (place.value ->> 1) - 2 and (place.value ->> 1) + 2
        and log.id <= :turn
order by log.id
limit 2000;

-- name: episodes_around
select distinct episode.id
from json_each(:places) as place
inner join episode
    on
        episode.thread = place.value ->> 0
        and episode.seq between (place.value ->> 1) - 2 and (place.value ->> 1) + 2
        and episode.id <= :episode
order by episode.id
limit 2000;

-- name: session_sizes
-- How many places some sessions have.
select
    thread.value as thread,
    (
        select max(log.seq) from log
        where log.session = thread.value and log.id <= :turn
    ) as places
from json_each(:threads) as thread;

-- name: thread_sizes
select
    thread.value as thread,
    (
        select max(episode.seq) from episode
        where episode.thread = thread.value and episode.id <= :episode
    ) as places
from json_each(:threads) as thread;

-- name: rows_between
-- The newest rows of some days.
select turn.id as index_id
from (
    select id
    from log
    where
        logged_at >= :first
        and logged_at < :after
        and id <= :turn
    order by logged_at desc
    limit :most
) as turn
union all
select happening.id + 281474976710656 as index_id
from (
    select id
    from episode
    where happened_at >= :first and happened_at < :after and id <= :episode
    order by happened_at desc
    limit :most
) as happening;

-- name: facts_between
-- Facts that hold since one of some days, among those that were stored last.
select number + 562949953421312 as index_id
from fact
where
    number > :facts - 20000
    and number <= :facts
    and valid_from >= :first
    and valid_from < :after
order by number desc
limit :most;

-- name: turn_texts
select
    id as index_id,
    'turn' as kind,
    id,
    text,
    details,
    '' as tags,
    coalesce(speaker, '') as participants,
    logged_at as happened_at,
    utc_offset,
    session as thread,
    seq,
    (
        select nullif(json_group_array(turn_change.old_id), '[]')
        from turn_change
        where turn_change.new_id = log.id
    ) as may_replace,
    (
        select 'is earlier than turn ' || turn_change.new_id || ', which ' || turn_change.why
        from turn_change
        where turn_change.old_id = log.id
        order by turn_change.new_id desc
        limit 1
    ) as doubt
from log
where id in (select asked_for.value from json_each(:ids) as asked_for);

-- name: episode_texts
select
    id + 281474976710656 as index_id,
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
    utc_offset,
    thread,
    seq,
    null as may_replace,
    null as doubt
from episode
where id in (select asked_for.value from json_each(:ids) as asked_for);

-- name: fact_rows
-- What the ranking needs of facts: those that hold at a time, within a scope.
select
    fact.number + 562949953421312 as index_id,
    fact.valid_from as at_time,
    fact.importance,
    coalesce(cast(strftime('%s', fact.updated_at) as integer), 0) as updated
from json_each(:ids) as asked_for
cross join fact on asked_for.value = fact.number
where :fact_in_scope and :fact_holds and :filters;

-- name: newer_facts
-- The facts that have replaced some facts, or may, while nobody has decided; what one fact said
-- before it was edited is no other fact.
select
    newer.number as newer,
    older.number as older
from json_each(:ids) as asked_for
cross join fact as older on asked_for.value = older.number
cross join fact as newer on older.id = newer.may_replace
where older.status = 'active'
union all
select
    newer.number as newer,
    older.number as older
from json_each(:ids) as asked_for
cross join fact as older on asked_for.value = older.number
cross join fact as newer on older.superseded_by = newer.id
where
    :ended
    and older.status = 'superseded'
    and older.status_why = 'changed'
    and instr(older.id, '.') = 0;

-- name: facts_matching
-- The newest facts that match and hold at a time, within a scope; with :ended, those too that
-- another has replaced.
select group_concat(found.id) as ids
from (
    select matching.id
    from (
        select rowid as id
        from memory_fts
        where memory_fts match :match and rowid between :low and :high
    ) as matching
    cross join fact on matching.id - 562949953421312 = fact.number
    where
        :fact_in_scope
        and fact.status in ('active', 'superseded')
        and fact.valid_from <= coalesce(:as_of, max(:now, fact.created_at))
        and (
            fact.valid_to is null
            or fact.valid_to > coalesce(:as_of, max(:now, fact.updated_at, fact.valid_from))
            or (:ended and fact.status_why = 'changed' and :as_of is null)
        )
        and (fact.archived_at is null or :as_of is not null)
        and (
            fact.expires_at is null
            or fact.expires_at > coalesce(:as_of, :now)
            or (fact.expires_by = 'category' and (fact.pinned = 1 or fact.immutable = 1))
        )
        and :filters
    order by matching.id desc
    limit :most
) as found;

-- name: fact_texts
select
    number + 562949953421312 as index_id,
    'fact' as kind,
    id,
    text,
    '' as details,
    coalesce(category, '') as tags,
    '' as participants,
    valid_from as happened_at,
    null as utc_offset,
    null as thread,
    0 as seq,
    may_replace,
    doubt,
    iif(kept_at is null, coalesce(shared_in, ''), '') as shared,
    coalesce(folded, text) || char(10) || coalesce(subject, '') || char(10)
    || coalesce(attribute, '') || char(10) || coalesce(value, '') as index_text
from fact
where number in (select asked_for.value from json_each(:ids) as asked_for);

-- name: row_exists
select id
from log
where :kind = 'turn' and id = :id
union all
select id
from episode
where :kind = 'episode' and id = :id;

-- name: fact_number
select number
from fact
where id = :id;
