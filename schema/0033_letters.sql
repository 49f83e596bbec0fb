-- Letters that people write in two ways are one in the index: with and without the accents of
-- Greek, the dots of the Russian yo, the vowel signs of Hebrew and Arabic. C++, C# and .NET are
-- words. `memctl.text.splitting.fold` folds a question in the same way.

drop view memory_waiting_words;
drop view memory_words;

-- Words that are indexed of each: the text with letters folded that the tokenizer does not fold;
-- C++ as Cplusplus, C# as Csharp, .NET as dotnet, too; each character of a script that is written
-- without spaces and each pair of neighbours as a word (their order is of no account), and a word
-- for each emoji, in the first 100,000 characters. A text of ASCII has signs alone to spell. Each
-- step reads the one before once: what is read twice is done twice.
create view memory_words as
with spelt as (
    select
        memory_text.kind,
        memory_text.id,
        memory_text.text as raw,
        length(memory_text.text) = length(cast(memory_text.text as blob)) as plain,
        case
            when
                not instr(memory_text.text, '++')
                and (
                    not instr(memory_text.text, '#')
                    or memory_text.text not glob '*[A-Za-z]#*'
                )
                and not instr(memory_text.text, '.net')
                and not instr(memory_text.text, '.NET')
                and not instr(memory_text.text, '.Net')
                then memory_text.text
            else (
                with recursive sharp (letters, body) as (
                    select
                        'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
                        replace(replace(replace(replace(replace(
                            ' ' || memory_text.text,
                            ' .net', ' dotnet net'
                        ), '(.net', '(dotnet net'),
                        '.NET', ' dotnet NET'), '.Net', ' dotnet Net'), '++', 'plusplus ')
                    union all
                    select
                        substr(sharp.letters, 2),
                        case
                            when
                                not instr(sharp.body, substr(sharp.letters, 1, 1) || '#')
                                or sharp.body
                                glob '*[A-Za-z0-9]' || substr(sharp.letters, 1, 1) || '#*'
                                or sharp.body
                                glob '*' || substr(sharp.letters, 1, 1) || '#[A-Za-z]*'
                                then sharp.body
                            else
                                replace(
                                    sharp.body,
                                    substr(sharp.letters, 1, 1) || '#',
                                    substr(sharp.letters, 1, 1) || 'sharp '
                                )
                        end
                    from sharp
                    where sharp.letters <> ''
                )

                select sharp.body
                from sharp
                where sharp.letters = ''
            )
        end as spelt
    from memory_text
),

folded_1 as (
    select
        kind,
        id,
        raw,
        plain,
        spelt,
        replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
            spelt,
            char(65039), ' '
        ), char(127995), ' '), char(127996), ' '), char(127997), ' '), char(127998), ' '),
        char(127999), ' '), char(8203), ''), char(65279), ''), char(173), ''),
        'ł', 'l') as text
    from spelt
),

folded_2 as (
    select
        kind,
        id,
        raw,
        plain,
        spelt,
        replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
            text,
            'Ł', 'l'
        ), 'ø', 'o'), 'Ø', 'o'), 'đ', 'd'), 'Đ', 'd'), 'ð', 'd'), 'Ð', 'd'), 'ħ', 'h'),
        'Ħ', 'h'), 'ŧ', 't') as text
    from folded_1
),

folded_3 as (
    select
        kind,
        id,
        raw,
        plain,
        spelt,
        replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
            text,
            'Ŧ', 't'
        ), 'ı', 'i'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'ß', 'ss'), 'ẞ', 'ss'),
        'þ', 'th'), 'Þ', 'th') as text
    from folded_2
),

folded_4 as (
    select
        kind,
        id,
        raw,
        plain,
        spelt,
        replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
            text,
            'ﬀ', 'ff'
        ), 'ﬁ', 'fi'), 'ﬂ', 'fl'), 'Ё', 'е'), 'ё', 'е'), 'Ά', 'α'), 'Έ', 'ε'), 'Ή', 'η'),
        'Ί', 'ι'), 'Ό', 'ο') as text
    from folded_3
),

folded_5 as (
    select
        kind,
        id,
        raw,
        plain,
        spelt,
        replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
            text,
            'Ύ', 'υ'
        ), 'Ώ', 'ω'), 'ΐ', 'ι'), 'Ϊ', 'ι'), 'Ϋ', 'υ'), 'ά', 'α'), 'έ', 'ε'), 'ή', 'η'),
        'ί', 'ι'), 'ΰ', 'υ') as text
    from folded_4
),

folded_6 as (
    select
        kind,
        id,
        raw,
        plain,
        spelt,
        replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
            text,
            'ϊ', 'ι'
        ), 'ϋ', 'υ'), 'ό', 'ο'), 'ύ', 'υ'), 'ώ', 'ω'), char(1456), ''), char(1457), ''),
        char(1458), ''), char(1459), ''), char(1460), '') as text
    from folded_5
),

