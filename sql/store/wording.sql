-- What words are: split by the tokenizer of the indexes, in temporary tables; and what means the
-- same.

-- name: has_table
select 1
from sqlite_temp_schema
where name = :name;

-- name: make_surfaces
create virtual table "temp".memctl_surface using fts5 (
    words,
    content = '',
    tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co M*'"  -- noqa: RF05
);

-- name: make_stems
create virtual table "temp".memctl_stem using fts5 (
    words,
    content = '',
    tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"  -- noqa: RF05
);

-- name: make_surface_reader
create virtual table "temp".memctl_surface_reader
using fts5vocab ("temp", memctl_surface, 'instance');

-- name: make_stem_reader
create virtual table "temp".memctl_stem_reader
using fts5vocab ("temp", memctl_stem, 'instance');

-- name: clear_surfaces
insert into memctl_surface (memctl_surface) values ('delete-all');

-- name: clear_stems
insert into memctl_stem (memctl_stem) values ('delete-all');

-- name: add_surface
insert into memctl_surface (rowid, words) values (?, ?);

-- name: add_stem
insert into memctl_stem (rowid, words) values (?, ?);

-- name: read_surfaces
select
    doc,
    term
from memctl_surface_reader
order by doc, "offset";

-- name: read_stems
select
    doc,
    term
from memctl_stem_reader
order by doc, "offset";

-- name: add_alias
insert or ignore into alias (term, synonym, added_at)
values (:term, :synonym, :added_at);

-- name: any_alias
select 1
from alias
order by term
limit 1;

-- name: aliases
-- What was added last first.
select
    term,
    synonym,
    added_at
from alias
order by added_at desc, term, synonym;

-- name: alias_pairs
-- Those that questions are expanded with.
select
    term,
    synonym
from alias
order by term, synonym
limit 10000;

-- name: named
-- Which of some names somebody has who takes part, and which a thing has that facts are about.
select
    name.value ->> 0 as name,
    (
        select count(*) from participant
        where participant.name = name.value ->> 0
    ) as acts,
    (
        select min(1) from fact
        where fact.subject_key = name.value ->> 1
    ) as told_of
from json_each(:names) as name;

-- name: remove_alias
delete from alias
where
    (term = :term and (:synonym is null or synonym = :synonym))
    or (synonym = :term and (:synonym is null or term = :synonym));
