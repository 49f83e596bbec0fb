-- What tells that a screen is there.

-- name: one_root
-- Whether two states are one by now.
select 1
from state_root as one
inner join state_root as other on one.root = other.root
where one.id = :one and other.id = :other;
