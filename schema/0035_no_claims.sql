-- Claims of sentences are read no more: what a fact does to another, the two texts tell. A fact
-- whose keys are not derived yet has none.

drop index fact_claim;
drop index fact_ended;
drop trigger fact_edit;

-- memctl raises `revision` with every change and writes the history itself; a change that
-- leaves it is an edit by hand.
create trigger fact_edit after update of text, subject, attribute, value on fact
when
    new.revision = old.revision and (
        new.text is not old.text or new.subject is not old.subject
        or new.attribute is not old.attribute or new.value is not old.value
    )
begin
    update fact
    set
        equal_key = null, subject_key = null, attribute_key = null,
        folded = null, updated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    where number = new.number;
    insert into fact_history (fact_id, event, old_text, new_text, changed_at, actor)
    values (
        new.id, 'UPDATE', old.text, new.text, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'sqlite3'
    );
end;

alter table fact drop column claim_key;
alter table fact drop column ended_key;
