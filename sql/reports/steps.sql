-- sqlfluff:dialect:duckdb
-- Steps that several questions share: each becomes a table before the questions are asked.

-- name: looked_for
-- Everything that was looked for on a screen that was recognised
-- One row a sighting, on the state that the screen's state was merged into in the end.
-- reads observation: id, observed_at, state_id, app_version
-- reads sighting: observation_id, component_id, found
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
    and observation.observed_at < request.until_at;

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
-- One row a look, on the state that its state was merged into in the end.
-- reads observation: id, kind, observed_at, state_id, found, absent, duration_ms, stages
-- reads state: id, root
-- store text: which store
-- id number: its id
-- kind text: learn, match or locate
-- observed_at at: when
-- state_id text: the screen, null where it was not recognised
-- found count: components that were there
-- absent count: components that were expected and absent
-- duration_ms ms: how long it took
-- stages text: JSON, milliseconds by stage
select
    observation.store,
    observation.id,
    observation.kind,
    observation.observed_at,
    state.root as state_id,
    observation.found,
    observation.absent,
    observation.duration_ms,
    observation.stages
from observation
cross join request
left join state on observation.store = state.store and observation.state_id = state.id
where
    observation.observed_at >= request.since_at
    and observation.observed_at < request.until_at;

-- name: held
-- The facts that hold now
-- Active, neither archived nor at an end, and not expired; an end that only its category set
-- spares what is pinned or immutable.
-- reads fact: number, id, text, category, source, importance, status, immutable, pinned
-- reads fact: valid_to, expires_at, expires_by, archived_at, created_at, equal_key, tokens
-- reads fact: user_id, agent_id, session_id
-- store text: which store
-- number number: the order of arrival
-- id text: its id
-- text text: what it says
-- category text: null where none was named
-- source text: where it comes from; empty: not told
-- importance share: as it is stored
-- spared count: 1 where it is pinned or immutable
-- equal_key text: equal facts of one owner have equal ones
-- created_at at: when it was written
-- tokens count: what it costs in a prompt
select
    fact.store,
    fact.number,
    fact.id,
    fact.text,
    fact.category,
    fact.source,
    fact.importance,
    greatest(fact.pinned, fact.immutable) as spared,
    concat_ws(
        chr(31),
        fact.user_id,
        fact.agent_id,
        fact.session_id,
        coalesce(fact.equal_key, lower(trim(fact.text)))
    ) as equal_key,
    fact.created_at,
    fact.tokens
from fact
cross join request
where
    fact.status = 'active'
    and fact.archived_at is null
    and fact.valid_to is null
    and (
        fact.expires_at is null
        or fact.expires_at > request.asked_at
        or (fact.expires_by = 'category' and fact.pinned + fact.immutable > 0)
    );
