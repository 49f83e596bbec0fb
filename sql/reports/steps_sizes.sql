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
