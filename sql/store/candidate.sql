-- Candidates: statements that may become facts, what they rest on and what speaks for them.

-- name: add
insert into main.candidate (
    text, equal_key, speaker, category, keep_score, standing_order, boot_overlap, tags,
    first_said_at, last_said_at, status, why, user_id, agent_id, project
)
values (
    :text, :equal_key, :speaker, :category, :keep_score, :standing_order, :boot_overlap, :tags,
    :said_at, :said_at, 'staged', :why, :user_id, :agent_id, :project
);

-- name: say_again
-- A statement was said once more: its best words and the first and last time count.
update main.candidate
set
    keep_score = max(keep_score, :keep_score),
    standing_order = max(standing_order, :standing_order),
    category = coalesce(category, :category),
    first_said_at = min(first_said_at, :said_at),
    last_said_at = max(last_said_at, :said_at),
    due = 1
where id = :id;

-- name: equal
select *
from candidate
where
    equal_key = :equal_key
    and user_id = :user_id
    and agent_id = :agent_id
    and project = :project
    and status <> 'merged';

-- name: add_word
insert or ignore into candidate_word (word, candidate_id)
values (:word, :id);

-- name: add_near
-- A pair, from either side.
insert or ignore into candidate_near (candidate_id, other_id, relation)
values (:id, :other, :relation), (:other, :id, :relation);

-- name: rivals_of
-- Candidates that say otherwise than another one.
select
    candidate.id,
    candidate.text
from candidate_near
inner join candidate on candidate_near.other_id = candidate.id
where candidate_near.candidate_id = :id and candidate_near.relation = 'rival';

-- name: link_turns
-- A turn says otherwise than the earlier turns of a candidate.
insert or ignore into turn_change (new_id, old_id, kind, score, said, why)
select
    :turn as new_id,
    candidate_source.log_id,
    :kind as kind,
    :score as score,
    '' as said,
    :why as why
from candidate_source
where candidate_source.candidate_id = :rival and candidate_source.log_id < :turn;

-- name: word_counts
-- In how many candidates each word stands; from :most on a word is common, and no more are counted.
select
    word.value as word,
    (
        select count(*)
        from (
            select 1
            from candidate_word
            where candidate_word.word = word.value
            order by candidate_word.candidate_id
            limit :most
        ) as counted
    ) as count
from json_each(:words) as word;

-- name: newest_with
-- The newest candidates that hold a word.
select candidate_word.candidate_id
from candidate_word
inner join candidate on candidate_word.candidate_id = candidate.id
where
    candidate_word.word = :word
    and candidate.user_id = :user_id
    and candidate.agent_id = :agent_id
    and candidate.project = :project
    and candidate.status <> 'merged'
order by candidate_word.candidate_id desc
limit :most;

-- name: several
-- Candidates by their ids, with their words as a JSON array.
select
    candidate.*,
    (
        select json_group_array(candidate_word.word)
        from candidate_word
        where candidate_word.candidate_id = candidate.id
    ) as words
from candidate
where candidate.id in (select asked_for.value from json_each(:ids) as asked_for);

-- name: size
-- Nearly how many candidates there are: counting them would cost more with each.
select coalesce(max(id), 0)
from candidate;

-- name: one
select *
from candidate
where id = :id;

-- name: of_fact
select *
from candidate
where fact_id = :fact;

-- name: add_source
insert or ignore into candidate_source (candidate_id, log_id, start_at, end_at)
values (:id, :turn, :start, :end);

-- name: sources
-- The turns that a candidate rests on, in the order in which they were said.
select
    candidate_source.log_id,
    candidate_source.start_at,
    candidate_source.end_at,
    log.session,
    log.speaker,
    log.logged_at,
    log.utc_offset,
    substr(
        log.text,
        candidate_source.start_at + 1,
        candidate_source.end_at - candidate_source.start_at
    ) as said
from candidate_source
inner join log on candidate_source.log_id = log.id
where candidate_source.candidate_id = :id
order by log.logged_at, log.id, candidate_source.start_at;

-- name: of_turn
-- The candidates that rest on a turn.
select distinct candidate_id
from candidate_source
where log_id = :turn;

