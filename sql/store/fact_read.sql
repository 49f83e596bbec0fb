-- name: by_id
-- One fact within a scope.
select fact.*
from fact
where fact.id = :id and :fact_in_scope;

-- name: any_fact
select 1 as found
where exists (
    select 1 from fact
);

-- name: erased
-- Whether history knows an id whose row is gone.
select count(*)
from fact_history
where fact_id = :id and not exists (
    select 1 from fact
    where fact.id = :id
);

-- name: listed
-- Facts within a scope, the newest first.
select fact.*
from fact
where
    :fact_in_scope
    and (
        :status = 'any'
        or (
            :status in ('active', 'coming', 'superseded')
            and fact.status in ('active', 'superseded')
            and :status = case
                when fact.valid_from > max(:now, fact.created_at) then 'coming'
                when fact.valid_to > max(:now, fact.updated_at, fact.valid_from) then 'active'
                else fact.status
            end
        )
        or (:status in ('pending', 'forgotten') and fact.status = :status)
    )
    and (
        :show_hidden = 1
        or (
            fact.archived_at is null
            and (
                fact.expires_at is null
                or fact.expires_at > :now
                or (fact.expires_by = 'category' and (fact.pinned = 1 or fact.immutable = 1))
            )
        )
    )
    and :filters
    and (
        :after_at is null
        or fact.updated_at < :after_at
        or (
            fact.updated_at = :after_at
            and fact.number < coalesce(
                (
                    select last.number from fact as last
                    where last.id = :after_id
                ),
                9223372036854775807  -- it was erased: better a row again than one left out
            )
        )
    )
order by fact.updated_at desc, fact.number desc
limit :limit offset :offset;

-- name: by_category
-- How many facts of each category hold, the most first.
select
    coalesce(category, 'uncategorised') as category,
    count(*) as facts
from fact
where :fact_is_present and :fact_in_scope
group by category
order by facts desc, category;

-- name: valid
-- Of some facts, those that hold at a time, within a scope: what orders equals.
select
    fact.number,
    fact.importance,
    coalesce(cast(strftime('%s', fact.updated_at) as integer), 0) as updated
from json_each(:numbers) as wanted
cross join fact on wanted.value = fact.number
where :fact_in_scope and :fact_holds and :filters;

-- name: holds
-- Facts that hold at a time, within a scope: the most important first.
select fact.*
from fact
where :fact_in_scope and :fact_holds and :filters
order by fact.importance desc, fact.updated_at desc, fact.number desc
limit :limit;

-- name: about
-- What holds of one thing, or of one property of it: the newest first.
select fact.*
from fact
where
    fact.subject_key in (select subject.value from json_each(:subjects) as subject)
    and (:attribute_key is null or fact.attribute_key = :attribute_key)
    and :fact_in_scope
    and :fact_holds
    and :filters
order by fact.valid_from desc, fact.number desc;

-- name: session_pairs
-- For each of some facts, those of the same owner that may say the same or otherwise, where one of
-- the two is a session's and the other long-term.
with told as (
    select fact.*
    from json_each(:numbers) as wanted
    cross join fact on wanted.value = fact.number
)

select
    told.number as told_number,
    other.*
from told
cross join fact as other
    on
        (
            told.equal_key = other.equal_key
            or (
                told.subject_key = other.subject_key
                and told.attribute_key = other.attribute_key
            )
        )
        and told.user_id = other.user_id
        and told.agent_id = other.agent_id
        and told.project = other.project
        and (told.session_id = '') <> (other.session_id = '')
        and (
            :scope_session is null or other.session_id = '' or other.session_id = :scope_session
        );

-- name: by_ids
-- Whole rows of some facts.
select fact.*
from json_each(:ids) as wanted
cross join fact on wanted.value = fact.id;

-- name: by_number
-- Whole rows of some facts.
select fact.*
from json_each(:numbers) as wanted
cross join fact on wanted.value = fact.number;

-- name: named_rows
-- The facts whose subject is one of some names, as one list.
select json_group_array(found.number)
from (
    select fact.number
    from fact
    where
        fact.subject_key in (select name.value from json_each(:names) as name)
    order by fact.number desc
    limit :cap
) as found;

-- name: kept
-- Whether a fact of a scope holds a word, at whatever time, unless it was forgotten.
with matching as (
    select memory_fts.rowid - :low as number
    from memory_fts
    where memory_fts match :match and memory_fts.rowid > :low
)

select
    exists(
        select 1
        from matching
        cross join fact on matching.number = fact.number
        where fact.status <> 'forgotten' and :fact_in_scope
    ) as found;

-- name: any_unnoted
-- Whether one of some facts was not served yet since the day began.
select exists(
    select 1
    from fact
    left join fact_use on fact.number = fact_use.number
    where
        fact.id in (select one.value from json_each(:ids) as one)
        and coalesce(fact_use.used_at, '') < :today
) as unnoted;

-- name: note_uses
-- Note that some facts were served, once a day.
insert into fact_use (number, used_at)
select
    fact.number,
    :now as used_at
from fact
where
    fact.id in (select one.value from json_each(:ids) as one)
on conflict (number) do update set used_at = excluded.used_at
where fact_use.used_at < :today;
