-- Erasing: what goes with a row, and the proof that no byte is left.

-- name: columns
-- Every column of the tables that hold rows, without those that SQLite or a word index keeps.
select
    relation.name as relation,
    field.name,
    field.type,
    field.pk as key_place
from pragma_table_list as relation
cross join pragma_table_info(relation.name) as field
where
    relation.schema = 'main'
    and relation.type = 'table'
    and relation.name not glob 'sqlite_*'
order by relation.name, field.cid;

-- name: schema_texts
-- What the schema says: a word in it is no trace of anything.
select sql
from sqlite_schema
where sql is not null;

-- name: word_indexes
select name
from pragma_table_list
where schema = 'main' and type = 'virtual';

-- name: triggers
select name
from sqlite_temp_schema
where type = 'trigger' and name glob 'erasing_*';

-- name: dangling
-- Rows that name another which is gone, where nothing else sets them right.
select
    "table" as relation,
    rowid as number
from pragma_foreign_key_check;

-- name: is_left
-- Whether a row has not gone with another yet.
select 1
from (
    select
        'fact' as kind,
        id
    from fact
    union all
    select
        'episode' as kind,
        id
    from episode
    union all
    select
        'component' as kind,
        id
    from component
) as chosen
where chosen.kind = :kind and chosen.id = :id;

-- name: empty_questions
-- The questions of recalls that returned an erased row.
update recall
set question = '(erased)', unknown_words = '[]'
where id in (select touched.value from json_each(:ids) as touched);

-- name: delete_word_vectors
delete from embedding_word
where word in (select gone.value from json_each(:words) as gone);

-- name: stray_words
-- Rows of the word index that belong to no turn, episode or fact.
select count(*)
from memory_fts_content as kept
where
    not exists (
        select 1
        from log
        where log.id = kept.id
    )
    and not exists (
        select 1
        from episode
        where episode.id = kept.id - 281474976710656
    )
    and not exists (
        select 1
        from fact
        where fact.number = kept.id - 562949953421312
    );

-- name: turns_of
-- Turns that somebody said, or that were said before a time, whatever their mark.
select id
from log
where
    (:participant is null or lower(speaker) = lower(:participant))
    and (:before is null or logged_at < :before)
order by id;

-- name: episodes_of
select id
from episode
where
    (
        :participant is null
        or exists (
            select 1
            from json_each(episode.participants) as present
            where lower(present.value) = lower(:participant)
        )
    )
    and (:before is null or happened_at < :before)
order by id;

-- name: facts_of
-- Facts of a user or about a subject of that name, or from before a time.
select id
from fact
where
    (
        :participant is null
        or lower(user_id) = lower(:participant)
        or lower(subject) = lower(:participant)
    )
    and (:before is null or created_at < :before)
order by number;

-- name: recalls_before
select id
from recall
where asked_at < :before;

-- name: entries_before
select id
from journal
where written_at < :before;

-- name: snapshots_before
select id
from journal_snapshot
where taken_at < :before;

-- name: calls_before
select id
from tool_call
where called_at < :before;

-- name: matching
-- Turns, episodes and facts that hold all of some words, by their row in the index.
select rowid as index_row
from memory_fts
where memory_fts match :match
order by rowid;

-- name: fact_ids
select id
from fact
where number in (select asked_for.value from json_each(:numbers) as asked_for)
order by number;
