-- name: unindexed
-- The newest facts, whose words are not in fact_fts yet.
select
    fact.number,
    coalesce(fact.folded, fact.text) || ' ' || coalesce(fact.subject, '') || ' '
    || coalesce(fact.attribute, '') || ' ' || coalesce(fact.value, '') as written
from fact
where fact.number > (
    select fact_indexed.upto
    from fact_indexed
);

-- name: make
-- An index of the same words, in memory.
create virtual table "temp".memctl_unindexed_fact using fts5 (
    words,
    tokenize = 'porter unicode61 remove_diacritics 2',
    detail = 'none',
    columnsize = 0
);

-- name: fill
insert into "temp".memctl_unindexed_fact (rowid, words)
values (:number, :words);

-- name: matching
-- The facts that hold a word.
select rowid
from "temp".memctl_unindexed_fact
where memctl_unindexed_fact match :word;

-- name: make_vocabulary
-- The words of the index of facts.
create virtual table if not exists "temp".memctl_fact_vocabulary
using fts5vocab ("main", fact_fts, 'row');

-- name: make_unindexed_vocabulary
-- The words of the index of the newest facts, in whose connection it has the same name.
create virtual table if not exists "temp".memctl_fact_vocabulary
using fts5vocab ("temp", memctl_unindexed_fact, 'row');
