-- What an account's entries add up to, every 200 of them, so that the balance after any entry is found by reading the few
-- since the last such point, not all that are newer. Made behind (checkpoint_ledger_1); entries themselves never change.
create table ledger_checkpoints (
  account_id bigint not null,
  -- The sum of all entries up to and with this one.
  through_id bigint not null,
  sms bigint not null,
  -- When that entry was made: finds the ids of a time.
  at timestamptz not null,
  primary key (account_id, through_id)
);
create index ledger_checkpoints_by_time on ledger_checkpoints (account_id, at);

-- Sum and number of an account's entries up to ledger_progress.through_id.
create table ledger_totals (
  account_id bigint primary key,
  sms bigint not null,
  entries bigint not null
);

-- One row. Ids are drawn before their entry is committed; safe_id: every entry up to it is there or never will be. How that
-- is known: seen_id was the last one drawn, and every transaction that ran when seen_xid was the next to begin has ended.
create table ledger_progress (
  one boolean primary key default true check (one),
  through_id bigint not null default 0,
  safe_id bigint not null default 0,
  seen_id bigint not null default 0,
  seen_xid bigint,
  seen_at timestamptz not null default now()
);
insert into ledger_progress default values;

-- Entries are written in the order of their ids, so block ranges find those of a step at almost no cost per insert.
create index ledger_by_id on ledger_entries using brin (id) with (pages_per_range = 32, autosummarize = on);
-- Among millions of movements of messages the few that people made.
create index ledger_grants on ledger_entries (account_id, id) where kind = 'grant';
