-- The routing index, in DuckDB: which words each store of a fleet has, and the stores.

-- name: make_stores
create or replace table store (
    number integer,
    name varchar,
    location varchar,
    machine varchar,
    mark varchar
);

-- name: make_words
create or replace table word (
    stem varchar,
    store integer,
    hits integer
);

-- name: keep_stores
-- The stores that an earlier file has: its rows of no stem.
insert into store
select
    store,
    name,
    location,
    machine,
    mark
from earlier
where stem = '';

-- name: keep_words
insert into word
select
    stem,
    store,
    hits
from earlier
where stem <> '' and store in (select store.number from store);

-- name: forget_view
drop view earlier;

-- name: kept_stores
select
    number,
    name,
    location,
    machine,
    mark
from store;

-- name: drop_store
delete from store
where location = $location and machine = $machine;

-- name: last_number
select coalesce(max(number), 0)
from store;

-- name: sorted_rows
-- What is written: sorted by stem, so that a question reads few of a file's groups of rows.
select
    '' as stem,
    number as store,
    0 as hits,
    name,
    location,
    machine,
    mark
from store
union all
select
    stem,
    store,
    hits,
    null as name,
    null as location,
    null as machine,
    null as mark
from word
where store in (select store.number from store)
order by stem, store;

-- name: stores
select
    store,
    name,
    location,
    machine,
    mark
from earlier
where stem = ''
order by name, location;

-- name: stem_counts
-- Which of these stems occur, and in how many rows of all stores.
select
    stem,
    sum(hits) as hits
from earlier
where stem in (select unnest($stems))
group by stem;

-- name: stems_between
select
    stem,
    sum(hits) as hits
from earlier
where
    stem >= $low
    and stem < $high
    and length(stem) between $shortest and $longest
group by stem;

-- name: best_stores
-- The stores that have most of what a question asks for: a word that few stores have weighs most,
-- and its second row in a store little.
with asked as (
    select
        unnest($words) as word,
        unnest($stems) as stem
),

held as (
    select
        asked.word,
        earlier.store,
        sum(earlier.hits) as hits
    from earlier
    inner join asked on earlier.stem = asked.stem
    where earlier.store in (select unnest($among))
    group by asked.word, earlier.store
),

known as (
    select
        word,
        count(*) as stores
    from held
    group by word
)

select
    held.store,
    sum(
        ln(1 + (len($among) - known.stores + 0.5) / (known.stores + 0.5))
        * (1 + 0.3 * ln(held.hits))
    ) as score
from held
inner join known on held.word = known.word
group by held.store
order by score desc, held.store
limit $most;
