-- Recalls are not replayed any more: what an answer depended on is not kept.

alter table recall drop column receipt;
