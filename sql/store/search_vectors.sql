-- Vectors: which model made them, which rows have one.

-- name: model
select
    id,
    name,
    fingerprint,
    dims
from embedding_model
order by id desc
limit 1;

-- name: forget_models
-- Vectors and word vectors go with their model.
delete from embedding_model;

-- name: add_model
insert into embedding_model (name, fingerprint, dims, made_at)
values (:name, :fingerprint, :dims, :made_at);

-- name: add_vector
insert or replace into embedding (model_id, kind, item_id, passage, vector)
values (:model_id, :kind, :item_id, :passage, :vector);

-- name: add_word_vector
insert or replace into embedding_word (model_id, word, vector)
values (:model_id, :word, :vector);

-- name: word_vectors
select
    embedding_word.word,
    embedding_word.vector
from json_each(:words) as wanted
inner join embedding_word
    on
        embedding_word.model_id = :model_id
        and wanted.value = embedding_word.word;

-- name: recalled_by_model
select 1
from recall
where fallback = 'model'
order by id desc
limit 1;

-- name: count_vectors
select count(*)
from embedding
where model_id = :model_id and passage = 0;

-- name: vectors
-- One block of vectors, by the rows of the index that they are of.
select
    id,
    item_id + case kind
        when 'episode' then 281474976710656
        when 'fact' then 562949953421312
        else 0
    end as index_id,
    vector
from embedding
where model_id = :model_id and id > :after
order by id
limit :limit;

-- name: unembedded
-- The newest rows without a vector, of those below one.
select
    missing.index_id,
    missing.text
from (
    select *
    from (
        select
            log.id as index_id,
            coalesce(log.speaker || ': ', '') || log.text || ' ' || log.details as text
        from log
        where
            log.id < :below
            and not exists (
                select 1
                from embedding
                where
                    embedding.kind = 'turn'
                    and embedding.item_id = log.id
                    and embedding.model_id = :model_id
            )
        order by log.id desc
        limit :limit
    ) as turns
    union all
    select *
    from (
        select
            episode.id + 281474976710656 as index_id,
            episode.summary || ' ' || episode.details || ' ' || episode.tags as text
        from episode
        where
            episode.id < :below - 281474976710656
            and not exists (
                select 1
                from embedding
                where
                    embedding.kind = 'episode'
                    and embedding.item_id = episode.id
                    and embedding.model_id = :model_id
            )
        order by episode.id desc
        limit :limit
    ) as episodes
    union all
    select *
    from (
        select
            fact.number + 562949953421312 as index_id,
            fact.text
        from fact
        where
            :facts
            and fact.status = 'active'
            and fact.number < :below - 562949953421312
            and not exists (
                select 1
                from embedding
                where
                    embedding.kind = 'fact'
                    and embedding.item_id = fact.number
                    and embedding.model_id = :model_id
            )
        order by fact.number desc
        limit :limit
    ) as facts
) as missing
order by missing.index_id desc
limit :limit;

-- name: postings
-- Which stem stands in which of the newest rows.
select
    term,
    doc
from memctl_postings
where
    term is not null  -- a mark that stands alone is a word without letters
    and (
        (
            doc < 281474976710656
            and doc > (select coalesce(max(log.id), 0) from log) - :rows
        )
        or (
            doc > 281474976710656 + (select coalesce(max(episode.id), 0) from episode) - :rows
            and doc < 562949953421312
        )
    );
