-- What tidying reads.

-- name: facts
-- Facts that hold and that may be changed.
select
    id,
    text,
    category,
    user_id,
    agent_id,
    project,
    valid_from,
    expires_at
from fact
where status = 'active' and archived_at is null and immutable = 0 and pinned = 0
order by number;

-- name: owner
select
    user_id,
    agent_id,
    project
from fact
where id = :id;
