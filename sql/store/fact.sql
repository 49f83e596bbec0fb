-- name: insert_fact
-- '' stands for null: to bind a null costs Python's sqlite3 as much as ten texts.
insert into fact (
    id, text, subject, attribute, value, category, importance, confidence, source,
    user_id, agent_id, project, session_id, metadata, status, status_why, immutable,
    valid_from, valid_to, expires_at, expires_by, superseded_by, conflicts_with,
    created_at,
    updated_at,
    equal_key,
    subject_key,
    attribute_key,
    folded,
    about
)
values (
    :id, :text, nullif(:subject, ''), nullif(:attribute, ''), nullif(:value, ''),
    nullif(:category, ''), :importance, :confidence, :source,
    :user_id, :agent_id, :project, :session_id, :metadata, :status, :status_why, :immutable,
    :valid_from, nullif(:valid_to, ''), nullif(:expires_at, ''), nullif(:expires_by, ''),
    nullif(:superseded_by, ''), nullif(:conflicts_with, ''),
    :now, :now, :equal_key, nullif(:subject_key, ''), nullif(:attribute_key, ''),
    nullif(:folded, ''), nullif(:about, '')
);

-- name: record_change
insert into fact_history (fact_id, event, old_text, new_text, changed_at, actor, why)
values (
    :fact_id, :event, nullif(:old_text, ''), nullif(:new_text, ''), :now, :actor, :why
);

-- name: outlook
-- Before facts are written: whether there are facts that memctl has not derived anything from yet,
-- which of their keys any row, whoever's, has already, and what makes an id this store's own.
select
    exists(
        select 1 from fact
        where fact.equal_key is null
    ) as underived,
    (
        select json_group_array(asked.value)
        from json_each(:keys) as asked
        where exists (
            select 1 from fact
            where fact.equal_key = asked.value
        )
    ) as known,
    (
        select json_group_array(json(asked.value))
        from json_each(:slots) as asked
        where exists (
            select 1 from fact
            where
                fact.subject_key = asked.value ->> 0
                and fact.attribute_key = asked.value ->> 1
        )
    ) as filled,
    store.address || ' ' || store.created_at as store_key
from store
where store.id = 1;

-- name: next_number
select coalesce(max(fact.number), 0) + 1 from fact;

-- name: underived
-- Facts that were typed or edited by hand since memctl last looked.
select
    number,
    text,
    subject,
    attribute
from fact
where equal_key is null;

-- name: derive
update fact
set
    equal_key = :equal_key,
    subject_key = :subject_key,
    attribute_key = :attribute_key,
    folded = :folded
where number = :number;

-- name: related
-- The rows of one owner that a text may repeat or replace, in one look: those that say the same,
-- with or without a reason, and those about the same property. Of a session, what is long-term is
-- looked at too; of what is long-term, the open session's own. What was replaced, or forgotten
-- without being declined, counts no more.
select fact.*
from fact
where
    (
        fact.equal_key in (:equal_key, :bare_key)
        or (fact.subject_key = :subject_key and fact.attribute_key = :attribute_key)
    )
    and fact.session_id in ('', :session_id, :open_session)
    and :fact_of_owner
    and (
        fact.status in ('active', 'pending')
        or (fact.status = 'forgotten' and fact.status_why like 'rejected%')
    )
order by fact.valid_from desc, fact.number desc;

-- name: timeline
-- What holds, held or will hold of one property of one thing: the rows of one owner among which
-- late news takes its place.
select fact.*
from fact
where
    fact.subject_key = :subject_key
    and fact.attribute_key = :attribute_key
    and fact.status in ('active', 'superseded')
    and :fact_of_owner
    and fact.session_id = :session_id;

-- name: not_held
-- Of one owner, the rows with the same words that wait for a person, or that one declined.
select *
from fact
where
    equal_key = :equal_key
    and session_id = :session_id
    and :fact_of_owner
    and (status = 'pending' or (status = 'forgotten' and status_why like 'rejected%'))
order by status desc, number desc;

-- name: active
-- Whether a row holds.
select count(*)
from fact
where id = :id and status = 'active';

