-- Questions about one store, asked of it in SQLite; docs/sql.md asks the same. The first line
-- below each name is the question, the rest says more. Where a parameter is left empty, all is
-- shown.

-- name: screens
-- Which screens does it know, and how often did it see them?
select
    state_id,
    name,
    status,
    visit_count,
    component_count,
    last_seen_at
from state_summary
order by visit_count desc;

-- name: missing_components
-- What is missing where it was expected?
-- It is forgotten after as many misses in a row as the setting `forget_threshold` says.
select
    component_id,
    name,
    type,
    seen_count,
    consecutive_misses,
    last_seen_at
from component_health
where health = 'stale';

-- name: forgotten_components
-- What was forgotten, when and why?
-- `memctl --app harbor components restore ID` brings it back.
select
    component_id,
    name,
    forgotten_at,
    forgotten_why
from component_health
where health = 'forgotten';

-- name: looked_for
-- When was one thing looked for, and was it found?
-- `how` is the stage of the matching that found it (or its dress: `recoloured`, `redrawn`, `changed beside`, `caret`,
-- `pointer`), or why it was not found.
select
    component.name,
    observation.observed_at,
    observation.kind,
    sighting.found,
    sighting.x,
    sighting.y,
    round(sighting.score, 3) as score,
    sighting.how
from component
inner join sighting on component.id = sighting.component_id
inner join observation on sighting.observation_id = observation.id
where component.name like :name || '%'
order by observation.observed_at;

-- name: look_alikes
-- What looks the same to the pixel?
-- What looks alike is told apart by its place alone.
select
    group_concat(distinct component.name) as names,
    count(distinct template.component_id) as components
from template
inner join component on template.component_id = component.id
where component.forgotten_at is null
group by template.sha256
having components > 1
order by components desc, names
limit 100;

-- name: ways
-- Where do clicks and other acts lead, and how often do they?
select
    from_name,
    action,
    component_name,
    to_name,
    successes,
    failures,
    success_rate,
    mean_ms
from state_graph
order by success_rate;

-- name: unknown_screens
-- Which screens did it not recognise?
select
    observed_at,
    kind,
    found,
    absent,
    img_w,
    img_h
from observation
where state_id is null
order by observed_at desc;

-- name: pictures
-- What does a component look like?
-- Its picture is a PNG in the file; `writefile`, in the `sqlite3` shell, writes it beside you.
select
    name,
    png
from component_picture
where name like :name || '%'
order by name
limit 100;

-- name: timeline
-- What was said, and what happened?
select
    happened_at,
    kind,
    who,
    text
from memory_timeline
order by happened_at desc, kind, id desc
limit 100;

-- name: about_one_thing
-- What is true of one thing?
select
    subject,
    attribute,
    value,
    category,
    source,
    age_days
from fact_current
where subject like :subject || '%';

-- name: a_week_ago
-- What was true a week ago?
-- What has expired since was true then; what had expired by then was not.
with week_ago as (
    select strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-7 days') as day
)

select
    fact.text,
    fact.valid_from,
    fact.valid_to,
    fact.expires_at
from fact
cross join week_ago
where
    fact.status in ('active', 'superseded')
    and fact.valid_from <= week_ago.day
    and (fact.valid_to is null or fact.valid_to > week_ago.day)
    and (
        fact.expires_at is null
        or fact.expires_at > week_ago.day
        or (fact.expires_by = 'category' and (fact.pinned or fact.immutable))
    )
order by fact.valid_from desc;

-- name: changes
-- Who changed a fact, and why?
-- `actor` is the tool, or "sqlite3" for a hand.
select
    changed_at,
    event,
    coalesce(new_text, old_text) as text,
    why,
    actor
from fact_history
where coalesce(old_text, '') || coalesce(new_text, '') like '%' || :words || '%'
order by changed_at, id;

-- name: waiting_facts
-- What waits for me to decide?
-- `memctl pending approve ID` and `memctl pending reject ID` decide.
select
    id as fact_id,
    text,
    known_text,
    confidence,
    source
from fact_pending;

-- name: empty_recalls
-- Which questions found nothing, and for want of which words?
select
    recall.asked_at,
    recall.question,
    group_concat(unknown.value, ' ') as unknown_words
from recall
left join json_each(recall.unknown_words) as unknown on true
where recall.hits = 0 and recall.forgotten_at is null
group by recall.id
order by recall.asked_at desc;

-- name: recalled_in_vain
-- What was recalled and never said to have helped?
-- `memctl feedback RECALL --used ID` says so.
select
    recalled,
    last_recalled_at,
    kind,
    item_id,
    text
from recall_worth
where used = 0
order by recalled desc, last_recalled_at desc;

-- name: secrets_kept_out
-- Which secrets were kept out?
-- Counted by rule and day; nothing of the text is kept.
select
    day,
    rule,
    tier,
    refusals
from guard_refusal
order by day desc;