-- name: add_signal
insert or ignore into dream_signal (
    candidate_id, kind, day, question_key, rank, score, cover, heard_at, source
)
values (:id, :kind, :day, :query, :rank, :score, :cover, :at, :source);

-- name: signals
-- What speaks for some candidates and for their kin that waits, by time.
with speaks (candidate_id, speaker_id) as (
    select
        asked_for.value as candidate_id,
        asked_for.value as speaker_id
    from json_each(:ids) as asked_for
    union all
    select
        candidate_near.candidate_id,
        candidate_near.other_id
    from json_each(:ids) as asked_for
    inner join candidate_near on asked_for.value = candidate_near.candidate_id
    inner join candidate on candidate_near.other_id = candidate.id
    where candidate_near.relation = 'kin' and candidate.status = 'staged'
)

select
    speaks.candidate_id,
    dream_signal.kind,
    dream_signal.day,
    dream_signal.question_key,
    dream_signal.rank,
    dream_signal.score,
    dream_signal.cover,
    dream_signal.heard_at,
    dream_signal.source
from speaks
inner join dream_signal on speaks.speaker_id = dream_signal.candidate_id
order by speaks.candidate_id, dream_signal.heard_at, dream_signal.id;

-- name: rival_since
-- The last candidate that tells of the same thing as one of these, and was said after it: of kin
-- and rivals, what was said last holds.
select
    candidate_near.candidate_id,
    rival.text,
    max(rival.last_said_at) as said_at
from json_each(:ids) as asked_for
inner join candidate on asked_for.value = candidate.id
inner join candidate_near on candidate.id = candidate_near.candidate_id
inner join candidate as rival on candidate_near.other_id = rival.id
where
    rival.status in ('staged', 'promoted')
    and rival.last_said_at > candidate.last_said_at
group by candidate_near.candidate_id;

-- name: known_by_kin
-- Candidates of which a fact says the same in other words: one that holds, waits, or that a person
-- forgot.
select distinct candidate_near.candidate_id
from json_each(:ids) as asked_for
inner join candidate_near on asked_for.value = candidate_near.candidate_id
inner join candidate as kin on candidate_near.other_id = kin.id
inner join fact on kin.fact_id = fact.id
where
    candidate_near.relation = 'kin'
    and kin.status = 'promoted'
    and fact.status in ('active', 'pending', 'forgotten');

-- name: staged
-- Candidates that wait: those said since a moment, and those that something new speaks for.
select *
from candidate
where status = 'staged' and last_said_at >= :since
union
select *
from candidate
where status = 'staged' and due = 1
order by id;

-- name: make_due
-- A candidate for which something new speaks, and its kin.
update main.candidate
set due = 1
where
    id = :id
    or id in (
        select candidate_near.other_id
        from candidate_near
        where candidate_near.candidate_id = :id and candidate_near.relation = 'kin'
    );

-- name: judged
update main.candidate
set due = 0
where
    due = 1
    and id in (select asked_for.value from json_each(:ids) as asked_for);

-- name: touched
-- Of those, the ones of which something was heard since a phase last took them up. A moment in the
-- future, which a clock that went back leaves behind, counts as past.
select *
from candidate
where
    status = 'staged'
    and last_said_at >= :since
    and (
        (:phase = 'light' and due = 1 and (light_at is null or light_at <> :now))
        or (:phase = 'rem' and (light_at > coalesce(rem_seen_at, '') or rem_seen_at > :now))
    )
order by id;

-- name: take_up_light
update main.candidate
set light_hits = light_hits + 1, light_at = :now
where id = :id;

-- name: take_up_rem
update main.candidate
set rem_hits = rem_hits + 1, rem_at = :now
where id = :id;

-- name: seen_by_rem
update main.candidate
set rem_seen_at = :now, light_at = min(light_at, :now)
where id = :id;

-- name: merge
update main.candidate
set status = 'merged', merged_into = :into, why = :why
where id = :id;

-- name: hand_on_sources
insert or ignore into candidate_source (candidate_id, log_id, start_at, end_at)
select
    :into as candidate_id,
    log_id,
    start_at,
    end_at
from candidate_source
where candidate_id = :id;

-- name: hand_on_signals
insert or ignore into dream_signal (
    candidate_id, kind, day, question_key, rank, score, cover, heard_at, source
)
select
    :into as candidate_id,
    kind,
    day,
    question_key,
    rank,
    score,
    cover,
    heard_at,
    source
