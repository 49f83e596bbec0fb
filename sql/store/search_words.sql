-- Which words stand in the index of turns, episodes and facts.

-- name: make_vocabulary
create virtual table if not exists "temp".memctl_vocabulary
using fts5vocab ("main", memory_fts, 'row');

-- name: make_postings
create virtual table if not exists "temp".memctl_postings
using fts5vocab ("main", memory_fts, 'instance');

-- name: stem_counts
-- Which of these stems occur, and in how many rows.
select
    vocabulary.term,
    vocabulary.doc
from json_each(:stems) as wanted
inner join memctl_vocabulary as vocabulary on wanted.value = vocabulary.term;

-- name: stems_between
-- The stems of a range of the vocabulary, not much shorter or longer than one.
select
    term,
    doc
from memctl_vocabulary
where
    term >= :low
    and term < :high
    and length(term) between :shortest and :longest;

-- name: every_stem
select
    term,
    doc
from memctl_vocabulary;

-- name: any_row
select 1
from memory_fts
where memory_fts match :match
order by rowid
limit 1;

-- name: segment_sizes
-- The segments of the word index: how many, the pages of all, and those of the largest.
select
    count(*) as segments,
    coalesce(sum(sizes.pages), 0) as pages,
    coalesce(max(sizes.pages), 0) as largest
from (
    select count(*) as pages
    from memory_fts_idx
    group by segid
) as sizes;

-- name: merge_segments
insert into memory_fts (memory_fts, "rank") values ('merge', :pages);
