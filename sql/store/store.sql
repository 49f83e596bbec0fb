-- name: schema_objects
-- What the file's schema holds, SQLite's own objects left out.
select
    type || ' ' || name as thing,
    sql
from sqlite_schema
where name not like 'sqlite\_%' escape '\';

-- name: record_migration
insert into migration (number, name, applied_at)
values (:number, :name, :applied_at);

-- name: renew_migrations
-- A copy of an empty store takes its steps when it is copied.
update migration
set applied_at = :now;

-- name: migrations_taken
select
    number,
    name
from migration;

-- name: record_store
-- The app or site of this file, once.
insert into store (id, address, created_at)
values (1, :address, :created_at)
on conflict do nothing;

-- name: own_origin
select id
from origin
where own = 1;

-- name: record_origin
-- The random id of this file, once.
insert into origin (id, own, address)
values (:id, 1, :address)
on conflict do nothing;

-- name: heading
-- The store in short; how often something was erased says whether an older copy may hold it still.
select
    store.address,
    origin.id as origin,
    (select max(migration.number) from migration) as schema_version,
    (select count(*) from erasure)
    + (select count(*) from erased_text)
    + (select count(*) from erased_component) as erasures
from store
cross join origin
where origin.own = 1;

-- name: settings
select
    key,
    value,
    changed_at
from setting
order by key;

-- name: set_setting
insert into setting (key, value, changed_at)
values (:key, :value, :changed_at)
on conflict (key) do update
set value = excluded.value, changed_at = excluded.changed_at;

-- name: unset_setting
delete from setting
where key = :key;

-- name: count_refusal
insert into guard_refusal (rule, tier, day, refusals)
values (:rule, :tier, :day, 1)
on conflict (rule, tier, day) do update
set refusals = refusals + 1;

-- name: count_learn
update store
set learn_count = learn_count + 1
where id = 1
returning learn_count;

-- name: raise_learn_count
update store
set learn_count = max(learn_count, :count)
where id = 1;

-- name: data_version
-- Another number than before: another connection committed something meanwhile.
pragma data_version;

-- name: address
-- The app or site that the file says it is the memory of.
select address
from store;

-- name: set_address
-- A backup of another app or site was restored here.
update store
set address = :address
where address != :address;

-- name: identity
select
    store.created_at,
    store.learn_count,
    max(migration.number) as schema_version
from store
cross join migration
where store.id = 1
group by store.id;

-- name: project_of_session
-- Where a session is held, whoever's it is.
select project
from session
where id = :id;
