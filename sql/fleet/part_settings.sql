-- Settings of the stores whose parts were read, in DuckDB.

-- name: fill_setting
-- A setting has its default where the part of a store does not say another value.
insert into setting_in_force (store, key, value)
select
    part_source.store,
    $key as key,
    $value as value
from part_source
where
    part_source.store not in (
        select setting_in_force.store
        from setting_in_force
        where setting_in_force.key = $key
    );

-- name: set_setting
-- A value that wins over those in force.
update setting_in_force
set value = $value
where key = $key;

-- name: zone_of_store
-- The zone that a store's settings name; null: that of the machine.
select name
from zone_in_force
where store = $store;
