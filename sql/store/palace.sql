-- What the views of the palace are made of.

-- name: happenings
-- Episodes and decisions, in the order in which they happened.
select
    happened_at as at_time,
    utc_offset,
    'episode:' || id as cited,
    summary as text
from episode
where archived_at is null
union all
select
    valid_from as at_time,
    null as utc_offset,
    id as cited,
    text
from fact
where category = 'decision' and status in ('active', 'superseded') and archived_at is null
order by at_time, cited;

-- name: facts_of
-- Facts of some categories that hold, by what they are about.
select
    id as cited,
    text,
    category,
    coalesce(subject, '') as subject,
    coalesce(subject_key, '') as subject_key,
    doubt,
    valid_from
from fact
where
    status = 'active'
    and archived_at is null
    and valid_from <= :now
    and (expires_at is null or expires_at > :now or pinned = 1 or immutable = 1)
    and category in (
        select asked_for.value
        from json_each(:categories) as asked_for
    )
order by subject_key, valid_from, number;
