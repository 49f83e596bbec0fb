-- What was asked and found, and what of it helped.

-- name: record_recall
insert into main.recall (
    asked_at, question, hits, unknown_words, fallback, duration_ms,
    user_id, agent_id, project
)
values (
    :asked_at, :question, :hits, :unknown_words, :fallback, :duration_ms,
    :user_id, :agent_id, :project
);

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
    unknown_words,
    fallback,
    duration_ms,
    outcome,
    outcome_at,
    forgotten_at
from recall
where id = :id;

-- name: recalls
-- The newest recalls, living or forgotten.
select
    id,
    asked_at,
    question,
    hits,
    unknown_words,
    fallback,
    duration_ms,
    outcome,
    outcome_at,
    forgotten_at
from recall
where
    (forgotten_at is not null) = :forgotten
    and (:empty = 0 or hits = 0)
order by id desc;

-- name: count_recalls
select count(*)
from recall
where forgotten_at is null;

-- name: hits_of
-- What a recall brought, with its text as it is now; a fact's is read within a scope.
select
    recall_hit.rank,
    recall_hit.kind,
    coalesce(fact.id, recall_hit.item_id) as id,
    coalesce(log.text, episode.summary) as text,
    recall_hit.score,
    recall_hit.fallback,
    recall_hit.used_at
from recall_hit
left join log on recall_hit.kind = 'turn' and recall_hit.item_id = log.id
left join episode on recall_hit.kind = 'episode' and recall_hit.item_id = episode.id
left join fact on recall_hit.kind = 'fact' and recall_hit.item_id = fact.number
where recall_hit.recall_id = :recall_id
order by recall_hit.rank;

-- name: mark_forgotten
update main.recall
set forgotten_at = :forgotten_at
where id = :id;

-- name: mark_used
update recall_hit
set used_at = :now
where
    recall_id = :recall_id
    and item_id = :item_id
    and (:kind is null or kind = :kind)
    and (:kind = 'fact' or kind <> 'fact');

-- name: mark_injected_used
-- What helped now was of use where it was put into a prompt last.
update injected_row
set used_at = :now
where
    used_at is null
    and injection_id = (
        select max(latest.injection_id)
        from injected_row as latest
        where latest.name = injected_row.name
    )
    and name in (
        select coalesce(fact.id, recall_hit.kind || ':' || recall_hit.item_id)
        from recall_hit
        left join fact on recall_hit.kind = 'fact' and recall_hit.item_id = fact.number
        where recall_hit.recall_id = :recall_id and recall_hit.used_at = :now
    );

-- name: set_outcome
update main.recall
set outcome = :outcome, outcome_at = :now
where id = :id;
