-- Two facts of which the later may replace the earlier, and nobody has decided yet.

-- Id of an earlier fact that this one may replace; null where there is none, or somebody decided.
alter table fact add column may_replace text;

create index fact_undecided on fact (may_replace)
where may_replace is not null;
