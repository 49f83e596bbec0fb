-- name: rows_per_day
select
    substr(born, 1, 10) as day, entity as "table", count(*) as rows,
    cast(round(
        weight.bytes * (sum(says) * 1.0 / (
            select sum(says) from written as every where every.entity = written.entity
        ))
    ) as integer) as bytes
from written inner join weight using (entity), asked
where born >= since and born < until
group by entity, substr(born, 1, 10);

-- name: totals
with span as (
    select
        iif(
            since > '0001-01-01T00:00:00Z',
            strftime('%s', min(until, now)) - strftime('%s', since),
            max(
                strftime('%s', min(until, now))
                - strftime('%s', (select substr(min(born), 1, 10) from written)),
                86400
            )
        ) / 86400.0 as days
    from asked
),

whole as (select page_count * page_size as bytes from pragma_page_count, pragma_page_size)

select
    entity as "table", count(*) as rows, weight.bytes, weight.bytes * 1.0 / whole.bytes as share,
    substr(min(born), 1, 10) as first_on, substr(max(born), 1, 10) as last_on,
    sum(born >= since and born < until) as written,
    sum(born >= since and born < until) / days as rows_a_day,
    cast(round(
        weight.bytes * sum(iif(born >= since and born < until, says, 0)) * 1.0 / sum(says) / days
    ) as integer) as bytes_a_day
from written inner join weight using (entity), asked, span, whole
group by entity
union all
select
    'free pages', null, freelist_count * page_size, freelist_count * page_size * 1.0 / bytes,
    null, null, null, null, null
from pragma_freelist_count, pragma_page_size, whole
union all
select
    'other tables', null, sum(weight.bytes), sum(weight.bytes) * 1.0 / whole.bytes,
    null, null, null, null, null
from weight, whole
where entity is null or entity not in (select entity from written);
