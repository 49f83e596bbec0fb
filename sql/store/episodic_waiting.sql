-- The newest turns, whose words are not in the index yet: see schema/0008_log_words.sql.

-- name: any_waiting
select 1
from log_waiting
order by id
limit 1;

-- name: index_waiting
-- Puts them into the index.
insert into episode_fts (rowid, words)
select
    index_id,
    words
from log_words
where id in (select log_waiting.id from log_waiting);

-- name: make_beside
-- An index of the same kind, in memory, for who may not write into that of the file.
create virtual table "temp".memctl_waiting using fts5 (
    words,
    detail = none,
    tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"  -- noqa: RF05
);

-- name: make_beside_vocabulary
create virtual table "temp".memctl_waiting_vocabulary
using fts5vocab ("temp", memctl_waiting, 'row');

-- name: fill_beside
insert into "temp".memctl_waiting (rowid, words)
select
    index_id,
    words
from log_words
where id in (select log_waiting.id from log_waiting);

-- name: sizes_beside
select sz
from memctl_waiting_docsize;

-- name: drop_beside_vocabulary
drop table "temp".memctl_waiting_vocabulary;

-- name: drop_beside
drop table "temp".memctl_waiting;
