-- What of an app's screens, graph and skills goes to other stores, and comes from them.

-- name: origins
select
    id,
    address,
    own,
    shared_at
from origin
order by id;

-- name: share_origin
-- A pack of a store brought facts; the last one counts.
insert into origin (id, own, address, merged_at, shared_at)
values (:id, 0, :address, :now, :shared_at)
on conflict do update set shared_at = max(coalesce(shared_at, ''), excluded.shared_at);

-- name: people
-- Names of people that a store knows: who spoke or took part, whose facts there are, and whom facts
-- of people are about.
select participant.name
from participant
union
select fact.user_id as name
from fact
where fact.user_id <> ''
union
select fact.subject as name
from fact
where fact.subject is not null and fact.category in ('identity', 'relationship')
union
select fact.value as name
from fact
where fact.attribute_key = 'name' and fact.value is not null;

-- name: was_said
-- Whether a passage stands in a turn.
select exists(
    select 1
    from log
    where instr(lower(text), lower(:passage)) > 0
);

-- name: add_origin
insert into origin (id, own, address, merged_at)
values (:id, 0, :address, :now)
on conflict do nothing;

-- name: components
select *
from component
order by id;

-- name: templates
select *
from template
order by component_id, sha256;

-- name: row_keys
select *
from row_key
order by component_id, position;

-- name: row_places
-- Where the pictures that tell look-alikes apart stand on each screen, at scale 1: what names rows.
select
    state_component.state_id,
    row_key.component_id,
    state_component.x + row_key.dx / row_key.scale as x,
    state_component.y + row_key.dy / row_key.scale as y,
    row_key.w / row_key.scale as w,
    row_key.h / row_key.scale as h
from row_key
inner join state_component on row_key.component_id = state_component.component_id
where row_key.twin = 1;

-- name: states
-- Every living state.
select *
from state
where merged_into is null and forgotten_at is null
order by id;

-- name: roots
-- States, and the living one that each ended up in.
select
    state.id,
    state.visit_count,
    state_root.root
from state
inner join state_root on state.id = state_root.id
order by state.id;

-- name: state_components
select
    state_root.root as state_id,
    state_component.component_id,
    state_component.defining,
    state_component.x,
    state_component.y
from state_component
inner join state_root on state_component.state_id = state_root.id
order by state_root.root, state_component.component_id;

-- name: state_texts
select distinct
    state_root.root as state_id,
    state_text.text
from state_text
inner join state_root on state_text.state_id = state_root.id
order by state_root.root, state_text.text;

-- name: transitions
select *
from transition
where status = 'committed'
order by id;

-- name: component_shares
select *
from component_share
order by origin_id, number;

-- name: packed_components
-- Those that nobody but makers of packs have seen: they let them out of their hands.
select component_share.component_id
from component_share
inner join component on component_share.component_id = component.id
group by component_share.component_id
having min(component_share.packed) = 1 and component.seen_count <= sum(component_share.seen_count);

-- name: state_shares
select *
from state_share
order by origin_id, state_there;

-- name: transition_shares
select *
from transition_share
order by transition_id, origin_id;

-- name: last_component
-- The highest id that a component of this file ever had.
select coalesce(max(seq), 0)
from sqlite_sequence
where name = 'component';

-- name: skills
select *
from skill
order by id;

-- name: skill_steps
select *
from skill_step
order by skill_id, number;

-- name: skill_parameters
select *
from skill_parameter
order by skill_id, name;

-- name: put_state_component
-- Of two places the one on the screen that was seen first, as the size of the screen is its, too.
insert into state_component (state_id, component_id, defining, x, y)
values (:state_id, :component_id, :defining, :x, :y)
on conflict do update set
    defining = max(defining, excluded.defining),
    x = iif(:first, excluded.x, x),
    y = iif(:first, excluded.y, y);

-- name: put_component_share
insert into component_share (origin_id, number, component_id, name, seen_count, packed)
values (:origin_id, :number, :component_id, :name, :seen_count, :packed)
on conflict do update set
    packed = max(packed, excluded.packed),
    name = coalesce(min(name, excluded.name), name, excluded.name),
    seen_count = max(seen_count, excluded.seen_count);

