-- sqlfluff:dialect:duckdb

-- name: rows_per_day
-- Growth by day
-- Rows that were written on each day and are still there, and their bytes: texts and
-- pictures by their length, other columns by an allowance a row. The file is larger, by its
-- indexes and by the pages that SQLite keeps free.
-- reads arrival: entity, day, amount, bytes
-- nothing: nothing was written in this time
-- store text: which store
-- day at: the day, in UTC
-- table text: the table they are in
-- rows count: rows of this day
-- bytes bytes: what these rows say
with

dated as (

    select
        store,
        try_cast(day as date) as written_on,
        entity,
        amount,
        bytes
    from arrival

)

select
    dated.store,
    dated.written_on as day,
    dated.entity as table,
    dated.amount as rows,
    dated.bytes
from dated
cross join request
where dated.written_on >= request.since_at and dated.written_on < request.until_at
order by dated.store, dated.written_on, dated.entity;

-- name: totals
-- Growth by table
-- All rows of each table, whenever they were written.
-- reads arrival: entity, day, amount, bytes
-- nothing: nothing was ever written
-- store text: which store
-- table text: the table they are in
-- rows count: how many there are
-- bytes bytes: what they say
-- share share: of the bytes of the store
-- first_on at: the day of the oldest
-- last_on at: the day of the newest
-- rows_a_day number: mean from the first day to the last, both counted
with

summed as (

    select
        store,
        entity,
        sum(amount)::bigint as total,
        sum(bytes)::bigint as bytes,
        min(try_cast(day as date)) as first_on,
        max(try_cast(day as date)) as last_on
    from arrival
    group by all

)

select
    store,
    entity as table,
    total as rows,
    bytes,
    bytes / nullif(sum(bytes) over (partition by store), 0)::double as share,
    first_on,
    last_on,
    total / (date_diff('day', first_on, last_on) + 1) as rows_a_day
from summed
order by store, bytes desc, entity;
