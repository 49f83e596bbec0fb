-- Row keys are kept for each look of a component, and say how much of a row may differ.

-- The look that it stands beside: sha256 of that template; null: learned by an earlier memctl.
alter table row_key add column look text
/* sha256 of the template that it stands beside; null: learned by an earlier memctl */
check (look is null or look <> '');

-- 1: the other keys of the look tell the component from its look-alikes without this one.
alter table row_key add column may_change integer not null default 0
/* 1: the other keys of the look tell the component from its look-alikes without this one */
check (may_change in (0, 1));

-- Pixels that it may stand higher or lower by, as the heading of a column does.
alter table row_key add column reach_up integer not null default 0
/* pixels that it may stand higher or lower by, as the heading of a column does */
check (reach_up >= 0);