-- name: wait_for
-- A waiting fact will replace another when it is approved, as its caller said.
update fact
set
    conflicts_with = :other,
    status_why = 'replaces ' || :other || '; ' || status_why
where id = :id and status = 'pending' and conflicts_with is not :other;

-- name: slot
-- What holds, held or will hold in a slot of one owner.
select fact.*
from fact
where
    fact.about = :about
    and fact.status in ('active', 'superseded')
    and :fact_of_owner
    and fact.session_id = :session_id;

-- name: slots
select id
from fact_slot_current;

-- name: set_may_replace
-- Which older fact another may replace; null where somebody decided.
update fact
set may_replace = :older
where id = :id;

-- name: newest_of
-- The newest facts of one owner that hold: what a text may be about that repeats no word of it.
select
    id,
    text
from fact
where
    status = 'active'
    and session_id = :session_id
    and :fact_of_owner
order by number desc
limit :most;

-- name: forget_pairs
-- A fact says something else, or is gone: whom it may replace, or who may replace it, is open no
-- more.
update fact
set may_replace = null
where id = :id or may_replace = :id;

-- name: undecided
-- Facts that hold, with the older ones that hold too and that they may replace.
select
    newer.id as newer_id,
    older.id as older_id
from fact as newer
inner join fact as older on newer.may_replace = older.id
where newer.status = 'active' and older.status = 'active'
order by newer.number desc;

-- name: support
-- Another source that says the same.
insert into fact_support (fact_id, source, supported_at)
values (:fact_id, :source, :now)
on conflict do nothing;

-- name: set_status
update fact
set
    status = :status,
    status_why = :status_why,
    valid_to = :valid_to,
    superseded_by = :superseded_by,
    updated_at = :now,
    revision = revision + 1
where id = :id;

-- name: activate
-- A waiting, declined or forgotten fact holds; one that never did begins to now.
update fact
set
    status = 'active',
    status_why = '',
    conflicts_with = null,
    superseded_by = null,
    valid_to = null,
    valid_from = case
        when status = 'pending' or status_why like 'rejected%' then max(valid_from, :valid_from)
        else valid_from
    end,
    confidence = :confidence,
    archived_at = null,
    updated_at = :now,
    revision = revision + 1
where id = :id;

-- name: renew
-- A known fact that had expired or was archived is known again.
update fact
set
    expires_at = :expires_at,
    expires_by = :expires_by,
    archived_at = null,
    updated_at = :now,
    revision = revision + 1
where id = :id;

-- name: hold_since
-- A fact began to hold at another moment than was known.
update fact
set
    valid_from = :valid_from,
    updated_at = :now,
    revision = revision + 1
where id = :id;

-- name: keep_period
-- What a fact said until it expired or was stated again, as a row of its own, for questions as of
-- then.
insert into fact (
    id, text, subject, attribute, value, category, importance, confidence, source,
    user_id, agent_id, project, session_id, metadata, status, status_why, immutable,
    valid_from, valid_to, expires_at, expires_by, superseded_by,
    created_at,
    updated_at,
    equal_key,
    subject_key,
    attribute_key,
    folded,
    about
)
select
    :kept as id,
    text,
    subject,
    attribute,
    value,
    category,
    importance,
    confidence,
    source,
    user_id,
    agent_id,
    project,
    session_id,
    metadata,
    'superseded' as status,
    :why as status_why,
    immutable,
    valid_from,
    :valid_to as valid_to,
    expires_at,
    expires_by,
    id as superseded_by,
    created_at,
    :now as updated_at,
    equal_key,
    subject_key,
    attribute_key,
    folded,
    about
from fact
where id = :id;

-- name: redate
-- The same fact of a later date.
update fact
set
    text = :text,
    folded = :folded,
    expires_at = :expires_at,
    expires_by = :expires_by,
    archived_at = null,
    updated_at = :now,
    revision = revision + 1
where id = :id;

