-- Slots: what a caller says that a fact is about, so that the newer of two takes the place of the
-- older.

-- The caller's name for what the fact says, as user.home; null where none was given.
alter table fact add column about text
/* the caller's name for what it says, as user.home; null: none was given */
default null;

create index fact_about on fact (about)
where about is not null;

-- Slots and the fact that holds each, by name; of each user, agent and project its own.
create view fact_slot_current as
select
    fact.about,
    fact.text,
    fact.id,
    fact.user_id,
    fact.agent_id,
    fact.project,
    fact.valid_from
from fact
where fact.about is not null and fact.status = 'active'
order by fact.about, fact.number;

drop view fact_pending;

-- Facts that wait for a person, the oldest first, each beside the fact that it contradicts; and
-- those that hold and may replace an older one.
create view fact_pending as
select
    fact.id,
    fact.text,
    fact.category,
    fact.confidence,
    fact.source,
    coalesce(nullif(fact.status_why, ''), 'may replace ' || known.id) as why,
    known.id as conflicts_with,
    known.text as known_text,
    (
        select count(*)
        from fact_support
        where fact_support.fact_id = fact.id
    ) as supports,
    fact.created_at
from fact
left join fact as known on coalesce(fact.conflicts_with, fact.may_replace) = known.id
where
    fact.status = 'pending'
    or (fact.status = 'active' and fact.may_replace is not null and known.status = 'active')
order by fact.created_at, fact.number;
