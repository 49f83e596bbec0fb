-- What fades: facts that nobody recalls, projects that are complete, the log of long ago.

-- name: unused
-- Facts of a kind that hold and that nobody wrote, changed or recalled since a moment.
select
    id,
    text,
    last_at
from (
    select
        fact.number,
        fact.id,
        fact.text,
        max(
            fact.updated_at,
            fact.valid_from,
            coalesce(
                (
                    select max(recall.asked_at)
                    from recall_hit
                    inner join recall on recall_hit.recall_id = recall.id
                    where recall_hit.kind = 'fact' and recall_hit.item_id = fact.number
                ),
                ''
            )
        ) as last_at
    from fact
    where
        fact.category = :category
        and fact.status = 'active'
        and fact.archived_at is null
        and fact.pinned = 0
        and fact.immutable = 0
        and fact.updated_at < :before
) as unchanged
where last_at < :before
order by number;

-- name: named_since
-- Whether a turn since a moment holds some words; the newest ones may not be in the index yet.
select
    exists (
        select 1
        from (
            select rowid as id
            from memory_fts
            where memory_fts match :match
        ) as matching
        inner join log on matching.id = log.id
        where log.logged_at >= :since
    )
    or exists (
        select 1
        from (
            select
                log.text,
                log.logged_at
            from log
            order by log.id desc
            limit 64
        ) as newest
        where
            newest.logged_at >= :since
            and not exists (
                select 1
                from json_each(:words) as word
                where not instr(lower(newest.text), word.value)
            )
    ) as named;

-- name: projects
-- Facts of the kind project that hold, with their subjects.
select
    number,
    id,
    text,
    subject,
    subject_key,
    updated_at as last_at
from fact
where
    category = 'project'
    and status = 'active'
    and archived_at is null
    and pinned = 0
    and immutable = 0
    and subject_key is not null
order by number;

-- name: statuses
-- What is said of the status of each thing.
select
    number,
    subject_key,
    value,
    valid_from
from fact
where status = 'active' and attribute_key = 'status' and subject_key is not null
order by number;

-- name: archive_fact
update fact
set archived_at = :now, updated_at = :now, revision = revision + 1
where id = :id and archived_at is null;

-- name: old_turns
-- Turns that a dream has read and that are older than a moment.
select
    id,
    text,
    logged_at as last_at
from log
where
    archived_at is null
    and processed_at is not null
    and logged_at < :before
order by logged_at, id
limit :most;

-- name: archive_turn
update log
set archived_at = :now, archived_why = :why
where id = :id and archived_at is null;
