-- sqlfluff:dialect:duckdb

-- name: recalls
-- Recalls in figures
-- What was asked, how often it brought nothing, how often vectors had to help, and what
-- people said of it.
-- follows asked
-- nothing: nothing was recalled in this time
-- store text: which store
-- recalls count: questions asked
-- empty count: those that brought nothing
-- empty_share share: of all
-- with_fallback count: those that asked vectors as well
-- fallback_share share: of all
-- hits_each number: mean number of rows that came back
-- ok count: reported as a success
-- failed count: reported as a failure
-- since_at at: the first that brought nothing
select
    store,
    count(*) as recalls,
    count(*) filter (where hits = 0) as empty,
    count(*) filter (where hits = 0) / count(*) as empty_share,
    count(fallback) as with_fallback,
    count(fallback) / count(*) as fallback_share,
    avg(hits) as hits_each,
    count(*) filter (where outcome = 'ok') as ok,
    count(*) filter (where outcome = 'failed') as failed,
    min(asked_at) filter (where hits = 0) as since_at
from asked
group by store
order by store;

-- name: latency
-- How long recalls took
-- Quantiles of the measured time, interpolated between neighbours; over all days, and by day.
-- follows asked
-- nothing: nothing was recalled in this time
-- store text: which store
-- grouping text: all or day
-- day at: which day; null for all
-- recalls count: questions asked
-- median ms: half were faster
-- p90 ms: nine in ten were faster
-- p95 ms: nineteen in twenty were faster
-- p99 ms: all but one in a hundred were faster
-- longest ms: the slowest
with

days as (

    select
        store,
        duration_ms,
        unnest([null, user_day(asked_at)]) as day
    from asked

)

select
    store,
    case when day is null then 'all' else 'day' end as grouping,
    day,
    count(*) as recalls,
    quantile_cont(duration_ms, 0.5) as median,
    quantile_cont(duration_ms, 0.9) as p90,
    quantile_cont(duration_ms, 0.95) as p95,
    quantile_cont(duration_ms, 0.99) as p99,
    max(duration_ms) as longest
from days
group by store, day
order by store, day nulls first;

-- name: empty
-- Questions that brought nothing
-- The same question counts together; the most asked first.
-- follows asked
-- nothing: every recall brought something
-- store text: which store
-- question text: as it was asked, secrets masked
-- times count: how often it brought nothing
-- last_asked_at at: the last time
-- first_asked_at at: the first time
-- answered_at at: when it brought something, if that was the last time of all; else null
select
    store,
    question,
    count(*) filter (where hits = 0) as times,
    max(asked_at) filter (where hits = 0) as last_asked_at,
    min(asked_at) filter (where hits = 0) as first_asked_at,
    case when arg_max(hits, (asked_at, id)) > 0 then max(asked_at) end as answered_at
from asked
group by store, question
having count(*) filter (where hits = 0) > 0
order by times desc, last_asked_at desc, store, question;

-- name: fallback
-- What vectors added
-- Recalls by the vectors that were asked as well, because too few rows held the words.
-- reads recall_hit: recall_id, fallback, used_at
-- follows asked
-- nothing: nothing was recalled in this time
-- store text: which store
-- vectors text: store, the name of a model, or - where words were enough
-- recalls count: how many
-- share share: of the store's recalls
-- empty count: those that brought nothing all the same
-- rows count: rows that vectors alone brought
-- used count: of these, marked as a help
with

hits as (

    select
        store,
        recall_id,
        count(*) filter (where fallback = 1) as amount,
        count(used_at) filter (where fallback = 1) as used
    from recall_hit
    group by store, recall_id

)

select
    asked.store,
    coalesce(asked.fallback, '-') as vectors,
    count(*) as recalls,
    count(*) / sum(count(*)) over (partition by asked.store) as share,
    count(*) filter (where asked.hits = 0) as empty,
    coalesce(sum(hits.amount), 0)::bigint as rows,
    coalesce(sum(hits.used), 0)::bigint as used
from asked
left join hits on asked.store = hits.store and asked.id = hits.recall_id
group by asked.store, asked.fallback
order by asked.store, recalls desc, vectors;

-- name: injected
-- What was put into prompts, and how much of it was used
-- By the hook that did it, over all days and by day. A row is used where a later reply of its
-- session says a third of the words that it adds to the prompt, or where feedback names it.
-- reads injection: id, hook, tokens, injected_at, told, used
-- nothing: nothing was put into a prompt in this time
-- store text: which store
-- hook text: prompt, start, ...
-- grouping text: all or day
-- day at: which day; null for all
-- blocks count: how often something was put there
-- tokens count: estimated, of all of them
-- tokens_each number: of one
-- rows count: rows in them
-- used count: of these, used
-- used_share share: of the rows
with

