-- The newest turns and facts, whose words are not in the index yet: the view memory_waiting.

-- name: any_unindexed
select 1
from memory_waiting
order by index_row
limit 1;

-- name: index_rows
-- Puts them into the index.
insert into memory_fts (rowid, words)
select
    index_row,
    words
from memory_waiting_words;

-- name: make_index
-- An index of the same kind, in memory, for who may not write into that of the file.
create virtual table "temp".memctl_unindexed using fts5 (
    words,
    detail = none,
    tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"  -- noqa: RF05
);

-- name: make_vocabulary
create virtual table "temp".memctl_unindexed_vocabulary
using fts5vocab ("temp", memctl_unindexed, 'row');

-- name: fill_index
insert into "temp".memctl_unindexed (rowid, words)
select
    index_row,
    words
from memory_waiting_words;

-- name: row_sizes
select sz
from memctl_unindexed_docsize;

-- name: drop_vocabulary
drop table "temp".memctl_unindexed_vocabulary;

-- name: drop_index
drop table "temp".memctl_unindexed;
