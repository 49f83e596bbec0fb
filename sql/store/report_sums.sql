-- What reports load from a store as sums: SQLite adds up faster than rows could be copied.
-- The lines `-- NAME TYPE` are as in report.sql.

-- name: arrival
-- What was written on which day.
-- entity text: the table
-- day text
-- amount integer: rows
-- bytes integer: of their texts and blobs, and eight a number
select
    'component' as entity,
    substr(learned_at, 1, 10) as day,
    count(*) as amount,
    sum(104 + length(cast(name || type || source || coalesce(label, '') as blob))) as bytes
from component
group by substr(learned_at, 1, 10)
union all
select
    'template' as entity,
    substr(learned_at, 1, 10) as day,
    count(*) as amount,
    sum(104 + length(png) + coalesce(length(features), 0)) as bytes
from template
group by substr(learned_at, 1, 10)
union all
select
    'state' as entity,
    substr(first_seen_at, 1, 10) as day,
    count(*) as amount,
    sum(64 + coalesce(length(words), 0)) as bytes
from state
group by substr(first_seen_at, 1, 10)
union all
select
    'transition' as entity,
    substr(recorded_at, 1, 10) as day,
    count(*) as amount,
    sum(104 + length(cast(action || coalesce(detail, '') as blob))) as bytes
from transition
group by substr(recorded_at, 1, 10)
union all
select
    'observation' as entity,
    substr(observed_at, 1, 10) as day,
    count(*) as amount,
    sum(164 + length(cast(coalesce(page, '') || coalesce(stages, '') as blob))) as bytes
from observation
group by substr(observed_at, 1, 10)
union all
select
    'sighting' as entity,
    substr(observation.observed_at, 1, 10) as day,
    count(*) as amount,
    sum(72 + length(cast(coalesce(sighting.how, '') as blob))) as bytes
from sighting
inner join observation on sighting.observation_id = observation.id
group by substr(observation.observed_at, 1, 10)
union all
select
    'screenshot' as entity,
    substr(observation.observed_at, 1, 10) as day,
    count(*) as amount,
    sum(8 + length(screenshot.png)) as bytes
from screenshot
inner join observation on screenshot.observation_id = observation.id
group by substr(observation.observed_at, 1, 10)
union all
select
    'log' as entity,
    substr(recorded_at, 1, 10) as day,
    count(*) as amount,
    sum(56 + length(cast(text || details || session || coalesce(speaker, '') as blob))) as bytes
from log
group by substr(recorded_at, 1, 10)
union all
select
    'episode' as entity,
    substr(remembered_at, 1, 10) as day,
    count(*) as amount,
    sum(56 + length(cast(summary || details || tags || participants as blob))) as bytes
from episode
group by substr(remembered_at, 1, 10)
union all
select
    'recall' as entity,
    substr(asked_at, 1, 10) as day,
    count(*) as amount,
    sum(44 + length(cast(question || unknown_words as blob))) as bytes
from recall
group by substr(asked_at, 1, 10)
union all
select
    'recall_hit' as entity,
    substr(recall.asked_at, 1, 10) as day,
    count(*) as amount,
    sum(40 + length(recall_hit.kind)) as bytes
from recall_hit
inner join recall on recall_hit.recall_id = recall.id
group by substr(recall.asked_at, 1, 10)
union all
select
    'fact' as entity,
    substr(created_at, 1, 10) as day,
    count(*) as amount,
    sum(
        120 + length(cast(text || coalesce(subject, '') || coalesce(attribute, '') as blob))
        + length(cast(coalesce(value, '') || source || metadata as blob))
    ) as bytes
from fact
group by substr(created_at, 1, 10)
union all
select
    'fact_history' as entity,
    substr(changed_at, 1, 10) as day,
    count(*) as amount,
    sum(48 + length(cast(coalesce(old_text, '') || coalesce(new_text, '') as blob))) as bytes
from fact_history
group by substr(changed_at, 1, 10);

-- name: file_part
-- What the bytes of the file are.
-- part text
-- bytes integer
select
    'file' as part,
    pragma_page_count.page_count * pragma_page_size.page_size as bytes
from pragma_page_count
cross join pragma_page_size
union all
select
    'free pages' as part,
    pragma_freelist_count.freelist_count * pragma_page_size.page_size as bytes
from pragma_freelist_count
cross join pragma_page_size
union all
select
    'pictures of components' as part,
    coalesce(sum(length(png)), 0) as bytes
from template
union all
select
    'features for matching' as part,
    coalesce(sum(length(features)), 0) as bytes
from template
union all
select
    'kept screenshots' as part,
    coalesce(sum(length(png)), 0) as bytes
from screenshot
union all
select
    'vectors' as part,
    (
        select coalesce(sum(length(vector)), 0)
        from embedding
    )
    + (
        select coalesce(sum(length(vector)), 0)
        from embedding_word
    ) as bytes
union all
select
    'word index' as part,
    coalesce(sum(length(block)), 0) as bytes
from memory_fts_data
union all
select
    'texts of turns' as part,
    coalesce(sum(length(cast(text as blob)) + length(cast(details as blob))), 0) as bytes
from log
union all
select
    'texts of episodes' as part,
    coalesce(sum(length(cast(summary as blob)) + length(cast(details as blob))), 0) as bytes
from episode
union all
select
    'texts of facts' as part,
    coalesce(sum(length(cast(text as blob))), 0) as bytes
from fact;

-- name: tally
-- How much there is of everything.
-- place integer: the order to show it in
-- area text
-- what text
-- amount integer
select
    1 as place,
    'screens' as area,
    'components' as what,
    count(*) as amount
from component
where forgotten_at is null
union all
select
    2 as place,
    'screens' as area,
    'components forgotten' as what,
    count(*) as amount
from component
where forgotten_at is not null
union all
select
    3 as place,
    'screens' as area,
    'looks of components' as what,
    count(*) as amount
from template
union all
select
    4 as place,
    'screens' as area,
    'states' as what,
    count(*) as amount
from state
where forgotten_at is null and merged_into is null
union all
select
    5 as place,
    'screens' as area,
    'transitions between states' as what,
    count(*) as amount
from transition
where status = 'committed'
union all
select
    6 as place,
    'screens' as area,
    'acts to be confirmed' as what,
    count(*) as amount
from transition
where status = 'pending'
union all
select
    7 as place,
    'screens' as area,
    'screenshots looked at' as what,
    count(*) as amount
from observation
union all
select
    8 as place,
    'words' as area,
    'turns' as what,
    count(*) as amount
from log
where archived_at is null
union all
select
    9 as place,
    'words' as area,
    'turns archived' as what,
    count(*) as amount
from log
where archived_at is not null
union all
select
    10 as place,
    'words' as area,
    'episodes' as what,
    count(*) as amount
from episode
where archived_at is null
union all
select
    11 as place,
    'words' as area,
    'episodes archived' as what,
    count(*) as amount
from episode
where archived_at is not null
union all
select
    12 as place,
    'words' as area,
    'recalls' as what,
    count(*) as amount
from recall
union all
select
    14 as place,
    'facts' as area,
    'facts that wait' as what,
    count(*) as amount
from fact_pending
union all
select
    15 as place,
    'facts' as area,
    'facts replaced or forgotten' as what,
    count(*) as amount
from fact
where status in ('superseded', 'forgotten')
union all
select
    16 as place,
    'guard' as area,
    'texts refused' as what,
    coalesce(sum(refusals), 0) as amount
from guard_refusal;
