-- Facts that rest on one that changed: to be checked, never retired for it.

-- Why a fact is to be checked; null: nothing it rests on has changed, or somebody has settled it.
alter table fact add column doubt text;

-- What raised the doubt: the id of a fact that changed, or a turn ("turn:12").
alter table fact add column doubted_by text;

create index fact_doubtful on fact (doubted_by)
where doubted_by is not null;

-- What somebody erases, leaves the candidates and the record of what runs changed, too.
create trigger candidate_unfounded after delete on candidate_source
when
    not exists (
        select 1 from candidate_source
        where candidate_source.candidate_id = old.candidate_id
    )
begin
    delete from candidate
    where id = old.candidate_id;
end;

create trigger candidate_deleted after delete on candidate begin
    delete from dream_change
    where
        (relation = 'candidate' and row_key = json_array(old.id))
        or (relation = 'candidate_word' and json_extract(row_key, '$[1]') = old.id);
end;

create trigger dreamt_fact_deleted after delete on fact begin
    delete from dream_change
    where
        (relation = 'fact' and row_key = json_array(old.number))
        or (
            relation = 'fact_history'
            and (
                json_extract(new_values, '$.fact_id') = old.id
                or json_extract(old_values, '$.fact_id') = old.id
            )
        );
end;

create trigger dreamt_episode_deleted after delete on episode begin
    delete from dream_change
    where relation = 'episode' and row_key = json_array(old.id);
end;

create trigger dreamt_name_deleted after delete on participant begin
    delete from dream_change
    where relation = 'participant' and row_key = json_array(old.name);
end;
