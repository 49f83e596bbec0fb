-- Turns of which a later one says otherwise.

-- name: newest
-- Pairs of turns, the newest first.
select
    new_id,
    old_id,
    kind,
    why
from turn_change
order by new_id desc, score desc
limit :most;
