-- What an API key may do: which operations (null: all), how many recipients a call and how many messages a day of Turkey's
-- (null: as many as the account), and how many of the day it has used.
alter table credentials
  add column scopes text[] check (scopes <@ '{read,send,verify,manage}'::text[]),
  add column recipients_max integer check (recipients_max > 0),
  add column daily_max integer check (daily_max > 0),
  add column used_on date,
  add column used_messages integer not null default 0;
