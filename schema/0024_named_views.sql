-- Views show names beside ids, so that they can be read without looking each id up.

drop view state_graph;

-- The graph of states: committed transitions between living ones, merges added up. What led from
-- one state to another that it was merged with since, leads nowhere. States are called by their
-- names, as in state_summary, or else by their pages.
create view state_graph as
with living as (
    select
        state.id,
        coalesce(state.name, min(member.name), state.page) as name
    from state
    inner join state_root on state.id = state_root.root
    inner join state as member on state_root.id = member.id
    where state.forgotten_at is null
    group by state.id
)

select
    from_root.root as from_state,
    from_living.name as from_name,
    transition.action,
    transition.component_id,
    component.name as component_name,
    transition.detail,
    to_root.root as to_state,
    to_living.name as to_name,
    sum(transition.successes + transition.failures) as count,
    sum(transition.successes) as successes,
    sum(transition.failures) as failures,
    round(
        1.0 * sum(transition.successes) / sum(transition.successes + transition.failures), 4
    ) as success_rate,
    round(1.0 * sum(transition.total_ms) / nullif(sum(transition.timed), 0), 1) as mean_ms,
    max(transition.last_used_at) as last_used_at
from transition
inner join state_root as from_root on transition.from_state = from_root.id
inner join state_root as to_root on transition.to_state = to_root.id
inner join living as from_living on from_root.root = from_living.id
inner join living as to_living on to_root.root = to_living.id
left join component on transition.component_id = component.id
where
    transition.status = 'committed'
    and (from_root.root <> to_root.root or transition.from_state = transition.to_state)
    and component.forgotten_at is null
group by
    from_root.root, transition.action, transition.component_id, transition.detail, to_root.root;

-- Components and what each one looks like, the last seen first; one row for each of its looks.
create view component_picture as
select
    component.id as component_id,
    component.name,
    template.png,
    component.type,
    component.page,
    component.seen_count,
    component.last_seen_at,
    template.id as template_id
from component
inner join template on component.id = template.component_id
where component.forgotten_at is null
order by component.last_seen_at desc, component.id, template.id;

drop view recall_worth;

-- Counts of how often each turn, episode or fact was recalled, and how often that helped.
create view recall_worth as
select
    recall_hit.kind,
    recall_hit.item_id,
    case recall_hit.kind
        when 'turn'
            then (
                select log.text
                from log
                where log.id = recall_hit.item_id
            )
        when 'episode'
            then (
                select episode.summary
                from episode
                where episode.id = recall_hit.item_id
            )
        else (
            select fact.text
            from fact
            where fact.number = recall_hit.item_id
        )
    end as text,
    count(*) as recalled,
    count(recall_hit.used_at) as used,
    max(recall.asked_at) as last_recalled_at
from recall_hit
inner join recall on recall_hit.recall_id = recall.id
group by recall_hit.kind, recall_hit.item_id;

drop view fact_last_use;

-- Last use of each fact, by whatever served it; '': none.
create view fact_last_use as
select
    fact.number,
    fact.id,
    fact.text,
    max(
        coalesce(fact_use.used_at, ''),
        coalesce(
            (
                select max(recall.asked_at)
                from recall_hit
                inner join recall on recall_hit.recall_id = recall.id
                where recall_hit.kind = 'fact' and recall_hit.item_id = fact.number
            ),
            ''
        )
    ) as used_at
from fact
left join fact_use on fact.number = fact_use.number;

drop view state_definition;

-- Components that define each living state. A provisional state is defined by all that
-- was on it; a confirmed one by what was seen again (seen_count >= 2).
create view state_definition as
select distinct
    root.id as state_id,
    coalesce(root.name, root.page) as state_name,
    component.id as component_id,
    component.name as component_name
from state_component
inner join state_root on state_component.state_id = state_root.id
inner join state as root on state_root.root = root.id
inner join component on state_component.component_id = component.id
where
    state_component.defining = 1
    and component.forgotten_at is null
    and root.forgotten_at is null
    and (root.status = 'provisional' or component.seen_count >= 2);

drop view state_description;

-- Living states in words: the page, the title, and the labels on it from top to bottom.
create view state_description as
select
    root.id as state_id,
    root.name,
    rtrim(
        coalesce(root.page || '. ', '')
        || coalesce(nullif(root.title, root.page) || '. ', '')
        || coalesce(
            (
                select group_concat(on_it.label, ', ')
                from (
                    select component.label
                    from state_component
                    inner join state_root on state_component.state_id = state_root.id
                    inner join component on state_component.component_id = component.id
                    where
                        state_root.root = root.id
                        and component.label is not null
                        and component.forgotten_at is null
                    group by component.label
                    order by min(state_component.y), min(state_component.x)
                ) as on_it
            ),
            ''
        )
    ) as description
from state as root
where root.merged_into is null and root.forgotten_at is null;
