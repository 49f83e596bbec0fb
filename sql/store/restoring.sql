-- Rows of an export, as they were, put into a store.

-- name: erased_fact
-- Whether history knows a fact whose row is gone.
select count(*)
from fact_history
where fact_id = :id;

-- name: erased_row
-- Whether a turn or an episode was erased.
select count(*)
from erasure
where kind = :kind and item_id = :id;

-- name: noted
-- What a row of another store became here, or that an edit was taken.
select item
from imported
where source = 'memctl' and digest = :digest;

-- name: note
insert into imported (source, digest, kind, item, imported_at)
values ('memctl', :digest, :kind, :item, :now);

-- name: like_turn
-- Turns at the same place of the same thread.
select id
from log
where session = :session and seq = :seq
order by id;

-- name: like_episode
select id
from episode
where happened_at = :happened_at and summary = :summary
order by id;

-- name: says_same
-- Whether a fact of the same owner holds and says the same.
select count(*)
from fact
where
    equal_key = :equal_key
    and :fact_of_owner
    and session_id = :session_id
    and status = 'active';

-- name: free_id
-- The id of a turn or an episode where neither has it, else the next one.
select
    case
        when
            exists (
                select 1 from main.log
                where log.id = :id
            ) or exists (
                select 1 from main.episode
                where episode.id = :id
            )
            then 1 + max(
                (select coalesce(max(log.id), 0) from main.log),
                (select coalesce(max(episode.id), 0) from main.episode)
            )
        else :id
    end as id;
