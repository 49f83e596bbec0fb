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