folded_7 as (
    select
        kind,
        id,
        raw,
        plain,
        spelt,
        replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
            text,
            char(1461), ''
        ), char(1462), ''), char(1463), ''), char(1464), ''), char(1465), ''),
        char(1466), ''), char(1467), ''), char(1468), ''), char(1469), ''),
        char(1471), '') as text
    from folded_6
),

folded_8 as (
    select
        kind,
        id,
        raw,
        plain,
        spelt,
        replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
            text,
            char(1473), ''
        ), char(1474), ''), char(1479), ''), 'آ', 'ا'), 'أ', 'ا'), 'إ', 'ا'), 'ٱ', 'ا'),
        'ؤ', 'و'), 'ئ', 'ي'), 'ى', 'ي') as text
    from folded_7
),

folded_9 as (
    select
        kind,
        id,
        raw,
        plain,
        spelt,
        replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
            text,
            'ی', 'ي'
        ), 'ک', 'ك'), 'ة', 'ه'), char(1600), ''), char(1611), ''), char(1612), ''),
        char(1613), ''), char(1614), ''), char(1615), ''), char(1616), '') as text
    from folded_8
),

folded_10 as (
    select
        kind,
        id,
        raw,
        plain,
        spelt,
        replace(replace(replace(replace(replace(replace(
            text,
            char(1617), ''
        ), char(1618), ''), char(1619), ''), char(1620), ''), char(1621), ''),
        char(1648), '') as text
    from folded_9
)

select
    said.kind,
    said.id,
    case
        when said.plain then said.spelt
        when said.raw not glob '*[々〇ぁ-ヿㄅ-ㄯㇰ-ㇿ㐀-䶿一-鿿가-힣𠀀-𲎯ก-๛ກ-ໟက-႟ក-៿←-⯿🀀-🫿]*' then said.text
        else (
            with recursive whole (body) as materialized (
                select substr(said.text, 1, 100000)
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

            place (at_char) as (
                select 1
                union all
                select place.at_char + 1
                from place
                where place.at_char < 400
            ),

            part (start, body, places) as materialized (
                select
                    block.start,
                    block.body,
                    case
                        when block.body glob '*[々〇ぁ-ヿㄅ-ㄯㇰ-ㇿ㐀-䶿一-鿿가-힣𠀀-𲎯ก-๛ກ-ໟက-႟ក-៿←-⯿🀀-🫿]*'
                            then length(block.body)
                        else 1
                    end
                from block
            ),

            piece (found) as materialized (
                select
                    case
                        when part.places = 1 then substr(part.body, 1, 400)
                        when substr(part.body, place.at_char, 1) glob '[←-⯿🀀-🫿]'
                            then
                                printf(
                                    ' emoji%x ', unicode(substr(part.body, place.at_char, 1))
                                )
                        when
                            substr(part.body, place.at_char, 1)
                            glob '[々〇ぁ-ヿㄅ-ㄯㇰ-ㇿ㐀-䶿一-鿿가-힣𠀀-𲎯ก-๛ກ-ໟက-႟ក-៿]'
                            then
                                ' '
                                || substr(part.body, place.at_char, 1)
                                || ' '
                                || substr(part.body, place.at_char, 2)
                                || ' '
                        else substr(part.body, place.at_char, 1)
                    end
                from part
                inner join place on part.places >= place.at_char
                order by part.start, place.at_char
            )

            select group_concat(piece.found, '') || substr(said.text, 100001)
            from piece
        )
    end as words
from folded_10 as said;

-- Rows of the waiting ones, as the index is to hold them.
create view memory_waiting_words as
select
    waiting.index_row,
    (
        select memory_words.words
        from memory_words
        where memory_words.kind = waiting.kind and memory_words.id = waiting.id
    ) as words
from memory_waiting as waiting;

-- Rows that the index holds otherwise than a question asks for from now on.
update memory_fts
set
    words = (
        select memory_words.words
        from memory_words
        where
            memory_words.kind
            = case memory_fts.rowid >> 48 when 0 then 'turn' when 1 then 'episode' else 'fact' end
            and memory_words.id = memory_fts.rowid & 281474976710655
    )
where
    length(memory_fts.words) < length(cast(memory_fts.words as blob))
    or instr(memory_fts.words, '++')
    or memory_fts.words glob '*[A-Za-z]#*'
    or memory_fts.words glob '*.[Nn][Ee][Tt]*';

-- The keys of equal facts fold letters as well; the next opening makes them anew.
update fact
set equal_key = null
where length(text) < length(cast(text as blob));