-- name: put_state_share
insert into state_share (origin_id, state_there, state_id, name, visit_count)
values (:origin_id, :state_there, :state_id, :name, :visit_count)
on conflict do update set
    name = coalesce(min(name, excluded.name), name, excluded.name),
    visit_count = max(visit_count, excluded.visit_count);

-- name: put_transition_share
insert into transition_share (transition_id, origin_id, successes, failures, total_ms, timed)
values (:transition_id, :origin_id, :successes, :failures, :total_ms, :timed)
on conflict do update set
    successes = max(successes, excluded.successes),
    failures = max(failures, excluded.failures),
    total_ms = max(total_ms, excluded.total_ms),
    timed = max(timed, excluded.timed);

-- name: decide_skill
update skill
set status = :status, why = :why, decided_at = :decided_at
where id = :id;

-- name: erased_pixels
select
    w,
    h,
    key,
    digest
from erased_pixels;

-- name: erased_places
select
    state_root.root as state_id,
    erased_place.x,
    erased_place.y,
    erased_place.w,
    erased_place.h
from erased_place
inner join state_root on erased_place.state_id = state_root.id;

-- name: component_counts
select coalesce(sum(seen_count), 0)
from component_share
where component_id = :id;

-- name: component_said_name
-- What other stores say that somebody named it.
select min(name)
from component_share
where component_id = :id;

-- name: state_share
select
    state_id,
    visit_count
from state_share
where origin_id = :origin_id and state_there = :state_there;

-- name: add_visits
update state
set visit_count = visit_count + :visits
where id = :id;

-- name: transition_counts
select
    coalesce(sum(successes), 0) as successes,
    coalesce(sum(failures), 0) as failures,
    coalesce(sum(total_ms), 0) as total_ms,
    coalesce(sum(timed), 0) as timed
from transition_share
where transition_id = :id;

-- name: all_states
select *
from state
order by id;

-- name: looks_of
select
    id,
    sha256,
    scale,
    learned_at,
    blank_left,
    blank_right
from template
where component_id = :component_id;

-- name: row_keys_of
select *
from row_key
where component_id = :component_id
order by position;

-- A component of this store that turned out to be another one, `into`.

-- name: move_component_shares
update component_share
set component_id = :into
where component_id = :id;

-- name: copy_templates
insert into template (
    component_id, png, sha256, w, h, scale, features, feature_version, learned_at,
    blank_left, blank_right
)
select
    :into as component_id,
    png,
    sha256,
    w,
    h,
    scale,
    features,
    feature_version,
    learned_at,
    blank_left,
    blank_right
from template
where component_id = :id
on conflict do nothing;

-- name: move_row_keys
update row_key
set component_id = :into
where component_id = :id and :into not in (select component_id from row_key);

-- name: copy_places
insert into state_component (state_id, component_id, defining, x, y)
select
    state_id,
    :into as component_id,
    defining,
    x,
    y
from state_component
where component_id = :id
on conflict do update set defining = max(defining, excluded.defining);

-- name: doubled
-- Edges by it, and those by the other one that are the same.
select
    gone.id,
    kept.id as kept
from transition as gone
inner join transition as kept
    on
        gone.from_state = kept.from_state
        and gone.action = kept.action
        and gone.detail is kept.detail
        and gone.to_state = kept.to_state
where
    gone.component_id = :id
    and kept.component_id = :into
    and gone.status = 'committed'
    and kept.status = 'committed';

-- name: add_counts
update transition
set
    successes = transition.successes + gone.successes,
    failures = transition.failures + gone.failures,
    total_ms = transition.total_ms + gone.total_ms,
    timed = transition.timed + gone.timed
from transition as gone
where transition.id = :kept and gone.id = :id;

-- name: add_counts_of_others
insert into transition_share (transition_id, origin_id, successes, failures, total_ms, timed)
select
    :kept as transition_id,
    origin_id,
    successes,
    failures,
    total_ms,
    timed
from transition_share
where transition_id = :id
on conflict do update set
    successes = successes + excluded.successes,
    failures = failures + excluded.failures,
    total_ms = total_ms + excluded.total_ms,
    timed = timed + excluded.timed;

-- name: discard_doubled
update transition
set status = 'discarded'
where id = :id;

-- name: move_transitions
update transition
set component_id = :into
where component_id = :id;

-- name: move_steps
update skill_step
set component_id = :into
where component_id = :id;

-- name: move_acts
update act
set component_id = :into
where component_id = :id;
