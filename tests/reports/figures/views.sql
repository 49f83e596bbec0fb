-- What the independent questions share. The table asked holds one row: now, since, until.

create temp view holding as
select fact.*
from fact, asked
where
    status in ('active', 'superseded')
    and archived_at is null
    and not (status = 'superseded' and valid_to is null)
    and valid_from <= max(now, created_at)
    and ifnull(valid_to, '9999') > max(now, updated_at, valid_from)
    and (
        ifnull(expires_at, '9999') > now
        or (expires_by = 'category' and 1 in (pinned, immutable))
    );

create temp view coming as
select fact.*
from fact, asked
where status in ('active', 'superseded') and valid_from > max(now, created_at);

create temp view over as
select fact.*
from fact, asked
where
    status in ('active', 'superseded')
    and valid_from <= max(now, created_at)
    and (
        (status = 'superseded' and valid_to is null)
        or valid_to <= max(now, updated_at, valid_from)
    );

create temp view shelved as
select *
from fact
where
    archived_at is not null
    and status in ('active', 'superseded')
    and id not in (select id from coming union all select id from over);

create temp view root_of as
with recursive up (id, above, depth) as (
    select id, id, 0 from state
    union all
    select up.id, state.merged_into, depth + 1
    from up inner join state on up.above = state.id
    where state.merged_into is not null
)

select id, above as root
from up
where depth = (select max(deeper.depth) from up as deeper where deeper.id = up.id);

create temp view titled as
select
    root.id,
    root.forgotten_at is null as lives,
    coalesce(
        root.name,
        (
            select min(state.name)
            from state inner join root_of on state.id = root_of.id
            where root_of.root = root.id
        ),
        root.page,
        root.id
    ) as title
from state as root
where root.merged_into is null;

create temp view edge as
select distinct
    departed.root as a,
    arrived.root as b,
    transition.action,
    ifnull(transition.component_id, 0) as acted,
    ifnull(transition.detail, '') as detail,
    transition.from_state = transition.to_state as stays
from transition, root_of as departed, root_of as arrived
where
    transition.status = 'committed'
    and departed.id = transition.from_state
    and arrived.id = transition.to_state
    and departed.root in (select id from titled where lives)
    and arrived.root in (select id from titled where lives)
    and not exists (
        select 1 from component
        where component.id = transition.component_id and forgotten_at is not null
    );

create temp view seen as
select
    observation.*,
    root_of.root,
    ifnull(json_extract(window_box, '$[0]'), 0) as left_edge,
    ifnull(json_extract(window_box, '$[1]'), 0) as top_edge,
    observation.id in (
        select min(first.id)
        from observation as first
        inner join root_of as its on first.state_id = its.id
        inner join state as born on born.first_seen_at = first.observed_at
        inner join root_of as birth on born.id = birth.id and birth.root = its.root
        where first.kind = 'learn'
        group by its.root, first.observed_at
    ) as created
from asked, observation left join root_of on observation.state_id = root_of.id
where observed_at >= since and observed_at < until;

create temp view question as
select recall.*
from recall, asked
where forgotten_at is null and asked_at >= since and asked_at < until;

create temp view alive as
select 'turn' as kind, id, cast(id as text) as known_as, text, logged_at as born
from log where archived_at is null
union all
select 'episode', id, cast(id as text), summary, happened_at
from episode where archived_at is null
union all
select 'fact', number, id, text, created_at from holding;

create temp view life as
select
    'component' as kind,
    type,
    ifnull(page, '-') as page,
    learned_at as born,
    min(
        ifnull(
            (
                select max(observed_at)
                from sighting inner join observation on observation.id = observation_id
                where component_id = component.id and sighting.found and observed_at < until
            ),
            last_seen_at
        ),
        until
    ) as died,
    ifnull(forgotten_at < until, 0) as gone
from component, asked
where learned_at >= since and learned_at < until
union all
select
    'fact',
    category,
    null,
    born,
    min(ended, now, until),
    ended <= min(now, until)
from (
    select
        ifnull(category, '-') as category,
        max(created_at, valid_from) as born,
        min(
            case status
                when 'forgotten' then updated_at
                when 'superseded' then max(updated_at, ifnull(valid_to, ''))
                else '9999-12-31T00:00:00Z'
            end,
            ifnull(archived_at, '9999-12-31T00:00:00Z'),
            case
                when expires_by = 'category' and 1 in (pinned, immutable)
                    then '9999-12-31T00:00:00Z'
                else ifnull(expires_at, '9999-12-31T00:00:00Z')
            end
        ) as ended
    from fact
    where status <> 'pending'
), asked
where born >= since and born < until and born <= now and ended >= born;

create temp table aged as
select kind, 'all' as grouping, 'all' as grp, days, gone
from (
    select kind, gone, max(strftime('%s', died) - strftime('%s', born), 0) / 86400.0 as days
    from life
)
union all
select
    kind, 'type', type, max(strftime('%s', died) - strftime('%s', born), 0) / 86400.0, gone
from life
union all
select
    kind, 'page', page, max(strftime('%s', died) - strftime('%s', born), 0) / 86400.0, gone
from life
where kind = 'component';

insert into aged
select kind, 'app', (select address from store), days, gone
from aged
where grouping = 'all';

create temp table mark as
select distinct kind, grouping, grp, 0.0 as days from aged
union
select kind, grouping, grp, days from aged where gone
union
select kind, grouping, grp, max(days) from aged group by kind, grouping, grp;

