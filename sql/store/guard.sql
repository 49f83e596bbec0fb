-- name: count_refusal
-- How often a rule refused, by tier and day.
insert into guard_refusal (rule, tier, day, refusals)
values (:rule, :tier, :day, 1)
on conflict (rule, tier, day) do update
set refusals = refusals + 1;

-- name: own_patterns
-- The store's own patterns of secrets, one a line.
select setting.value
from setting
where setting.key = 'secret_patterns';
