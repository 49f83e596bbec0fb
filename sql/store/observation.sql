-- name: insert_observation
insert into observation (
    kind, observed_at, img_sha256, img_w, img_h, scale, page, window_box,
    state_id, similarity, found, absent, learned, duration_ms, stages, app_version
)
values (
    :kind, :observed_at, :img_sha256, :img_w, :img_h, :scale, :page, :window_box,
    :state_id, :similarity, :found, :absent, :learned, :duration_ms, :stages, :app_version
);

-- name: times_learned
-- How often these pixels were learned as this page since a time, if the state that they show lives.
select count(*)
from observation
inner join state_root on observation.state_id = state_root.id
inner join state on state_root.root = state.id
where
    observation.kind = 'learn'
    and observation.observed_at >= :since
    and observation.img_sha256 = :img_sha256
    and observation.page is :page
    and observation.window_box is :window_box
    and state.forgotten_at is null;

-- name: insert_sighting
-- Nothing is noted of a component that somebody deleted since it was looked for.
insert into sighting (
    observation_id, component_id, found, template_id, x, y, w, h, score, how
)
select
    :observation_id as observation_id,
    component.id as component_id,
    :found as found,
    :template_id as template_id,
    :x as x,
    :y as y,
    :w as w,
    :h as h,
    :score as score,
    :how as how
from component
where component.id = :component_id;

-- name: insert_screenshot
insert into screenshot (observation_id, png)
values (:observation_id, :png);

-- name: trim_screenshots
delete from screenshot
where observation_id not in (
    select observation_id
    from screenshot
    order by observation_id desc
    limit :keep
);
