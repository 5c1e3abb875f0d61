-- Customers that send over SMPP: who may bind, who is bound, what is owed to them (receipts and messages from phones), and the
-- parts of long messages until they are joined. None of it is read for orders of other origin: an order of SMPP says so itself
-- (orders.smpp), and only then is anything owed.
create table smpp_users (
  id bigint generated always as identity,
  account_id bigint not null references accounts (id),
  -- At most 15 characters, as the protocol allows; the password has 8 and is stored as an HMAC under the server's key.
  system_id text not null unique,
  name text not null default '',
  digest bytea not null,
  -- The one before it, good until then.
  old_digest bytea,
  old_until timestamptz,
  -- Addresses and networks that may bind; while there are none nobody may.
  addresses text[] not null default '{}',
  enabled boolean not null default true,
  binds_max integer not null default 2,
  -- Submits without an answer for each bind: beyond it we stop reading.
  window_max integer not null default 100,
  -- Receipts and messages without an answer for each bind.
  receipt_window integer not null default 50,
  -- Parts per second over all binds; null: no limit.
  rate integer,
  -- The consent list that its messages are checked against, unless a message says another; null: transactional.
  consent_list text,
  -- Whether the same message again within ten minutes is refused, as over HTTP.
  duplicates boolean not null default false,
  -- Whether messages from phones are handed to it.
  inbound boolean not null default true,
  created_at timestamptz not null default now(),
  last_bind_at timestamptz,
  last_address text,
  last_error text,
  last_error_at timestamptz,
  -- Receipts and messages that it refused for good, and those that nobody fetched in time.
  refused bigint not null default 0,
  expired bigint not null default 0,
  primary key (id, account_id)
);

-- A process that serves SMPP: one that is silent for some seconds is dead, and its binds with it.
create table smpp_nodes (
  id bigint generated always as identity primary key,
  beat_at timestamptz not null default now()
);

create table smpp_binds (
  id bigint generated always as identity primary key,
  node_id bigint not null,
  user_id bigint not null,
  kind text not null,
  address text not null,
  secure boolean not null,
  bound_at timestamptz not null default now(),
  kicked boolean not null default false,
  submits bigint not null default 0,
  refusals bigint not null default 0,
  receipts bigint not null default 0,
  submits_per_second integer not null default 0,
  receipts_per_second integer not null default 0,
  unanswered integer not null default 0,
  last_error text,
  last_error_at timestamptz
);
create index smpp_binds_of_user on smpp_binds (user_id);
create index smpp_binds_of_node on smpp_binds (node_id);

-- One row is one deliver_sm: a receipt (order_id, message_id, smpp_id as the customer knows it) or a message from a phone.
create table smpp_outbox (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  order_id bigint,
  message_id bigint,
  smpp_id bigint,
  status smallint,
  reason smallint,
  inbound_id bigint,
  created_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  tries integer not null default 0,
  -- The process that is about to hand it over; null: nobody.
  node_id bigint
) with (fillfactor = 80, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_threshold = 1000);
create index smpp_outbox_due on smpp_outbox (user_id, due_at) where node_id is null;
create index smpp_outbox_taken on smpp_outbox (node_id) where node_id is not null;
create index smpp_outbox_age on smpp_outbox (created_at);

-- A long message on its way in: state 0 = parts are missing, 1 = complete, 2 = joined as order_id, 3 = ended without an order.
create table smpp_groups (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  sender text not null,
  recipient text not null,
  reference integer not null,
  total smallint not null,
  have smallint not null default 0,
  state smallint not null default 0,
  order_id bigint,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now()
);
create unique index smpp_groups_open on smpp_groups (user_id, sender, recipient, reference, total) where state = 0;
create index smpp_groups_unfinished on smpp_groups (changed_at) where state < 2;
create index smpp_groups_age on smpp_groups (created_at);

-- Its id is one of the order ids, so that a customer never sees the same id twice.
create table smpp_parts (
  id bigint primary key,
  group_id bigint not null,
  no smallint not null,
  -- As JSON: a text may be cut between the halves of an emoji.
  text text not null,
  -- Of the submit, for the order: receipt wish, references, time, list.
  origin jsonb not null
);
create unique index smpp_parts_of_group on smpp_parts (group_id, no);

-- Of an order that came over SMPP: who sent it and what it is owed.
-- u: user; r: receipts wanted (0 none, 1 all, 2 failures); ids: ids of its parts as the customer knows them, when there are
-- several; ref, umr: references that receipts repeat.
alter table orders add column smpp jsonb;
