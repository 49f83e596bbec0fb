-- What erasing a component reaches beyond its own rows: pictures that show it, words and texts.

-- name: overlapping
-- Variants of other components, and pictures of what stands beside them, each with its place on
-- a screenshot and the deleted component's place there: as it was found, then or on the same
-- picture at another time, or else as the screenshot's state knows it.
with cut as (
    -- Where each variant was cut out: where it was learned; a variant for another scale, where the
    -- component was found at that moment.
    select
        template.id as template_id,
        null as row_key_id,
        template.component_id,
        sighting.observation_id,
        sighting.x,
        sighting.y,
        template.w,
        template.h
    from template
    inner join sighting on template.component_id = sighting.component_id
    inner join observation on sighting.observation_id = observation.id
    where
        template.component_id <> :id
        and sighting.found = 1
        and sighting.w = template.w
        and sighting.h = template.h
        and (
            (sighting.how = 'learned' and sighting.template_id = template.id)
            or (
                sighting.how <> 'learned'
                and sighting.template_id is not template.id
                and observation.observed_at = template.learned_at
            )
        )
    union all
    select
        null as template_id,
        row_key.id as row_key_id,
        row_key.component_id,
        observation.id as observation_id,
        row_key.x,
        row_key.y,
        row_key.w,
        row_key.h
    from row_key
    inner join observation on row_key.img_sha256 = observation.img_sha256
    where row_key.component_id <> :id
),

place as (
    select
        observation.id as observation_id,
        sighting.x,
        sighting.y,
        sighting.w,
        sighting.h
    from sighting
    inner join observation as seen on sighting.observation_id = seen.id
    inner join observation on seen.img_sha256 = observation.img_sha256
    where sighting.component_id = :id and sighting.found = 1 and sighting.w is not null
    union all
    select
        observation.id as observation_id,
        cast(
            state_component.x * observation.scale
            + coalesce(observation.window_box ->> 0, 0) - :slack as integer
        ) as x,
        cast(
            state_component.y * observation.scale
            + coalesce(observation.window_box ->> 1, 0) - :slack as integer
        ) as y,
        cast(
            component.w / component.scale * observation.scale + 2 * :slack as integer
        ) as w,
        cast(
            component.h / component.scale * observation.scale + 2 * :slack as integer
        ) as h
    from observation
    inner join state_root as seen on observation.state_id = seen.id
    inner join state_root as member on seen.root = member.root
    inner join state_component on member.id = state_component.state_id
    inner join component on state_component.component_id = component.id
    where
        component.id = :id
        and not exists (
            select 1
            from sighting
            where
                sighting.observation_id = observation.id
                and sighting.component_id = :id
                and sighting.found = 1
        )
)

select distinct
    cut.template_id,
    cut.row_key_id,
    cut.component_id,
    cut.x,
    cut.y,
    cut.w,
    cut.h,
    place.x as gone_x,
    place.y as gone_y,
    place.w as gone_w,
    place.h as gone_h
from cut
inner join place on cut.observation_id = place.observation_id
where
    place.x < cut.x + cut.w
    and cut.x < place.x + place.w
    and place.y < cut.y + cut.h
    and cut.y < place.y + place.h;

-- name: variant
select *
from template
where id = :id;

-- name: insert_variant
-- Two variants may become the same once both are painted over.
insert into template (
    component_id, png, sha256, w, h, scale, features, feature_version, learned_at
)
values (
    :component_id, :png, :sha256, :w, :h, :scale, :features, :feature_version, :learned_at
)
on conflict do nothing;

-- name: hand_on_sightings
update sighting
set
    template_id = (
        select template.id
        from template
        where template.component_id = :component_id and template.sha256 = :sha256
    )
where template_id = :old_id;

-- name: delete_row_key
delete from row_key
where id = :id;

-- name: forget_unseen
update component
set forgotten_at = :forgotten_at, forgotten_why = :why
where
    forgotten_at is null
    and id in (select touched.value from json_each(:ids) as touched)
    and not exists (
        select 1
        from template
        where template.component_id = component.id
    );

