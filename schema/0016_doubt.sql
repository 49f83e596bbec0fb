-- Facts that rest on one that changed: to be checked, never retired for it.

-- Why a fact is to be checked; null: nothing it rests on has changed, or somebody has settled it.
alter table fact add column doubt text;

-- Id of the fact whose change raised the doubt.
alter table fact add column doubted_by text;

create index fact_doubtful on fact (doubted_by)
where doubted_by is not null;
