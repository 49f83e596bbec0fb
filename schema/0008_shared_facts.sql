-- Team memory: facts that packs of other people bring. Such a fact holds as long as the last pack
-- of its store carries it; once somebody here has made it his own, or forgotten it, no pack changes
-- it.

-- When the last pack of this store was made that brought facts; null: none did [store]
alter table origin add column shared_at text;

-- The store that shared it, and its id there ("origin:id"); null: it was told here [store; plain]
alter table fact add column shared_as text;
-- The file of the pack that brought it: ann.pack [store; note]
alter table fact add column shared_in text;
-- When the last pack was made that carries it [store]
alter table fact add column shared_at text;
-- When somebody here made it his own, or forgot it; null: it follows the packs [store]
alter table fact add column kept_at text;

create index fact_shared_as on fact (shared_as)
where shared_as is not null;

-- Whoever corrects, confirms, pins, restores or forgets a shared fact has decided of it.
create trigger fact_kept after insert on fact_history
when
    new.event in (
        'UPDATE', 'APPROVE', 'PIN', 'RESTORE', 'DECIDE', 'RENEW', 'PROMOTE', 'SETTLE', 'KEEP',
        'DELETE', 'REJECT'
    )
begin
    update fact
    set kept_at = new.changed_at
    where id = new.fact_id and shared_as is not null and kept_at is null;
end;

-- Facts that packs brought, the newest first: by which pack, whether it follows the packs still,
-- and where it does not hold, why.
create view fact_shared as
select
    fact.id,
    fact.text,
    fact.category,
    fact.project,
    fact.shared_in as pack,
    fact.shared_at,
    origin.id as origin,
    case when fact.kept_at is null then fact.status else 'own, ' || fact.status end as state,
    fact.status_why as why,
    fact.kept_at
from fact
left join origin on substr(fact.shared_as, 1, 32) = origin.id
where fact.shared_as is not null
order by fact.shared_at desc, fact.number desc;