days as (

    select
        injection.store,
        injection.id,
        injection.hook,
        injection.tokens,
        injection.told,
        injection.used,
        unnest([null, user_day(injection.injected_at)]) as day
    from injection
    cross join request
    where injection.injected_at >= request.since_at and injection.injected_at < request.until_at

)

select
    store,
    hook,
    case when day is null then 'all' else 'day' end as grouping,
    day,
    count(id) as blocks,
    sum(tokens)::bigint as tokens,
    avg(tokens) as tokens_each,
    sum(told)::bigint as rows,
    sum(used)::bigint as used,
    case when sum(told) > 0 then sum(used) / sum(told) end as used_share
from days
group by store, hook, day
order by store, hook, day nulls first;

-- name: never_recalled
-- Memories that were never recalled
-- Of the living turns and episodes and of the facts that hold, those that no recall has ever
-- brought. A search of facts alone keeps no record.
-- reads recall_hit: kind, item_id
-- follows living
-- nothing: there are no turns, no episodes and no facts yet
-- store text: which store
-- kind text: turn, episode or fact
-- memories count: living ones
-- never count: never brought by a recall
-- share share: of them
-- oldest_at at: the oldest that was never brought
with

brought as (

    select distinct
        store,
        kind,
        item_id
    from recall_hit

)

select
    living.store,
    living.kind,
    count(*) as memories,
    count(*) filter (where brought.item_id is null) as never,
    count(*) filter (where brought.item_id is null) / count(*) as share,
    min(living.born_at) filter (where brought.item_id is null) as oldest_at
from living
left join brought
    on
        living.store = brought.store
        and living.kind = brought.kind
        and living.id = brought.item_id
group by living.store, living.kind
order by living.store, living.kind;

-- name: never_used
-- Recalled again and again, and never marked as a help
-- Living turns and episodes and facts that hold, which several recalls brought and no feedback
-- named, in stores where feedback is given at all. The most recalled first.
-- reads recall_hit: recall_id, kind, item_id, used_at
-- reads recalled: kind, id, known_as, text
-- follows asked
-- follows living
-- nothing: no row came back twice without being marked, or nobody gives feedback
-- store text: which store
-- kind text: turn, episode or fact
-- item_id text: its id, as its commands take it
-- text text: how it begins
-- recalled count: how often it came back
-- last_asked_at at: the last time
with

in_time as (

    select
        recall_hit.store,
        recall_hit.kind,
        recall_hit.item_id,
        recall_hit.used_at,
        asked.asked_at
    from recall_hit
    inner join asked on recall_hit.store = asked.store and recall_hit.recall_id = asked.id

),

unused as (

    select
        store,
        kind,
        item_id,
        count(*) as recalled,
        max(asked_at) as last_asked_at
    from in_time
    where
        store in (
            select judged.store
            from in_time as judged
            where judged.used_at is not null
        )
    group by store, kind, item_id
    having count(*) > 1 and count(used_at) = 0

)

select
    unused.store,
    unused.kind,
    recalled.known_as as item_id,
    recalled.text,
    unused.recalled,
    unused.last_asked_at
from unused
inner join recalled
    on
        unused.store = recalled.store
        and unused.kind = recalled.kind
        and unused.item_id = recalled.id
inner join living
    on
        unused.store = living.store
        and unused.kind = living.kind
        and unused.item_id = living.id
order by unused.recalled desc, unused.store, unused.kind, unused.item_id;

-- name: unknown_words
-- Words that found nothing
-- Words of questions that stood nowhere in the store when they were asked for last, and have no
-- alias now: what people call things and the memory does not. The most asked first.
-- needs texts
-- reads alias: term, synonym
-- follows asked
-- nothing: every word that was asked for stands somewhere
-- store text: which store
-- word text: as it was asked
-- recalls count: questions with it
-- last_asked_at at: the last time
-- first_asked_at at: the first time
with

words as (

    select
        store,
        id,
        asked_at,
        unnest(from_json(unknown_words, '["varchar"]')) as word
    from asked

),

aliases as (

    select
        store,
        lower(term) as word
    from alias
    union
    select
        store,
        lower(synonym) as word
    from alias

),

spoken as (

    select
        store,
        asked_at,
        id,
        unnest(
            regexp_extract_all(lower(question), '[\pL\pN]+([''’-][\pL\pN]+)*')
        ) as word
    from asked

),

latest as (

    select
        store,
        word,
        max((asked_at, id)) as moment
    from spoken
    group by store, word

)

select
    words.store,
    words.word,
    count(distinct words.id) as recalls,
    max(words.asked_at) as last_asked_at,
    min(words.asked_at) as first_asked_at
from words
anti join aliases on words.store = aliases.store and words.word = aliases.word
left join latest on words.store = latest.store and words.word = latest.word
where words.word is not null
group by words.store, words.word
having coalesce(max(latest.moment) <= max((words.asked_at, words.id)), true)
order by recalls desc, last_asked_at desc, words.store, words.word;
