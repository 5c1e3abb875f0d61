-- Keeping our consent store and the registry in step: what is due, what waits for a result, where each brand stands.
-- sync_after, ask_after, pull_after and paused_until are the server's time, so that all processes read one clock.

-- Why a record that is not refused has not got through yet; the registry's code.
alter table consent_records add column waiting_code text;

-- Due records of a brand; who is ahead of a record at its address; the records of a batch; the panel's list.
drop index consent_queue;
create index consent_due on consent_records (brand, sync_after, id) where sync_state = 'queued';
create index consent_unsettled on consent_records (recipient, brand, type, recipient_type)
  where sync_state in ('queued', 'sent');
create index consent_in_batch on consent_records (request_id) where sync_state = 'sent';
create index consent_by_arrival on consent_records (account_id, id desc);

-- Two movements of one address within a second share the registry's transaction id, so the id alone names none of them.
drop index consent_transaction;
create unique index consent_movements on consent_records
  (account_id, brand, recipient, type, recipient_type, status, consent_date, coalesce(transaction_id, ''))
  where origin = 'registry';

-- Batches that the registry took and has not yet given the result of.
create table consent_batches (
  request_id text primary key,
  brand bigint not null,
  sent_at timestamptz not null default now(),
  ask_after timestamptz not null,
  asks integer not null default 0
);
create index consent_batches_due on consent_batches (ask_after);

-- Brands whose subscription or quota the registry objects to.
create table consent_pauses (
  brand bigint primary key,
  code text not null,
  paused_at timestamptz not null default now(),
  paused_until timestamptz not null
);

alter table consent_cursors
  add column pull_after timestamptz not null default now(),
  -- Set when changes were lost to an outage, until all that we hold as ONAY has been asked for; then how far that is.
  add column reconcile_from timestamptz,
  add column reconcile_type text not null default '',
  add column reconcile_recipient_type text not null default '',
  add column reconcile_recipient text not null default '';

-- One row: the program that synchronises, and when the registry was last used and by whom.
create table consent_sync (
  one boolean primary key default true check (one),
  registry_url text,
  seen_at timestamptz,
  holder text,
  released_at timestamptz,
  answered_at timestamptz,
  trouble text,
  trouble_at timestamptz
);
insert into consent_sync default values;

-- The registry's token and the count of token requests, per registry and login; the token itself is sealed.
create table registry_tokens (
  login text primary key,
  state jsonb not null,
  held bytea,
  updated_at timestamptz not null default now()
);
