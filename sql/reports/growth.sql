-- sqlfluff:dialect:duckdb

-- name: rows_per_day
-- Growth by day
-- Rows that were written on each day and are still there. Their bytes are those of the file:
-- what the table and its indexes take, shared out among its rows by what each says; where this
-- SQLite does not tell pages, what they say.
-- follows arrived
-- follows table_size
-- nothing: nothing was written in this time
-- store text: which store
-- day at: the day
-- table text: the table they are in
-- rows count: rows of this day
-- bytes bytes: what these rows take in the file
with

said as (

    select
        store,
        entity,
        sum(bytes) as bytes
    from arrived
    group by store, entity

)

select
    arrived.store,
    arrived.day,
    arrived.entity as table,
    arrived.asked_amount as rows,
    round(
        coalesce(table_size.bytes, said.bytes) * (arrived.asked_bytes / said.bytes)
    )::bigint as bytes
from arrived
inner join said on arrived.store = said.store and arrived.entity = said.entity
left join table_size
    on
        arrived.store = table_size.store
        and arrived.entity = table_size.entity
        and table_size.measured = 'pages'
where arrived.asked_amount > 0 and arrived.day is not null
order by arrived.store, arrived.day, arrived.entity;

-- name: totals
-- Growth by table
-- All rows of each table, whenever they were written, and what they take in the file, indexes
-- included; other tables and free pages make up the rest of it. The rates are over the time that
-- was asked for, up to now; without a beginning, from the day of the store's first row on, and
-- over a day at least.
-- follows arrived
-- reads file_part: part, bytes
-- follows table_size
-- nothing: nothing was ever written
-- store text: which store
-- table text: the table they are in
-- rows count: how many there are; null for what is no table
-- bytes bytes: what they take in the file
-- share share: of the file
-- first_on at: the day of the oldest
-- last_on at: the day of the newest
-- written count: rows of the time that was asked for
-- rows_a_day number: of that time, on the average
-- bytes_a_day bytes: likewise
with

said as (

    select
        store,
        entity,
        sum(amount)::bigint as total,
        sum(bytes) as bytes,
        min(day) as first_on,
        max(day) as last_on,
        sum(asked_amount)::bigint as written,
        sum(asked_bytes) as written_bytes
    from arrived
    group by store, entity

),

times as (

    select
        said.store,
        case
            when request.since_at > '0001-01-01' then request.since_at else min(said.first_on)
        end as from_at,
        least(request.until_at, request.asked_at) as to_at,
        request.since_at > '0001-01-01' as is_asked
    from said
    cross join request
    group by said.store, request.since_at, request.until_at, request.asked_at

),

lengths as (

    select
        store,
        case
            when is_asked then nullif(greatest(epoch(to_at) - epoch(from_at), 0), 0) / 86400
            else greatest((epoch(to_at) - epoch(from_at)) / 86400, 1)
        end as days
    from times

),

measured as (

    select
        said.*,
        coalesce(table_size.bytes, said.bytes)::bigint as size,
        lengths.days
    from said
    left join table_size
        on
            said.store = table_size.store
            and said.entity = table_size.entity
            and table_size.measured = 'pages'
    inner join lengths on said.store = lengths.store

),

files as (

    select
        store,
        max(bytes) filter (where part = 'file') as bytes,
        max(bytes) filter (where part = 'free pages') as free
    from file_part
    group by store

),

rests as (

    select
        files.store,
        'other tables' as entity,
        files.bytes - files.free - coalesce(sum(measured.size), 0) as size
    from files
    inner join measured on files.store = measured.store
    group by files.store, files.bytes, files.free
    union all
    select
        files.store,
        'free pages' as entity,
        files.free as size
    from files
    semi join measured on files.store = measured.store

),

everything as (

    select
        store,
        entity,
        total,
        size,
        first_on,
        last_on,
        written,
        written / days as rows_a_day,
        round(size * (written_bytes / bytes) / days)::bigint as bytes_a_day
    from measured
    union all by name
    select
        store,
        entity,
        size
    from rests

)

select
    everything.store,
    everything.entity as table,
    everything.total as rows,
    everything.size::bigint as bytes,
    everything.size / nullif(files.bytes, 0)::double as share,
    everything.first_on,
    everything.last_on,
    everything.written,
    everything.rows_a_day,
    everything.bytes_a_day
from everything
inner join files on everything.store = files.store
order by everything.store, everything.total is null, everything.size desc, everything.entity;
