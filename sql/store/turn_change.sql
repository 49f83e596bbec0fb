-- Turns of which a later one says otherwise.

-- name: size
-- How many turns hold a candidate.
select count(distinct log_id)
from candidate_source;

-- name: newest_with
-- Of the newest candidates that hold a word, the last turn of each before another turn.
select
    (
        select max(candidate_source.log_id)
        from candidate_source
        where
            candidate_source.candidate_id = held.candidate_id
            and candidate_source.log_id < :before
    ) as id
from (
    select candidate_word.candidate_id
    from candidate_word
    inner join candidate on candidate_word.candidate_id = candidate.id
    where
        candidate_word.word = :word
        and candidate.user_id = :user_id
        and candidate.agent_id = :agent_id
        and candidate.project = :project
    order by candidate_word.candidate_id desc
    limit :most
) as held;

-- name: texts
select
    id,
    text
from log
where
    id in (
        select asked_for.value
        from json_each(:ids) as asked_for
    )
    and coalesce(speaker, '') = :speaker
order by id;

-- name: add
insert or ignore into turn_change (new_id, old_id, kind, score, said, why)
values (:new, :old, :kind, :score, :said, :why);

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
