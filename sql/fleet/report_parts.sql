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
from part
inner join part_source on part.filename = part_source.file
order by part_source.place, part.file_row_number;
