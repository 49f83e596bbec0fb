-- Which words stand in the index of turns and episodes.

-- name: make_vocabulary
create virtual table if not exists "temp".memctl_vocabulary
using fts5vocab ("main", episode_fts, 'row');

-- name: make_postings
create virtual table if not exists "temp".memctl_postings
using fts5vocab ("main", episode_fts, 'instance');

-- name: pieces
-- The words of a text as the view memory_words in schema/0003_episodic.sql computes them.
select
    case
        when text not glob '*[々〇ぁ-ヿㄅ-ㄯㇰ-ㇿ㐀-䶿一-鿿가-힣𠀀-𲎯ก-๛ກ-ໟက-႟ក-៿]*' then text
        else text || ' ' || (
            with recursive whole (body) as materialized (
                select substr(text, 1, 100000)
            ),

            block (start, body) as (
                select
                    1,
                    substr(whole.body, 1, 401)
                from whole
                union all
                select
                    block.start + 400,
                    substr(whole.body, block.start + 400, 401)
                from block
                inner join whole on block.start + 400 <= length(whole.body)
            ),

            place (body, at_char) as (
                select
                    block.body,
                    1
                from block
                union all
                select
                    place.body,
                    place.at_char + 1
                from place
                where place.at_char < min(400, length(place.body))
            )

            select
                group_concat(
                    substr(place.body, place.at_char, 1)
                    || ' '
                    || substr(place.body, place.at_char, 2),
                    ' '
                )
            from place
            where
                substr(place.body, place.at_char, 1)
                glob '[々〇ぁ-ヿㄅ-ㄯㇰ-ㇿ㐀-䶿一-鿿가-힣𠀀-𲎯ก-๛ກ-ໟက-႟ក-៿]'
        )
    end as words
from (
    select
        replace(
            replace(replace(:text, char(8203), ''), char(65279), ''), char(173), ''
        ) as text
) as asked;

-- name: any_row
select 1
from episode_fts
where episode_fts match :match
order by rowid
limit 1;

-- name: segment_sizes
-- The segments of the word index: how many, the pages of all, and those of the largest.
select
    count(*) as segments,
    coalesce(sum(sizes.pages), 0) as pages,
    coalesce(max(sizes.pages), 0) as largest
from (
    select count(*) as pages
    from episode_fts_idx
    group by segid
) as sizes;

-- name: merge_segments
insert into episode_fts (episode_fts, "rank") values ('merge', :pages);
