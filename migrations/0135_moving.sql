-- Moving an account between cells: docs/decisions/0014-moving-accounts.md.

-- Accounts that this database does nothing for: not yet here, about to leave, or gone. Nearly always empty.
create table account_fences (
  account_id bigint primary key,
  why text not null check (why in ('arriving', 'leaving', 'left')),
  since timestamptz not null default now(),
  -- Of one that left: when its rows were removed here.
  removed_at timestamptz
);

-- In the home: moves under way, and how far each came.
create table account_moves (
  account_id bigint primary key,
  from_cell smallint not null,
  to_cell smallint not null check (to_cell <> from_cell),
  step text not null check (step in ('begun', 'copying', 'fenced', 'switched')),
  begun_at timestamptz not null default now(),
  step_at timestamptz not null default now(),
  -- Names of its rows where they are not the account's own: webhook addresses and SMPP users.
  hooks bigint[] not null default '{}',
  users bigint[] not null default '{}'
);

-- Entries up to here came with the account and are in its sums.
alter table ledger_totals add column through_id bigint not null default 0;

-- A published row is found again by its whole self where its key does not say whose it is. Costs nothing unless wal_level = logical.
alter table api_calls replica identity full;
alter table api_refusals replica identity full;
alter table applications replica identity full;
alter table credentials replica identity full;
alter table documents replica identity full;
alter table inbound_numbers replica identity full;
alter table smpp_outbox replica identity full;
alter table submissions replica identity full;
