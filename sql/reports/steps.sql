-- sqlfluff:dialect:duckdb
-- Steps that several questions share: each becomes a table before the questions are asked.

-- name: looked_for
-- Everything that was looked for on a screen that was recognised
-- One row a sighting, on the state that the screen's state was merged into in the end. What was
-- only learned by the look was not looked for.
-- reads observation: id, observed_at, state_id, app_version
-- reads sighting: observation_id, component_id, found, how
-- reads state: id, root
-- store text: which store
-- component_id number: what was looked for
-- state_id text: on which screen
-- observed_at at: when
-- app_version text: of the app, where somebody told it
-- missed count: 1 where it was expected and absent
select
    sighting.store,
    sighting.component_id,
    state.root as state_id,
    observation.observed_at,
    observation.app_version,
    1 - sighting.found as missed
from sighting
inner join observation
    on sighting.store = observation.store and sighting.observation_id = observation.id
inner join state on observation.store = state.store and observation.state_id = state.id
cross join request
where
    observation.observed_at >= request.since_at
    and observation.observed_at < request.until_at
    and sighting.how is distinct from 'learned';

-- name: screen
-- What each screen is called
-- A name, else the page it was learned on, else its id.
-- reads state: id, root, name, page, first_seen_at, forgotten_at
-- store text: which store
-- state_id text: its id
-- screen text: what it is called
-- living count: 1 where it is not forgotten
-- first_seen_at at: when
select
    store,
    root as state_id,
    coalesce(
        max(name) filter (where id = root),
        min(name),
        max(page) filter (where id = root),
        root
    ) as screen,
    max((forgotten_at is null)::bigint) filter (where id = root) as living,
    min(first_seen_at) as first_seen_at
from state
group by store, root;

-- name: asked
-- The recalls of the time that was asked for
-- One row a recall.
-- reads recall: id, asked_at, question, hits, unknown_words, fallback, duration_ms, outcome
-- store text: which store
-- id number: its id
-- asked_at at: when
-- question text: what
-- hits count: rows that came back
-- unknown_words text: JSON, a list
-- fallback text: which vectors were asked as well
-- duration_ms ms: how long it took
-- outcome text: ok or failed, where somebody told
select
    recall.store,
    recall.id,
    recall.asked_at,
    recall.question,
    recall.hits,
    recall.unknown_words,
    recall.fallback,
    recall.duration_ms,
    recall.outcome
from recall
cross join request
where recall.asked_at >= request.since_at and recall.asked_at < request.until_at;

-- name: look
-- The looks at screenshots of the time that was asked for
-- One row a look, on the state that its state was merged into in the end. A look created its
-- state where it is the first learn of the second in which that state, or one that was merged
-- into it, was seen first: it did not recognise it.
-- reads observation: id, kind, observed_at, state_id, found, absent, duration_ms, stages
-- reads observation: scale, window_x, window_y
-- reads state: id, root, first_seen_at
-- store text: which store
-- id number: its id
-- kind text: learn, match or locate
-- observed_at at: when
-- state_id text: the screen; null where it is unknown
-- created count: 1 where the look created the state
-- found count: components that were there
-- absent count: components that were expected and absent
-- duration_ms ms: how long it took
-- stages text: JSON, milliseconds by stage
-- scale number: device-pixel ratio of the screenshot
-- window_x number: left edge of the window, in pixels of the screenshot
-- window_y number: its top edge
with

births as (

    select distinct
        store,
        root,
        first_seen_at
    from state

)

select
    observation.store,
    observation.id,
    observation.kind,
    observation.observed_at,
    state.root as state_id,
    (
        observation.kind = 'learn'
        and births.root is not null
        and row_number() over (
            partition by observation.store, state.root, observation.observed_at
            order by observation.kind <> 'learn', observation.id
        ) = 1
    )::bigint as created,
    observation.found,
    observation.absent,
    observation.duration_ms,
    observation.stages,
    observation.scale,
    observation.window_x,
    observation.window_y
from observation
cross join request
left join state on observation.store = state.store and observation.state_id = state.id
left join births
    on
        state.store = births.store
        and state.root = births.root
        and observation.observed_at = births.first_seen_at
where
    observation.observed_at >= request.since_at
    and observation.observed_at < request.until_at;
