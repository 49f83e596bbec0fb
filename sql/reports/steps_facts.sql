-- sqlfluff:dialect:duckdb
-- Steps that tell which facts hold.

-- name: fact_standing
-- Where each fact stands now
-- As the view fact_current has it: a fact holds from when it is valid until it is replaced, also
-- where the one that replaces it is still to come; an end that only its category set spares what
-- is pinned or immutable. The first of these that is true: it waits for a person, was forgotten,
-- is still to come, was replaced (or is at its end), was archived, has expired, or holds.
-- reads fact: id, status, immutable, pinned, valid_from, valid_to, expires_at, expires_by
-- reads fact: archived_at, created_at, updated_at
-- store text: which store
-- id text: its id
-- standing text: pending, forgotten, to come, replaced, archived, expired or held
-- ends_at at: when it expires or expired; null: never
with

ends as (

    select
        fact.*,
        case
            when fact.expires_by = 'given' or fact.pinned + fact.immutable = 0
                then fact.expires_at
        end as ends_at
    from fact

)

select
    ends.store,
    ends.id,
    case
        when ends.status in ('pending', 'forgotten') then ends.status
        when ends.valid_from > greatest(request.asked_at, ends.created_at) then 'to come'
        when ends.status = 'superseded' and ends.valid_to is null then 'replaced'
        when ends.valid_to <= greatest(request.asked_at, ends.updated_at, ends.valid_from)
            then 'replaced'
        when ends.archived_at is not null then 'archived'
        when ends.ends_at <= request.asked_at then 'expired'
        else 'held'
    end as standing,
    ends.ends_at
from ends
cross join request;

-- name: held
-- The facts that hold now
-- reads fact: number, id, text, category, source, importance, immutable, pinned
-- reads fact: created_at, equal_key, tokens, user_id, agent_id, project, session_id
-- follows fact_standing
-- store text: which store
-- number number: the order of arrival
-- id text: its id
-- text text: what it says
-- category text: null where none was named
-- source text: where it comes from; empty: not told
-- importance share: as it is stored
-- spared count: 1 where it is pinned or immutable
-- equal_key text: equal facts of one owner have equal ones
-- created_at at: when it was written
-- ends_at at: when it expires; null: never
-- tokens count: what it costs in a prompt
select
    fact.store,
    fact.number,
    fact.id,
    fact.text,
    fact.category,
    fact.source,
    fact.importance,
    greatest(fact.pinned, fact.immutable) as spared,
    concat_ws(
        chr(31),
        fact.user_id,
        fact.agent_id,
        fact.project,
        fact.session_id,
        coalesce(fact.equal_key, lower(trim(fact.text)))
    ) as equal_key,
    fact.created_at,
    fact_standing.ends_at,
    fact.tokens
from fact
inner join fact_standing on fact.store = fact_standing.store and fact.id = fact_standing.id
where fact_standing.standing = 'held';

-- name: living
-- The turns and episodes that are not archived, and the facts that hold
-- reads memory: kind, id, happened_at, archived_at
-- follows held
-- store text: which store
-- kind text: turn, episode or fact
-- id number: of a fact, the order of its arrival
-- born_at at: when it happened or was written
select
    store,
    kind,
    id,
    happened_at as born_at
from memory
where archived_at is null
union all
select
    store,
    'fact' as kind,
    number as id,
    created_at as born_at
from held;
