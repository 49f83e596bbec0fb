-- What a check of the facts reads.

-- name: facts
-- Facts that hold, with what each was promoted from.
select
    fact.id,
    fact.text,
    fact.category,
    fact.valid_from,
    fact.expires_at,
    fact.doubt,
    fact.may_replace,
    candidate.id as candidate_id,
    (
        select group_concat(log.text, ' ')
        from candidate_source
        inner join log on candidate_source.log_id = log.id
        where candidate_source.candidate_id = candidate.id
    ) as said
from fact
left join candidate on candidate.fact_id = fact.id and candidate.status = 'promoted'
where fact.status = 'active' and fact.archived_at is null
order by fact.number;