from dream_signal
where candidate_id = :id;

-- name: drop_it
update main.candidate
set status = 'dropped', why = :why, due = 0
where id = :id;

-- name: promote
update main.candidate
set status = 'promoted', fact_id = :fact, due = 0
where id = :id;

-- name: add_promotion
insert into promotion (
    run_id, candidate_id, fact_id, event, score, parts, lane, promoted_at
)
values (:run, :id, :fact, :event, :score, :parts, :lane, :now);

-- name: listed
-- Candidates of a status, what was said last first.
select *
from candidate
where status = :status
order by last_said_at desc, id desc;

-- name: counts
-- How many candidates there are of each status.
select
    status,
    count(*) as count
from candidate
group by status;

-- name: mark
select upto
from dream_mark
where name = :name;

-- name: set_mark
insert into dream_mark (name, upto)
values (:name, :upto)
on conflict (name) do update set upto = excluded.upto;

-- name: recalls_since
-- Turns and facts that recalls brought up, behind the one that was read last: the first few ranks.
select
    recall.id,
    recall.asked_at,
    recall.question,
    recall_hit.rank,
    recall_hit.kind,
    recall_hit.item_id,
    recall_hit.score
from recall
inner join recall_hit on recall.id = recall_hit.recall_id
where
    recall.id > :upto
    and recall.forgotten_at is null
    and recall_hit.kind in ('turn', 'fact')
    and recall_hit.rank <= :most
order by recall.id, recall_hit.rank;

-- name: last_recall
select coalesce(max(id), 0)
from recall;

-- name: helped
-- Turns and facts that somebody said helped, since a moment.
select
    recall_hit.recall_id,
    recall.question,
    recall_hit.rank,
    recall_hit.kind,
    recall_hit.item_id,
    recall_hit.used_at
from recall_hit
inner join recall on recall_hit.recall_id = recall.id
where recall_hit.used_at >= :since and recall_hit.kind in ('turn', 'fact')
order by recall_hit.recall_id, recall_hit.rank;

-- name: of_fact_number
select candidate.id
from candidate
inner join fact on candidate.fact_id = fact.id
where fact.number = :number;

-- name: unread_sessions
-- Threads with turns that no run has read, but those whose reading failed and is not due again.
-- No failure lets a thread wait beyond :latest, but a clock that went back.
select
    log.session,
    count(*) as turns
from log
where
    log.processed_at is null
    and log.archived_at is null
    and log.session not in (
        select dream_failure.session
        from dream_failure
        where dream_failure.next_at > :now and dream_failure.next_at <= :latest
    )
group by log.session
order by min(log.id);

-- name: read_again
update main.log
set processed_at = null
where session = :session and archived_at is null;

-- name: openings_like
-- In how many other threads of those weeks the very same words open: a schedule speaks.
select count(distinct opening.session)
from log as opening
where
    substr(opening.text, 1, 80) = substr(:text, 1, 80)
    and opening.text = :text
    and opening.seq = 1
    and opening.logged_at between :since and :until
    and opening.session <> :session;

-- name: boot_texts
-- What stands in the system's turns of a thread.
select text
from log
where session = :session and role = 'system';

-- name: facts_of_turns
-- Facts that were made of turns, whatever has become of them.
select
    source,
    text
from fact
where source in (select wanted.value from json_each(:sources) as wanted);

-- name: fail
insert into dream_failure (session, attempts, error, next_at)
values (:session, 1, :error, :next_at)
on conflict (session) do update
set attempts = attempts + 1, error = excluded.error, next_at = excluded.next_at;

-- name: attempts
select attempts
from dream_failure
where session = :session;

-- name: forget_failure
delete from dream_failure
where session = :session;

-- name: failures
-- Those of threads within reach.
select *
from dream_failure
where session in (select log.session from log)
order by session;

-- name: promoted_at
select max(promoted_at)
from promotion
where candidate_id = :id;

-- name: fact_count
select count(*)
from fact
where status = 'active' and archived_at is null;

-- name: note_days
-- Days whose notes are not put away.
select count(distinct session)
from log
where archived_at is null and session glob '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]';
