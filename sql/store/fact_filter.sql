-- name: store_address
-- The store that a fact is in, as filters see it: app_id.
select store.address
from store
where store.id = 1;

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
-- Whether a fact of the same owner holds that says the same, and comes before it: what is pinned
-- comes first, then the oldest.
select 1
from fact as other
where
    other.equal_key = fact.equal_key
    and other.id <> fact.id
    and other.user_id is fact.user_id
    and other.agent_id is fact.agent_id
    and other.session_id = fact.session_id
    and other.status = 'active'
    and other.archived_at is null
    and other.valid_to is null
    and other.valid_from <= max(:now, other.created_at)
    and (
        other.expires_at is null
        or other.expires_at > :now
        or (other.expires_by = 'category' and max(other.pinned, other.immutable) = 1)
    )
    and (
        fact.status <> 'active'
        or max(other.pinned, other.immutable) > max(fact.pinned, fact.immutable)
        or (
            max(other.pinned, other.immutable) = max(fact.pinned, fact.immutable)
            and other.number < fact.number
        )
    );
