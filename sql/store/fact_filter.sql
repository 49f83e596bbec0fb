-- name: store_address
-- The store that a fact is in, as filters see it: app_id.
select store.address
from store
where store.id = 1;

-- name: among
-- The ids of a list, of any length.
select wanted.value
from json_each(:among) as wanted;

-- name: list_holds
-- Whether a list in a fact's metadata holds a member.
select 1
from json_each(:metadata, :path) as member
where
    json_type(:metadata, :path) = 'array'
    and member.value = :member;

-- name: list_holds_ignoring_case
-- The same, by a pattern that holds its letters in both cases.
select 1
from json_each(:metadata, :path) as member
where
    json_type(:metadata, :path) = 'array'
    and member.value glob :member;

-- name: said_by_another
-- Facts that say what another one of the same owner says, which holds. Of those that hold, what is
-- pinned comes first, then the oldest: it is none of them.
with

judged as (

    select
        id,
        number,
        equal_key,
        user_id,
        agent_id,
        project,
        session_id,
        max(pinned, immutable) as spared,
        case
            when status not in ('active', 'superseded') then 0
            when valid_from > max(:now, created_at) then 0
            when valid_to > max(:now, updated_at, valid_from) then 1
            else status = 'active'
        end = 1
        and archived_at is null
        and (
            expires_at is null
            or expires_at > :now
            or (expires_by = 'category' and max(pinned, immutable) = 1)
        ) as holds
    from fact
    where equal_key is not null

),

placed as (

    select
        id,
        max(holds) over one_claim as is_held,
        row_number() over (
            partition by equal_key, user_id, agent_id, project, session_id
            order by holds desc, spared desc, number
        ) as place
    from judged
    window one_claim as (partition by equal_key, user_id, agent_id, project, session_id)

)

select id
from placed
where is_held = 1 and place > 1;
