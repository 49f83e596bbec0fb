-- How a screen looks, and which parts of it say nothing of it.

-- Mean gray of each 8 x 8 pixel cell at device-pixel ratio 1, row by row, 1 to 255; 0: hidden.
-- Compressed by zlib; null: nobody has seen the whole screen as it stands.
alter table state add column look blob
/* zlib: mean gray of each 8 x 8 px cell, row by row; 0 hidden; null unknown */
check (look is null or length(look) > 0);

-- Areas that are not compared, as JSON: [[x, y, w, h], ...] in pixels at device-pixel ratio 1.
alter table state add column ignored text not null default '[]'
/* areas that are not compared: [[x, y, w, h], ...] */
check (json_valid(ignored));
