-- Carriers, what they were given, what they said before we knew what it was about, and inbound messages.

create table carriers (
  id integer generated always as identity primary key,
  name text not null unique,
  host text not null,
  port integer not null check (port between 1 and 65535),
  tls boolean not null default false,
  tls_verify boolean not null default true,
  system_id text not null,
  -- AES-256-GCM with a key outside the database.
  password bytea not null,
  system_type text not null default '',
  bind_type text not null default 'transceiver' check (bind_type in ('transceiver', 'transmitter', 'separate')),
  binds smallint not null default 1 check (binds between 1 and 32),
  window_size integer not null default 100 check (window_size between 1 and 1000),
  -- Submits per second over all binds; null = no limit.
  rate integer check (rate between 1 and 1000000),
  source_ton smallint not null default 5,
  source_npi smallint not null default 0,
  destination_ton smallint not null default 1,
  destination_npi smallint not null default 1,
  -- Base of message ids: in submit_sm_resp and in receipts.
  answer_id_format text not null default 'text' check (answer_id_format in ('text', 'decimal', 'hex')),
  receipt_id_format text not null default 'text' check (receipt_id_format in ('text', 'decimal', 'hex')),
  data_coding smallint not null default 0,
  long_messages text not null default 'udh' check (long_messages in ('udh', 'sar')),
  validity_seconds integer not null default 86400 check (validity_seconds between 60 and 604800),
  -- Beginnings of numbers served (9053…); empty = all.
  prefixes text[] not null default '{}',
  priority smallint not null default 10,
  -- What to do with submits whose answer was lost: by lane ('lane'), always once more ('resend') or never ('fail').
  unsure text not null default 'lane' check (unsure in ('lane', 'resend', 'fail')),
  paused boolean not null default false,
  pause_reason text,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now()
);

-- State of each bind as its process last saw it, once a second while anything changes.
create table carrier_links (
  carrier_id integer not null,
  slot smallint not null,
  dispatcher_id bigint not null,
  state text not null,
  since timestamptz not null default now(),
  last_error text,
  window_used integer not null default 0,
  pace integer,
  submitted bigint not null default 0,
  throttled bigint not null default 0,
  refused bigint not null default 0,
  receipts bigint not null default 0,
  at timestamptz not null default now(),
  primary key (carrier_id, slot, dispatcher_id)
);

-- Carrier's message id → message part, until its final receipt. Not unique: a carrier may begin its ids again.
create table submissions (
  carrier_id integer not null,
  smsc_id text not null,
  account_id bigint not null,
  message_id bigint not null,
  part smallint not null,
  parts smallint not null,
  delivered boolean not null default false,
  submitted_at timestamptz not null default now()
);
create index submissions_by_id on submissions (carrier_id, smsc_id);
create index submissions_of_long on submissions (message_id) where parts > 1;
-- Ids grow with time, so block ranges answer "was this one submitted?" after a crash at almost no cost per insert.
create index submissions_by_message on submissions using brin (message_id) with (pages_per_range = 16);

-- Final receipts that match no submission yet: they came first, or nobody knows them. Kept 72 hours.
create table receipts (
  id bigint generated always as identity primary key,
  carrier_id integer not null,
  smsc_id text not null,
  status smallint not null,
  reason smallint not null,
  number bigint,
  received_at timestamptz not null default now()
);
create index receipts_by_id on receipts (carrier_id, smsc_id);

create table counters (name text primary key, value bigint not null default 0);

-- Numbers and short codes that people write to. With a keyword the first word of the text decides.
create table inbound_numbers (
  account_id bigint not null references accounts (id),
  number text not null,
  keyword text not null default '',
  created_at timestamptz not null default now(),
  primary key (number, keyword)
);

create table inbound_messages (
  id bigint generated always as identity,
  account_id bigint not null,
  number bigint,
  number_text text not null,
  recipient text not null,
  text text not null,
  effect text,
  received_at timestamptz not null,
  primary key (account_id, id)
);
create index inbound_by_time on inbound_messages (account_id, received_at desc, id desc);

-- Parts of long inbound messages until the last one arrives; also those nobody owns, so that nothing acknowledged is lost.
create table inbound_parts (
  id bigint generated always as identity primary key,
  carrier_id integer not null,
  sender text not null,
  recipient text not null,
  reference integer not null,
  total smallint not null,
  sequence smallint not null,
  text text not null,
  received_at timestamptz not null default now(),
  unique (carrier_id, sender, recipient, reference, total, sequence)
);

create table inbound_unrouted (
  id bigint generated always as identity primary key,
  carrier_id integer not null,
  sender text not null,
  recipient text not null,
  text text not null,
  received_at timestamptz not null default now()
);

-- Where an account wants its notifications, and what is due. Rows of the outbox stand for many messages at once
-- (a range or a list); the worker that posts them unfolds them.
create table webhook_endpoints (
  account_id bigint primary key references accounts (id),
  url text not null default '',
  inbound boolean not null default false,
  secret bytea,
  previous_secret bytea,
  previous_until timestamptz,
  changed_at timestamptz not null default now()
);

create table webhook_outbox (
  id bigint generated always as identity,
  account_id bigint not null,
  -- accepted, final, inbound, test
  kind text not null,
  order_id bigint,
  first_message_id bigint,
  message_count integer,
  message_ids bigint[],
  inbound_id bigint,
  created_at timestamptz not null default now(),
  primary key (account_id, id)
);
