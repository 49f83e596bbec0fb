-- What care for a store reads and mends.

-- name: text_columns
-- The columns of our tables that hold texts.
select
    tables.name as table_name,
    columns.name as column_name
from pragma_table_list as tables
cross join pragma_table_xinfo(tables.name) as columns
where
    tables.schema = 'main'
    and tables.strict
    and columns.type = 'TEXT'
order by tables.name, columns.cid;

-- name: our_tables
-- Our tables that hold rows, and whether they have no rowid. A new file has no seal of another.
select
    name,
    wr
from pragma_table_list
where schema = 'main' and strict and name <> 'seal'
order by name;

-- name: schema_texts
-- Tables and indexes as the steps make them.
select
    name,
    sql
from sqlite_schema
where type in ('table', 'index') and sql is not null;

-- name: table_texts
select sql
from sqlite_schema
where name in (
    select listed.name
    from pragma_table_list as listed
    where listed.strict
);

-- name: mend_schema
update sqlite_schema
set sql = :sql
where name = :name and sql is not :sql;

-- name: begin_to_read
-- Inside a transaction: from here on it sees one moment.
select count(*)
from sqlite_schema;

-- name: triggers
select
    name,
    sql
from sqlite_schema
where type = 'trigger';

-- name: keep_number
-- No new row gets the number of one that was deleted or lost.
update sqlite_sequence
set seq = max(seq, :last)
where name = :table;

-- name: make_indexes
reindex;

-- name: rebuild_index
-- What the index says it holds becomes what it holds: else it cannot be emptied.
insert into memory_fts (memory_fts) values ('rebuild');

-- name: empty_index
delete from memory_fts;

-- name: fill_index
-- Every turn, episode and fact, under the numbers that schema/0005_word_index.sql gives them.
insert into memory_fts (rowid, words)
select
    id
    + case kind when 'episode' then 281474976710656 when 'fact' then 562949953421312 else 0 end
        as index_row,
    words
from memory_words;

-- name: check_index
-- Raises SQLITE_CORRUPT_VTAB where the index does not hold what its rows say. Writes nothing.
insert into memory_fts (memory_fts) values ('integrity-check');

-- name: index_gaps
-- How many rows the index holds and should not, or lacks; those that wait for it do not count.
select count(*)
from (
    select
        id + case kind
            when 'episode' then 281474976710656 when 'fact' then 562949953421312 else 0
        end as index_row
    from memory_text
    where not exists (
        select 1 from memory_waiting as waiting
        where waiting.kind = memory_text.kind and waiting.id = memory_text.id
    )
) as wanted
full join memory_fts_docsize as held on wanted.index_row = held.id
where wanted.index_row is null or held.id is null;

-- name: drop_sighted_picture
update sighting
set template_id = null
where template_id = :id;

-- name: drop_picture
delete from template
where id = :id;

-- name: failed_dream
-- Why the last dream failed, where it did.
select coalesce(report ->> 'error', 'it was cut off')
from dream_run
where
    status = 'failed'
    and id = (
        select max(last.id)
        from dream_run as last
        where last.kind = 'dream' and last.status <> 'running'
    );