create temp table step as
select
    mark.*,
    sum(aged.days >= mark.days) as at_risk,
    sum(aged.days = mark.days and aged.gone) as events
from mark inner join aged using (kind, grouping, grp)
group by mark.kind, mark.grouping, mark.grp, mark.days;

create temp view survivors as
select
    kind, grouping, grp, days, at_risk, events,
    at_risk - events - ifnull(
        (
            select max(later.at_risk) from step as later
            where
                later.kind = step.kind and later.grouping = step.grouping
                and later.grp = step.grp and later.days > step.days
        ), 0
    ) as censored,
    (
        select case when min(earlier.at_risk - earlier.events) = 0 then 0.0 else exp(
            sum(ln((earlier.at_risk - earlier.events) * 1.0 / earlier.at_risk))
        ) end
        from step as earlier
        where
            earlier.kind = step.kind and earlier.grouping = step.grouping
            and earlier.grp = step.grp and earlier.days <= step.days
    ) as share,
    (
        select ifnull(sum(
            earlier.events * 1.0 / earlier.at_risk / (earlier.at_risk - earlier.events)
        ), 0)
        from step as earlier
        where
            earlier.kind = step.kind and earlier.grouping = step.grouping
            and earlier.grp = step.grp and earlier.days <= step.days
            and earlier.at_risk > earlier.events
    ) as variance
from step;

create temp table km as
select
    *,
    case
        when share > 0 and share < 1 - 1e-12
            then exp(-exp(ln(-ln(share)) + 1.959963984540054 * sqrt(variance) / -ln(share)))
    end as low,
    case
        when share > 0 and share < 1 - 1e-12
            then exp(-exp(ln(-ln(share)) - 1.959963984540054 * sqrt(variance) / -ln(share)))
    end as high
from survivors;

create temp view written as
select 'component' as entity, learned_at as born,
    104 + octets(name) + octets(type) + octets(source) + octets(label) as says
from component
union all
select 'template', learned_at, 104 + octets(png) + octets(features) from template
union all
select 'state', first_seen_at, 64 + octets(words) from state
union all
select 'transition', recorded_at, 104 + octets(action) + octets(detail) from transition
union all
select 'observation', observed_at, 164 + octets(page) + octets(stages) from observation
union all
select 'sighting', observed_at, 72 + octets(how)
from sighting, observation where observation.id = observation_id
union all
select 'screenshot', observed_at, 8 + octets(png)
from screenshot, observation where observation.id = observation_id
union all
select 'log', recorded_at,
    56 + octets(text) + octets(details) + octets(session) + octets(speaker) from log
union all
select 'episode', remembered_at,
    56 + octets(summary) + octets(details) + octets(tags) + octets(participants) from episode
union all
select 'recall', asked_at, 44 + octets(question) + octets(unknown_words) from recall
union all
select 'recall_hit', asked_at, 40 + octets(kind) from recall_hit, recall where recall.id = recall_id
union all
select 'fact', created_at,
    120 + octets(text) + octets(subject) + octets(attribute) + octets(value) + octets(source)
    + octets(metadata)
from fact
union all
select 'fact_history', changed_at, 48 + octets(old_text) + octets(new_text) from fact_history;

create temp view weight as
select
    (select owner.tbl_name from sqlite_schema as owner where owner.name = dbstat.name) as entity,
    count(*) * (select page_size from pragma_page_size) as bytes
from dbstat
group by 1;

create temp view worth as
select
    skill_run.*,
    skill.name,
    date(started_at, '-6 days', 'weekday 1') as monday,
    (
        select count(*) from skill_run_step
        where run_id = skill_run.id and outcome = 'recovered'
    ) as mended,
    iif(skill_run.status = 'done', shown_looks, 0) - skill_run.looks as spared_looks,
    iif(
        skill_run.status = 'done',
        shown_seconds + (select value from setting where key = 'lift_decider_seconds') * (
            select count(*) from skill_step where skill_id = skill.id and action <> 'read'
        ),
        0
    ) - skill_run.seconds as spared
from skill_run inner join skill on skill.id = skill_id, asked
where skill_run.status <> 'running' and started_at >= since and started_at < until;

create temp view ran as
select
    by_what,
    of_what,
    count(*) as runs,
    sum(status = 'done') as done,
    sum(status <> 'done') as lost,
    sum(status = 'uncertain') as uncertain,
    sum(mended) as recovered,
    sum(spared is null) as unknown,
    avg(looks) as run_looks,
    avg(seconds) as run_s,
    ifnull(sum(iif(status <> 'done', seconds, null)), 0.0) as lost_s,
    iif(sum(status = 'done') > sum(spared is null) or not sum(spared is null), 1, null) as known,
    sum(spared_looks) * 1.0 as saved_looks,
    sum(spared) as saved_s,
    avg(spared) as each_s,
    iif(
        count(spared) >= 5,
        sqrt((sum(spared * spared) - sum(spared) * avg(spared)) / (count(spared) - 1))
        / sqrt(count(spared))
        -- Student's quantiles of 97.5 %, as printed in tables.
        * case count(spared) - 1
            when 4 then 2.776 when 5 then 2.571 when 6 then 2.447 when 7 then 2.365
            when 8 then 2.306 when 9 then 2.262 when 10 then 2.228
        end,
        null
    ) as half
from (
    select 'all' as by_what, null as of_what, worth.* from worth
    union all
    select 'skill', skill_id, worth.* from worth
    union all
    select 'week', monday, worth.* from worth
)
group by by_what, of_what;
