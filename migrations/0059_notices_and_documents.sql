-- Word for the people of an account of what was decided about it: in the bell, and on the owner's phone.
create table account_notices (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts (id),
  kind text not null,
  detail jsonb not null default '{}',
  created_at timestamptz not null default now(),
  -- When the phone was told, or was found to have nobody behind it.
  told_at timestamptz
);
create index account_notices_of_account on account_notices (account_id, id desc);
create index account_notices_untold on account_notices (id) where told_at is null;
-- The newest notice the member has looked at.
alter table memberships add column notices_seen bigint not null default 0;

-- Which of the documents asked for it is; null: another one.
alter table documents add column kind text;
-- What staff miss, in their words, and when the customer added something since.
alter table applications
  add column asked_note text,
  add column asked_at timestamptz,
  add column asked_by text,
  add column answered_at timestamptz;
