-- sqlfluff:dialect:duckdb
-- Steps that tell what takes up space.

-- name: table_size
-- What each table takes in the file
-- With its indexes, in whole pages; where this SQLite does not tell pages (it was built without
-- dbstat), what the rows say, by length.
-- reads table_pages: entity, bytes
-- reads table_contents: entity, bytes
-- reads arrival: entity, bytes
-- store text: which store
-- entity text: the table
-- bytes bytes: how much
-- measured text: pages or contents
with

contents as (

    select
        store,
        entity,
        sum(bytes)::bigint as bytes
    from arrival
    group by store, entity
    union all
    select
        store,
        entity,
        bytes
    from table_contents

)

select
    store,
    entity,
    bytes,
    'pages' as measured
from table_pages
union all
select
    contents.store,
    contents.entity,
    contents.bytes,
    'contents' as measured
from contents
anti join table_pages on contents.store = table_pages.store;
