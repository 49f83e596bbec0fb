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

-- name: with_status
-- Facts of the kind project that hold, each beside every later status of its subject in force:
-- one that was said, and holds, after the fact was written or changed last. The newest comes last.
select
    fact.id,
    fact.text,
    fact.subject,
    status.value,
    max(fact.updated_at, fact_last_use.used_at) as last_at
from fact
inner join fact_last_use on fact.number = fact_last_use.number
inner join fact as status
    on
        fact.subject_key = status.subject_key
        and fact.user_id = status.user_id
        and fact.project = status.project
        and fact.updated_at < min(status.valid_from, status.updated_at)
where
    fact.category = 'project'
    and fact.status = 'active'
    and fact.archived_at is null
    and fact.pinned = 0
    and fact.immutable = 0
    and status.attribute_key = 'status'
    and status.status = 'active'
    and status.session_id in ('', fact.session_id)
    and status.valid_from <= :as_of
order by fact.number, status.valid_from, status.number;

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
update main.log
set archived_at = :now, archived_why = :why
where id = :id and archived_at is null;
