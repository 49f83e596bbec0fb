-- Facts that were served: what is used does not decay.

-- When a fact was served last by a search, by its id or subject, or in a context; a recall keeps
-- its hits itself. One row a fact, written at most once a day.
create table fact_use (
    number integer primary key references fact (number) on delete cascade on update cascade,
    used_at text not null          -- the first time on its last day
) strict;

-- Last use of each fact, by whatever served it; '': none.
create view fact_last_use as
select
    fact.number,
    max(
        coalesce(fact_use.used_at, ''),
        coalesce(
            (
                select max(recall.asked_at)
                from recall_hit
                inner join recall on recall_hit.recall_id = recall.id
                where recall_hit.kind = 'fact' and recall_hit.item_id = fact.number
            ),
            ''
        )
    ) as used_at
from fact
left join fact_use on fact.number = fact_use.number;
