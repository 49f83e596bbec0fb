-- name: recalls
select
    count(*) as recalls, sum(not hits) as empty, avg(not hits) as empty_share,
    sum(fallback is not null) as with_fallback, avg(fallback is not null) as fallback_share,
    avg(hits) as hits_each, ifnull(sum(outcome = 'ok'), 0) as ok,
    ifnull(sum(outcome = 'failed'), 0) as failed, min(iif(hits, null, asked_at)) as since_at
from question having count(*);

-- name: latency
with dayed (day, ms) as (
    select null, duration_ms from question
    union all
    select substr(asked_at, 1, 10), duration_ms from question
)

select
    iif(day is null, 'all', 'day') as grouping, day, count(*) as recalls,
    quantile(ms, 0.5) as median, quantile(ms, 0.9) as p90, quantile(ms, 0.95) as p95,
    quantile(ms, 0.99) as p99, max(ms) as longest
from dayed group by day;

-- name: empty
select
    question, count(*) as times, max(asked_at) as last_asked_at, min(asked_at) as first_asked_at,
    (
        select newest.asked_at from (
            select * from question as its where its.question = question.question
            order by asked_at desc, id desc limit 1
        ) as newest where newest.hits
    ) as answered_at
from question where hits = 0 group by question;

-- name: fallback
select
    ifnull(fallback, '-') as vectors, count(*) as recalls,
    count(*) * 1.0 / (select count(*) from question) as share, sum(hits = 0) as empty,
    (
        select count(*) from recall_hit, question as its
        where recall_id = its.id and recall_hit.fallback and its.fallback is question.fallback
    ) as rows,
    (
        select count(used_at) from recall_hit, question as its
        where recall_id = its.id and recall_hit.fallback and its.fallback is question.fallback
    ) as used
from question group by fallback;

-- name: injected
with each (hook, day, tokens, told, used) as (
    select
        hook, days.value, tokens,
        (select count(*) from injected_row where injection_id = injection.id),
        (select count(used_at) from injected_row where injection_id = injection.id)
    from injection, asked, json_each(json_array(null, substr(injected_at, 1, 10))) as days
    where injected_at >= since and injected_at < until
)

select
    hook, iif(day is null, 'all', 'day') as grouping, day, count(*) as blocks,
    sum(tokens) as tokens, avg(tokens) as tokens_each, sum(told) as rows, sum(used) as used,
    sum(used) * 1.0 / nullif(sum(told), 0) as used_share
from each group by hook, day;

-- name: never_recalled
select
    kind, count(*) as memories, sum(never) as never, avg(never) as share,
    min(iif(never, born, null)) as oldest_at
from (
    select *, (kind, id) not in (select kind, item_id from recall_hit) as never from alive
)
group by kind;

-- name: never_used
select
    alive.kind, known_as as item_id, substr(text, 1, 120) as text, count(*) as recalled,
    max(asked_at) as last_asked_at
from recall_hit, question, alive
where
    question.id = recall_id and alive.kind = recall_hit.kind and alive.id = item_id
    and exists (select 1 from recall_hit as h, question as q where q.id = h.recall_id and used_at > '')
group by alive.kind, alive.id having count(*) > 1 and max(used_at) is null;

-- name: unknown_words
select * from (
    select
        value as word, count(distinct question.id) as recalls, max(asked_at) as last_asked_at,
        min(asked_at) as first_asked_at
    from question, json_each(unknown_words)
    where
        value is not null
        and not exists (
            select 1 from alias where lower(value) in (lower(term), lower(synonym))
        )
    group by value
)
where not exists (
    select 1 from question as later
    where
        later.asked_at > last_asked_at
        and replace(' ' || lower(later.question), '?', ' ') like '% ' || word || ' %'
);
