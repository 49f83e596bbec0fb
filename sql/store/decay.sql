-- What fades: facts that nobody uses, projects that are complete, the log of long ago.

-- name: unused
-- Facts of a kind that hold and that nobody wrote, changed or used since a moment.
select
    id,
    text,
    last_at
from (
    select
        fact.number,
        fact.id,
        fact.text,
        max(fact.updated_at, fact.valid_from, fact_last_use.used_at) as last_at
    from fact
    inner join fact_last_use on fact.number = fact_last_use.number
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

-- name: projects
-- Facts of the kind project that hold, with their subjects.
select
    number,
    id,
    text,
    subject,
    subject_key,
    valid_from as last_at
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
    id,
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
