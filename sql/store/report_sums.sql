-- What reports load from a store as sums: SQLite adds up faster than rows could be copied.
-- The lines `-- NAME TYPE` are as in report.sql.

-- name: arrival
-- How much was written at which moment.
-- entity text: the table
-- written_at at
-- amount integer: rows
-- bytes integer: of their texts and blobs, and eight a number
select
    entity,
    written_at,
    count(*) as amount,
    sum(bytes) as bytes
from (
    select
        'component' as entity,
        learned_at as written_at,
        104 + length(cast(name || type || source || coalesce(label, '') as blob)) as bytes
    from component
    union all
    select
        'template' as entity,
        learned_at as written_at,
        104 + length(png) + coalesce(length(features), 0) as bytes
    from template
    union all
    select
        'state' as entity,
        first_seen_at as written_at,
        64 + coalesce(length(words), 0) as bytes
    from state
    union all
    select
        'transition' as entity,
        recorded_at as written_at,
        104 + length(cast(action || coalesce(detail, '') as blob)) as bytes
    from transition
    union all
    select
        'observation' as entity,
        observed_at as written_at,
        164 + length(cast(coalesce(page, '') || coalesce(stages, '') as blob)) as bytes
    from observation
    union all
    select
        'sighting' as entity,
        observation.observed_at as written_at,
        72 + length(cast(coalesce(sighting.how, '') as blob)) as bytes
    from sighting
    inner join observation on sighting.observation_id = observation.id
    union all
    select
        'screenshot' as entity,
        observation.observed_at as written_at,
        8 + length(screenshot.png) as bytes
    from screenshot
    inner join observation on screenshot.observation_id = observation.id
    union all
    select
        'log' as entity,
        recorded_at as written_at,
        56 + length(cast(text || details || session || coalesce(speaker, '') as blob)) as bytes
    from log
    union all
    select
        'episode' as entity,
        remembered_at as written_at,
        56 + length(cast(summary || details || tags || participants as blob)) as bytes
    from episode
    union all
    select
        'recall' as entity,
        asked_at as written_at,
        44 + length(cast(question || unknown_words as blob)) as bytes
    from recall
    union all
    select
        'recall_hit' as entity,
        recall.asked_at as written_at,
        40 + length(recall_hit.kind) as bytes
    from recall_hit
    inner join recall on recall_hit.recall_id = recall.id
    union all
    select
        'fact' as entity,
        created_at as written_at,
        120 + length(cast(text || coalesce(subject, '') || coalesce(attribute, '') as blob))
        + length(cast(coalesce(value, '') || source || metadata as blob)) as bytes
    from fact
    union all
    select
        'fact_history' as entity,
        changed_at as written_at,
        48 + length(cast(coalesce(old_text, '') || coalesce(new_text, '') as blob)) as bytes
    from fact_history
) as written
group by entity, written_at;

-- name: file_part
-- How large the file is, what of it is free, and the log beside it.
-- part text
-- bytes integer
select
    'file' as part,
    pragma_page_count.page_count * pragma_page_size.page_size as bytes
from pragma_page_count
cross join pragma_page_size
union all
select
    'free pages' as part,
    pragma_freelist_count.freelist_count * pragma_page_size.page_size as bytes
from pragma_freelist_count
cross join pragma_page_size
union all
select
    'write-ahead log' as part,
    :log_bytes as bytes;

-- name: table_pages
-- The pages of each table and its indexes: as SQLite tells them where it was built with dbstat.
-- entity text: the table
-- bytes integer
select
    coalesce(named.tbl_name, dbstat.name) as entity,
    sum(dbstat.pgsize) as bytes
from dbstat
left join sqlite_schema as named
    -- A trigger may be called as an index is, and has no page.
    on dbstat.name = named.name and named.rootpage > 0
where dbstat.aggregate = 1
group by coalesce(named.tbl_name, dbstat.name);

-- name: table_contents
-- What is long in the tables, where SQLite does not tell their pages.
-- entity text: the table
-- bytes integer
select
    'template' as entity,
    coalesce(sum(length(png) + coalesce(length(features), 0)), 0) as bytes
from template
union all
select
    'screenshot' as entity,
    coalesce(sum(length(png)), 0) as bytes
from screenshot
union all
select
    'log' as entity,
    coalesce(sum(length(cast(text || details as blob))), 0) as bytes
from log
union all
select
    'episode' as entity,
    coalesce(sum(length(cast(summary || details as blob))), 0) as bytes
from episode
union all
select
    'fact' as entity,
    coalesce(sum(length(cast(text as blob))), 0) as bytes
from fact
union all
select
    'embedding' as entity,
    coalesce(sum(length(vector)), 0) as bytes
from embedding
union all
select
    'embedding_word' as entity,
    coalesce(sum(length(vector)), 0) as bytes
from embedding_word
union all
select
    'memory_fts_data' as entity,
    coalesce(sum(length(block)), 0) as bytes
from memory_fts_data;

-- name: tally
-- How much there is of everything but facts.
-- place integer: the order to show it in
-- area text
-- what text
-- amount integer
select
    1 as place,
    'screens' as area,
    'components' as what,
    count(*) as amount
from component
where forgotten_at is null
union all
select
    2 as place,
    'screens' as area,
    'components forgotten' as what,
    count(*) as amount
from component
where forgotten_at is not null
union all
select
    3 as place,
    'screens' as area,
    'looks of components' as what,
    count(*) as amount
from template
union all
select
    4 as place,
    'screens' as area,
    'states' as what,
    count(*) as amount
from state
where forgotten_at is null and merged_into is null
union all
select
    5 as place,
    'screens' as area,
    'transitions between states' as what,
    count(*) as amount
from state_graph
union all
select
    6 as place,
    'screens' as area,
    'acts to be confirmed' as what,
    count(*) as amount
from transition
where status = 'pending'
union all
select
    7 as place,
    'screens' as area,
    'screenshots looked at' as what,
    count(*) as amount
from observation
union all
select
    8 as place,
    'words' as area,
    'turns' as what,
    count(*) as amount
from log
where archived_at is null
union all
select
    9 as place,
    'words' as area,
    'turns archived' as what,
    count(*) as amount
from log
where archived_at is not null
union all
select
    10 as place,
    'words' as area,
    'episodes' as what,
    count(*) as amount
from episode
where archived_at is null
union all
select
    11 as place,
    'words' as area,
    'episodes archived' as what,
    count(*) as amount
from episode
where archived_at is not null
union all
select
    12 as place,
    'words' as area,
    'recalls' as what,
    count(*) as amount
from recall
where forgotten_at is null
union all
select
    19 as place,
    'guard' as area,
    'texts refused' as what,
    coalesce(sum(refusals), 0) as amount
from guard_refusal;