-- name: delete_screenshots
-- Kept screenshots that show the component: it was found there, then or on the same picture at
-- another time, or their state knows it.
delete from screenshot
where observation_id in (
    select observation.id
    from sighting
    inner join observation as seen on sighting.observation_id = seen.id
    inner join observation on seen.img_sha256 = observation.img_sha256
    where sighting.component_id = :id and sighting.found = 1
    union
    select observation.id
    from observation
    inner join state_root as seen on observation.state_id = seen.id
    inner join state_root as member on seen.root = member.root
    inner join state_component on member.id = state_component.state_id
    where state_component.component_id = :id
);

-- name: delete_run_pictures
-- Pictures of the whole screen before and after steps that failed: nobody knows what is on them.
update skill_run_step
set before_png = null, after_png = null
where before_png is not null or after_png is not null;

-- name: components_of_state_alone
-- Components that stood on a state, or on one of the same root, and on no other.
select distinct state_component.component_id as id
from state_component
inner join state_root on state_component.state_id = state_root.id
where
    state_root.root = (
        select asked.root from state_root as asked
        where asked.id = :id
    )
    and not exists (
        select 1
        from state_component as elsewhere
        inner join state_root as other on elsewhere.state_id = other.id
        where
            elsewhere.component_id = state_component.component_id
            and other.root <> state_root.root
    )
order by state_component.component_id;

-- name: delete_observations
-- Records of having seen a state, with their sightings and screenshots.
delete from observation
where state_id in (
    select member.id
    from state_root as asked
    inner join state_root as member on asked.root = member.root
    where asked.id = :id
);

-- name: delete_states
delete from state
where id in (
    select member.id
    from state_root as asked
    inner join state_root as member on asked.root = member.root
    where asked.id = :id
);

-- name: words_around
-- The words and the look of each state that holds the component, and its place there at scale 1.
select
    state.id as state_id,
    state.words,
    state.look,
    state.img_w,
    state.img_h,
    state_component.x,
    state_component.y,
    cast(round(component.w / component.scale) as integer) as w,
    cast(round(component.h / component.scale) as integer) as h
from state_component
inner join state on state_component.state_id = state.id
inner join component on state_component.component_id = component.id
where component.id = :id and state.words is not null;

-- name: set_words
update state
set words = :words, look = :look
where id = :id;

-- name: keep_by_words
-- A state that would lose its last component goes on being known by the words left on it: else
-- nobody would know, when it is seen again, what was erased there.
update state
set known_by = 'words'
where
    length(words) > 0
    and id in (
        select state_root.root
        from state_component
        inner join state_root on state_component.state_id = state_root.id
        where state_component.component_id = :id
    )
    and id not in (
        select state_id
        from state_definition
        where component_id <> :id
    );

-- name: delete_equal_texts
delete from state_text
where text = :label;

-- name: delete_texts
delete from state_text
where instr(lower(text), lower(:label)) > 0;

-- name: clear_titles
update state
set title = null
where instr(lower(title), lower(:label)) > 0;

-- name: clear_contexts
-- Rows and sections that are named after the component; those of its own look-alikes, too.
update component
set
    row_text = case when instr(lower(row_text), lower(:label)) = 0 then row_text end,
    section = case when instr(lower(section), lower(:label)) = 0 then section end
where
    id <> :id
    and (instr(lower(row_text), lower(:label)) > 0 or instr(lower(section), lower(:label)) > 0);

-- name: clear_labels
-- Labels of what the component stood in, such as a card that reads its contents aloud.
update component
set label = null
where
    id <> :id
    and id in (select touched.value from json_each(:ids) as touched)
    and instr(lower(label), lower(:label)) > 0;

-- name: named_after
-- Components whose name holds the label, though they do not bear it themselves.
select
    id,
    type,
    rel_x,
    rel_y,
    w,
    h
from component
where
    id <> :id
    and instr(lower(name), lower(:name)) > 0
    and instr(lower(coalesce(label, '')), lower(:label)) = 0;

-- name: rename_made
update component
set name = :name, made_name = :name
where id = :id;
