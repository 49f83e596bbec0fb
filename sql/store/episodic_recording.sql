-- What was asked and found, and what of it helped.

-- name: record_recall
insert into recall (asked_at, question, hits, unknown_words, fallback, duration_ms)
values (:asked_at, :question, :hits, :unknown_words, :fallback, :duration_ms);

-- name: record_hits
insert into recall_hit (recall_id, rank, kind, item_id, score, fallback)
select
    :recall_id as recall_id,
    hit.value ->> 0 as rank,
    hit.value ->> 1 as kind,
    hit.value ->> 2 as item_id,
    hit.value ->> 3 as score,
    hit.value ->> 4 as fallback
from json_each(:hits) as hit;

-- name: fact_numbers
-- What recall_hit knows facts by.
select
    id,
    number
from fact
where id in (select asked_for.value from json_each(:ids) as asked_for);

-- name: recall
select
    id,
    asked_at,
    question,
    hits,
    outcome
from recall
where id = :id;

-- name: mark_used
update recall_hit
set used_at = :now
where
    recall_id = :recall_id
    and item_id = :item_id
    and (:kind is null or kind = :kind)
    and (:kind = 'fact' or kind <> 'fact');

-- name: set_outcome
update recall
set outcome = :outcome, outcome_at = :now
where id = :id;
