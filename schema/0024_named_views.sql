-- Views show names beside ids, so that they can be read without looking each id up.

drop view state_graph;

-- The graph of states: committed transitions between living ones, merges added up. What led from
-- one state to another that it was merged with since, leads nowhere. States are called by their
-- names, or else by their pages.
create view state_graph as
select
    from_root.root as from_state,
    (
        select coalesce(state_summary.name, state_summary.page)
        from state_summary
        where state_summary.state_id = from_root.root
    ) as from_name,
    transition.action,
    transition.component_id,
    component.name as component_name,
    transition.detail,
    to_root.root as to_state,
    (
        select coalesce(state_summary.name, state_summary.page)
        from state_summary
        where state_summary.state_id = to_root.root
    ) as to_name,
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
inner join state as from_living on from_root.root = from_living.id
inner join state as to_living on to_root.root = to_living.id
left join component on transition.component_id = component.id
where
    transition.status = 'committed'
    and (from_root.root <> to_root.root or transition.from_state = transition.to_state)
    and from_living.forgotten_at is null
    and to_living.forgotten_at is null
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
