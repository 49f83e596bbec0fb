-- What a prompt is told from memory: where rows come from, and what they were replaced by.

-- name: compacted_at
-- When the host last compacted a session: what it was told before is no longer at its hand.
select max(taken_at)
from journal_snapshot
where session = :session and why = :why;

-- name: turns_of_facts
-- The session and time of the turn that each of some facts was read from.
select
    fact.id as fact,
    log.session,
    log.logged_at
from json_each(:facts) as wanted
cross join fact on wanted.value = fact.id
inner join log on cast(substr(fact.source, 6) as integer) = log.id
where fact.source like 'turn:%';

-- name: facts_of_turns
-- The facts that were read from some turns: which hold, what replaced the others, and which a newer
-- one that holds may replace.
select
    wanted.value as turn,
    fact.id as fact,
    fact.status,
    fact.superseded_by,
    exists(
        select 1
        from fact as newer
        where newer.may_replace = fact.id and newer.status = 'active'
    ) as undecided
from json_each(:turns) as wanted
inner join fact on fact.source = 'turn:' || wanted.value;

-- name: facts_of_session
-- What a session told that holds: the facts that were read from its turns, in their order.
select fact.text
from log
inner join fact on fact.source = 'turn:' || log.id
where log.session = :session and fact.status = 'active'
order by log.seq, fact.number;

-- name: newer_of
-- For each of some facts the newest that holds and may replace it, of which nobody has decided.
select
    older.value as older,
    max(fact.number) as number,
    fact.id as newer
from json_each(:facts) as older
inner join fact on older.value = fact.may_replace
where fact.status = 'active'
group by older.value;
