-- Which day it was for whoever said it: moments are kept in UTC, days are the user's.

-- Minutes that the clock was ahead of UTC where it was said; null: nobody knows.
-- The day: date(logged_at, coalesce(utc_offset, 0) || ' minutes').
alter table log add column utc_offset integer
/* minutes ahead of UTC; day: date(logged_at, coalesce(utc_offset, 0) || ' minutes') */
check (utc_offset between -1439 and 1439);

-- Minutes that the clock was ahead of UTC where it happened; null: nobody knows.
-- The day: date(happened_at, coalesce(utc_offset, 0) || ' minutes').
alter table episode add column utc_offset integer
/* minutes ahead of UTC; day: date(happened_at, coalesce(utc_offset, 0) || ' minutes') */
check (utc_offset between -1439 and 1439);