-- name: rewrite
-- '' stands for null, as in insert_fact.
update fact
set
    text = :text,
    subject = nullif(:subject, ''),
    attribute = nullif(:attribute, ''),
    value = nullif(:value, ''),
    equal_key = :equal_key,
    subject_key = nullif(:subject_key, ''),
    attribute_key = nullif(:attribute_key, ''),
    folded = nullif(:folded, ''),
    category = :category,
    importance = :importance,
    immutable = :immutable,
    metadata = :metadata,
    source = :source,
    about = nullif(:about, ''),
    expires_at = :expires_at,
    expires_by = :expires_by,
    valid_from = :valid_from,
    updated_at = :now,
    revision = revision + 1
where id = :id;

-- name: pin
update fact
set
    pinned = :pinned,
    updated_at = :now,
    revision = revision + 1
where id = :id;

-- name: history
-- Every change of one fact, oldest first.
select
    fact_id,
    event,
    old_text,
    new_text,
    changed_at,
    actor,
    why
from fact_history
where fact_id = :fact_id
order by id;

-- name: to_erase
select *
from fact
where id = :id;

-- name: erase
-- The row and its words; its history is emptied by erase_history.
delete from fact
where id = :id;

-- name: erase_history
update fact_history
set
    old_text = null,
    new_text = null,
    actor = '',
    why = ''
where fact_id = :fact_id;

-- name: erase_from_history
-- The text of an erased version, in the history of the fact that it was of, or that replaced it.
update fact_history
set
    old_text = nullif(old_text, :text),
    new_text = nullif(new_text, :text)
where
    :text in (old_text, new_text)
    and fact_id in (:fact_id, :superseded_by)
    and not exists (
        select 1
        from fact
        where fact.id = fact_history.fact_id and fact.text = :text
    );

-- name: erase_by_hand
-- What the deletion itself wrote into the history: memctl writes its own row.
delete from fact_history
where fact_id = :fact_id and event = 'DELETE' and actor = 'sqlite3' and id = (
    select max(last.id)
    from fact_history as last
    where last.fact_id = :fact_id
);

-- name: versions
-- The superseded rows that ended in a fact, so that erasing it erases them too.
with recursive older (id) as (
    select fact.id
    from fact
    where fact.superseded_by = :id
    union
    select fact.id
    from fact
    inner join older on fact.superseded_by = older.id
)

select older.id
from older;

-- name: last_change
select coalesce(max(id), 0)
from fact_history;

-- name: ended_since
-- Facts that were replaced, changed or forgotten since a line of the history: their words before,
-- and those of what holds instead.
select
    fact_history.fact_id,
    fact_history.event,
    fact_history.old_text,
    coalesce(
        nullif(fact_history.new_text, ''),
        (
            select successor.text
            from fact as successor
            where successor.id = fact.superseded_by
        ),
        ''
    ) as new_text,
    fact.subject,
    fact.attribute,
    fact.value,
    fact.superseded_by,
    fact.user_id,
    fact.agent_id,
    fact.project
from fact_history
inner join fact on fact_history.fact_id = fact.id
where
    fact_history.id > :since
    and fact_history.event in ('SUPERSEDE', 'UPDATE', 'DELETE')
    and fact_history.old_text is not null
order by fact_history.id;

-- name: ended_by
-- Facts that some others have replaced: their words, and those of what holds instead.
select
    fact.id as fact_id,
    fact.text as old_text,
    successor.text as new_text,
    fact.subject,
    fact.attribute,
    fact.value,
    fact.superseded_by,
    fact.user_id,
    fact.agent_id,
    fact.project
from fact
inner join fact as successor on fact.superseded_by = successor.id
where
    fact.superseded_by in (select asked_for.value from json_each(:ids) as asked_for)
order by fact.number;

-- name: raise_doubt
update fact
set doubt = :why, doubted_by = :by, updated_at = :now, revision = revision + 1
where id = :id and status = 'active' and doubt is not :why;

-- name: settle_doubt
update fact
set doubt = null, doubted_by = null, updated_at = :now, revision = revision + 1
where id = :id and doubt is not null;

-- name: doubtful
-- Facts that hold and are to be checked, the newest first.
select id
from fact
where doubted_by is not null and status = 'active' and archived_at is null
order by number desc;
