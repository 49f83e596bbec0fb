-- Letters that people write in two ways are one in the index: with and without the accents of
-- Greek, the dots of the Russian yo, the vowel signs of Hebrew and Arabic. C++, C# and .NET are
-- words. `memctl.text.splitting.fold` folds a question in the same way.

drop view memory_waiting_words;
drop view memory_words;

-- Words that are indexed of each: the text with letters folded that the tokenizer does not fold;
-- C++ as Cplusplus, C# as Csharp, .NET as dotnet, too; each character of a script that is written
-- without spaces and each pair of neighbours as a word (their order is of no account), and a word
-- for each emoji, in the first 100,000 characters. A text of ASCII without such signs is indexed as
-- it is. Each step stands here once: what is written twice is compiled into each trigger twice.
create view memory_words as
select
    said.kind,
    said.id,
    case
        when
            length(said.text) = length(cast(said.text as blob))
            and not instr(said.text, '++')
            and not instr(said.text, '.net')
            and not instr(said.text, '.NET')
            and not instr(said.text, '.Net')
            and (not instr(said.text, '#') or said.text not glob '*[A-Za-z]#*')
            then said.text
        else (
            with recursive sharp (letters, body) as (
                select
                    iif(
                        said.text glob '*[A-Za-z]#*',
                        'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
                        ''
                    ),
                    replace(replace(replace(replace(replace(
                        ' ' || said.text,
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
                            or sharp.body glob '*' || substr(sharp.letters, 1, 1) || '#[A-Za-z]*'
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
            ),

            signed (body) as materialized (
                select sharp.body
                from sharp
                where sharp.letters = ''
            ),

            letters_1 (body) as (
                select
                    replace(replace(replace(replace(replace(replace(replace(replace(replace(
                        replace(
                            signed.body,
                            char(65039), ' '
                        ), char(127995), ' '
                    ), char(127996), ' '), char(127997), ' '),
                    char(127998), ' '), char(127999), ' '), char(8203), ''), char(65279), ''),
                    char(173), ''), 'ł', 'l') as body
                from signed
            ),

            letters_2 (body) as (
                select
                    replace(replace(replace(replace(replace(replace(replace(replace(replace(
                        replace(
                            letters_1.body,
                            'Ł', 'l'
                        ), 'ø', 'o'
                    ), 'Ø', 'o'), 'đ', 'd'), 'Đ', 'd'), 'ð', 'd'), 'Ð', 'd'),
                    'ħ', 'h'), 'Ħ', 'h'), 'ŧ', 't') as body
                from letters_1
            ),

            letters_3 (body) as (
                select
                    replace(replace(replace(replace(replace(replace(replace(replace(replace(
                        replace(
                            letters_2.body,
                            'Ŧ', 't'
                        ), 'ı', 'i'
                    ), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'ß', 'ss'),
                    'ẞ', 'ss'), 'þ', 'th'), 'Þ', 'th') as body
                from letters_2
            ),

            letters_4 (body) as (
                select
                    replace(replace(replace(replace(replace(replace(replace(replace(replace(
                        replace(
                            letters_3.body,
                            'ﬀ', 'ff'
                        ), 'ﬁ', 'fi'
                    ), 'ﬂ', 'fl'), 'Ё', 'е'), 'ё', 'е'), 'Ά', 'α'), 'Έ', 'ε'),
                    'Ή', 'η'), 'Ί', 'ι'), 'Ό', 'ο') as body
                from letters_3
            ),

            letters_5 (body) as (
                select
                    replace(replace(replace(replace(replace(replace(replace(replace(replace(
                        replace(
                            letters_4.body,
                            'Ύ', 'υ'
                        ), 'Ώ', 'ω'
                    ), 'ΐ', 'ι'), 'Ϊ', 'ι'), 'Ϋ', 'υ'), 'ά', 'α'), 'έ', 'ε'),
                    'ή', 'η'), 'ί', 'ι'), 'ΰ', 'υ') as body
                from letters_4
            ),

            letters_6 (body) as (
                select
                    replace(replace(replace(replace(replace(replace(replace(replace(replace(
                        replace(
                            letters_5.body,
                            'ϊ', 'ι'
                        ), 'ϋ', 'υ'
                    ), 'ό', 'ο'), 'ύ', 'υ'), 'ώ', 'ω'), char(1456), ''),
                    char(1457), ''), char(1458), ''), char(1459), ''), char(1460), '') as body
                from letters_5
            ),

            letters_7 (body) as (
                select
                    replace(replace(replace(replace(replace(replace(replace(replace(replace(
                        replace(
                            letters_6.body,
                            char(1461), ''
                        ), char(1462), ''
                    ), char(1463), ''), char(1464), ''), char(1465), ''),
                    char(1466), ''), char(1467), ''), char(1468), ''), char(1469), ''),
                    char(1471), '') as body
                from letters_6
            ),

            letters_8 (body) as (
                select
                    replace(replace(replace(replace(replace(replace(replace(replace(replace(
                        replace(
                            letters_7.body,
                            char(1473), ''
                        ), char(1474), ''
                    ), char(1479), ''), 'آ', 'ا'), 'أ', 'ا'), 'إ', 'ا'),
                    'ٱ', 'ا'), 'ؤ', 'و'), 'ئ', 'ي'), 'ى', 'ي') as body
                from letters_7
            ),

            letters_9 (body) as (
                select
                    replace(replace(replace(replace(replace(replace(replace(replace(replace(
                        replace(
                            letters_8.body,
                            'ی', 'ي'
                        ), 'ک', 'ك'
                    ), 'ة', 'ه'), char(1600), ''), char(1611), ''), char(1612), ''),
                    char(1613), ''), char(1614), ''), char(1615), ''), char(1616), '') as body
                from letters_8
            ),

            letters_10 (body) as (
                select
                    replace(replace(replace(replace(replace(replace(
                        letters_9.body,
                        char(1617), ''
                    ), char(1618), ''), char(1619), ''), char(1620), ''), char(1621), ''),
                    char(1648), '') as body
                from letters_9
            ),

            folded (body) as materialized (
                select letters_10.body
                from letters_10
            )

            select
                case
                    when
                        said.text not glob '*[々〇ぁ-ヿㄅ-ㄯㇰ-ㇿ㐀-䶿一-鿿가-힣𠀀-𲎯ก-๛ກ-ໟက-႟ក-៿←-⯿🀀-🫿]*'
                        then folded.body
                    else (
                        with recursive whole (body) as materialized (
                            select substr(folded.body, 1, 100000)
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
                                    when
                                        block.body
                                        glob '*[々〇ぁ-ヿㄅ-ㄯㇰ-ㇿ㐀-䶿一-鿿가-힣𠀀-𲎯ก-๛ກ-ໟက-႟ក-៿←-⯿🀀-🫿]*'
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
                                                ' emoji%x ',
                                                unicode(substr(part.body, place.at_char, 1))
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

                        select group_concat(piece.found, '') || substr(folded.body, 100001)
                        from piece
                    )
                end
            from folded
        )
    end as words
from memory_text as said;

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
