-- When somebody wanted a recall forgotten: lists leave it out, nothing is lost. Null: living.
alter table recall add column forgotten_at text;
