-- sqlfluff:dialect:duckdb
-- Parts of reports, in DuckDB: the rows of one store, and those of many.

-- name: make_part
-- The rows of one store: of which table, and the cells as texts.
create or replace table part (
    relation varchar,
    cells varchar[]
);

-- name: empty_part
truncate part;

-- name: make_sources
-- Which store each file is the part of.
create temp table part_source (
    place integer,
    store varchar,
    file varchar
);

-- name: read_parts
-- The rows of some parts, with the names of their stores, in one order: sums of floating-point
-- numbers depend on it.
create or replace temp table part_row as
select
    part_source.store,
    part.relation,
    part.cells
from read_parquet($files, filename = true, file_row_number = true) as part
inner join part_source on part.filename = part_source.file
order by part_source.place, part.file_row_number;

-- name: fill_setting
-- A setting has its default where the part of a store does not say another value.
insert into setting_in_force (store, key, value)
select
    part_source.store,
    $key,
    $value
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
