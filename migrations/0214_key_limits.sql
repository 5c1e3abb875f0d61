-- What an API key may do: which operations (null: all), how many recipients a call and how many messages a day of Turkey's
-- (null: as many as the account), and how many of the day it has used.
alter table credentials add column scopes text[];
alter table credentials add column recipients_max integer;
alter table credentials add column daily_max integer;
alter table credentials add column used_on date;
alter table credentials add column used_messages integer not null default 0;
alter table credentials add constraint credentials_scopes_check check (scopes <@ '{read,send,verify,manage}'::text[]);
alter table credentials add constraint credentials_recipients_max_check check (recipients_max > 0);
alter table credentials add constraint credentials_daily_max_check check (daily_max > 0);
