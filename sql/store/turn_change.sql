-- Turns of which a later one says otherwise.

-- name: size
-- How many turns hold a candidate.
select count(distinct log_id)
from candidate_source;

-- name: word_counts
-- In how many turns each word stands, of those that hold a candidate; from :most on it is common.
select
    word.value as word,
    (
        select count(*)
        from (
            select distinct candidate_source.log_id
            from candidate_word
            inner join candidate_source
                on candidate_word.candidate_id = candidate_source.candidate_id
            where candidate_word.word = word.value
            limit :most
        )
    ) as count
from json_each(:words) as word;

-- name: newest_with
-- The newest turns with a candidate that holds a word, said before another turn.
select distinct candidate_source.log_id as id
from candidate_word
inner join candidate_source on candidate_word.candidate_id = candidate_source.candidate_id
where candidate_word.word = :word and candidate_source.log_id < :before
order by candidate_source.log_id desc
limit :most;

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
