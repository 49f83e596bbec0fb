-- A fact holds from its valid_from until its valid_to, both of which may be still to come. What was
-- written or changed under a clock that is ahead holds, or has ended, all the same.

drop view fact_current;

-- What holds now: the newest first. What another replaces from a later day on is among them until
-- then. A category's expiry spares what is pinned or immutable.
create view fact_current as
select
    id,
    text,
    category,
    importance,
    subject,
    attribute,
    value,
    confidence,
    source,
    pinned,
    immutable,
    valid_from,
    expires_at,
    user_id,
    agent_id,
    session_id,
    cast(julianday('now') - julianday(created_at) as integer) as age_days
from fact
where
    status in ('active', 'superseded')
    and archived_at is null
    and valid_from <= max(strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), created_at)
    and (
        valid_to is null
        or valid_to > max(strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), updated_at, valid_from)
    )
    and (
        expires_at is null
        or expires_at > strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
        or (expires_by = 'category' and (pinned = 1 or immutable = 1))
    )
order by updated_at desc, number desc;

-- The next write reads all facts anew: more forms of sentences claim something, the date that a
-- fact opens with is no part of what it says any more, and an i is one with or without its dot.
update fact
set
    equal_key = null,
    claim_key = '';

-- One property under several names.
update fact
set
    attribute_key = case attribute_key
        when 'time zone' then 'timezone'
        when 'phone number' then 'phone'
        when 'telephone' then 'phone'
        when 'telephone number' then 'phone'
        else 'email'
    end
where
    attribute_key in (
        'time zone', 'phone number', 'telephone', 'telephone number', 'e-mail',
        'email address', 'e-mail address', 'mail address'
    );
