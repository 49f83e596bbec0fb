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
    and category in (select asked_for.value from json_each(:categories) as asked_for)
order by subject_key, valid_from, number;

-- name: dreams
-- Runs that ended, the newest first.
select
    id,
    kind,
    as_of,
    status,
    diary
from dream_run
where status in ('done', 'rolled back') and diary <> ''
order by id desc
limit :most;

-- name: promoted_by
-- What a run made facts of and still holds, the best first.
select
    fact.id as cited,
    fact.text,
    promotion.score
from promotion
inner join fact on promotion.fact_id = fact.id
where promotion.run_id = :run and fact.status in ('active', 'pending') and fact.archived_at is null
order by promotion.score desc, promotion.id
limit :most;

-- name: told_by
-- Episodes that a run wrote.
select
    episode.id as cited,
    episode.summary as text
from dream_row
inner join episode on dream_row.row_id = episode.id
where dream_row.run_id = :run and dream_row.relation = 'episode' and episode.archived_at is null
order by episode.happened_at, episode.id
limit :most;

-- name: waiting
-- Facts that wait for a person, or that one is to check, the newest first.
select
    id as cited,
    text,
    coalesce(doubt, nullif(status_why, ''), 'may replace ' || may_replace) as why
from fact
where
    archived_at is null
    and (
        status = 'pending'
        or (status = 'active' and (doubt is not null or may_replace is not null))
    )
order by number desc
limit :most;
