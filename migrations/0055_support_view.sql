-- Staff looking at an account as its people see it: which, until when, and whether numbers and texts are shown.
alter table sessions add column viewing_account_id bigint;
alter table sessions add column viewing_until timestamptz;
alter table sessions add column viewing_revealed boolean not null default false;
