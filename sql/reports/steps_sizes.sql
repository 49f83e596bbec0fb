-- sqlfluff:dialect:duckdb
-- Steps that tell what takes up space.

-- name: table_size
-- What each table takes in the file
-- With its indexes, in whole pages; where this SQLite does not tell pages (it was built without
-- dbstat), what the rows say, by length.
-- reads table_pages: entity, bytes
-- reads table_contents: entity, bytes
-- store text: which store
-- entity text: the table
-- bytes bytes: how much
-- measured text: pages or contents
select
    store,
    entity,
    bytes,
    'pages' as measured
from table_pages
union all
select
    store,
    entity,
    bytes,
    'contents' as measured
from table_contents;

-- name: arrived
-- What was written on which day, and of this what belongs to the time that is asked for
-- A time that is none is of no day, and of no time that is asked for.
-- reads arrival: entity, written_at, amount, bytes
-- store text: which store
-- entity text: the table
-- day at: the day
-- amount count: rows
-- bytes count: of their texts and blobs, and eight a number
-- asked_amount count: rows of the time asked for
-- asked_bytes count: theirs
with

moments as (

    select distinct written_at
    from arrival
    where written_at > '0001-01-01' and written_at < '9999-12-31'

),

days as (

    select
        written_at,
        user_day(written_at) as day
    from moments

)

select
    arrival.store,
    arrival.entity,
    days.day,
    sum(arrival.amount)::bigint as amount,
    sum(arrival.bytes)::bigint as bytes,
    coalesce(
        sum(arrival.amount) filter (
            where arrival.written_at >= request.since_at and arrival.written_at < request.until_at
        ),
        0
    )::bigint as asked_amount,
    coalesce(
        sum(arrival.bytes) filter (
            where arrival.written_at >= request.since_at and arrival.written_at < request.until_at
        ),
        0
    )::bigint as asked_bytes
from arrival
left join days on arrival.written_at = days.written_at
cross join request
group by arrival.store, arrival.entity, days.day;
