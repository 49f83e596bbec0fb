-- Which version of the app was looked at, as whoever took the screenshot said it: reports
-- compare how often things are missed from one version to the next.
alter table observation add column app_version text;
