-- People of the panel, what they apply for, and what the panel's pages look things up by.

alter table users
  add column name text not null default '',
  -- Digits of a mobile number (905…): codes for a forgotten password go there.
  add column mobile bigint,
  add column language text not null default 'tr' check (language in ('tr', 'en')),
  -- Sealed with the key outside the database. `totp_pending` until the first right code.
  add column totp_secret bytea,
  add column totp_pending bytea,
  -- The last time step used: a code is good once.
  add column totp_step bigint not null default 0,
  add column password_changed_at timestamptz;

create table memberships (
  account_id bigint not null references accounts (id),
  user_id bigint not null references users (id),
  role text not null check (role in ('owner', 'sender', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (account_id, user_id)
);
create index memberships_of_user on memberships (user_id);

-- The token itself is only in the browser's cookie.
create table sessions (
  id bigint generated always as identity primary key,
  token_digest bytea not null unique,
  user_id bigint not null references users (id),
  -- The account the user is looking at.
  account_id bigint,
  address text not null,
  agent text not null,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_of_user on sessions (user_id);
create index sessions_by_end on sessions (expires_at);

create table recovery_codes (
  user_id bigint not null references users (id),
  code_digest bytea not null,
  used_at timestamptz,
  primary key (user_id, code_digest)
);

create table invites (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts (id),
  email text not null check (email = lower(email)),
  role text not null check (role in ('owner', 'sender', 'viewer')),
  token_digest bytea not null unique,
  created_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index invites_of_account on invites (account_id) where used_at is null;

-- Codes sent by SMS. Requests for unknown addresses stand here too (user_id null), so that they are counted alike.
create table password_resets (
  id bigint generated always as identity primary key,
  user_id bigint references users (id),
  email text not null,
  address text not null,
  code_digest bytea,
  tries integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index password_resets_by_email on password_resets (email, created_at);
create index password_resets_by_address on password_resets (address, created_at);

-- Failed sign-ins by name ('pair …', 'address …', 'email …'), for all processes alike.
create table sign_in_failures (
  name text primary key,
  failures integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null
);
create index sign_in_failures_by_time on sign_in_failures (last_at);

-- Applications for a subscription and for sender IDs, with the documents that came with them.
create table applications (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts (id),
  kind text not null check (kind in ('subscription', 'sender')),
  sender_name text,
  state text not null default 'applied' check (state in ('applied', 'approved', 'rejected')),
  form jsonb not null default '{}',
  reason text,
  applicant text,
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by text,
  check ((kind = 'sender') = (sender_name is not null))
);
create index applications_of_account on applications (account_id, id desc);
create index applications_waiting on applications (id) where state = 'applied';

create table documents (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts (id),
  -- null until an application names it.
  application_id bigint references applications (id),
  name text not null,
  type text not null check (type in ('application/pdf', 'image/png', 'image/jpeg')),
  size integer not null,
  content bytea not null,
  uploaded_by text not null,
  created_at timestamptz not null default now()
);
-- Compressed already; trying again only costs time.
alter table documents alter column content set storage external;
create index documents_of_account on documents (account_id, id);
create index documents_of_application on documents (application_id);

-- Accepted calls of the API: counted per day, operation and address, not kept one by one.
create table api_usage (
  account_id bigint not null,
  day date not null,
  operation text not null,
  address text not null,
  calls bigint not null,
  last_at timestamptz not null,
  primary key (account_id, day, operation, address)
);

create index ledger_of_order on ledger_entries (order_id, account_id) where order_id is not null;
create index inbound_by_number on inbound_messages (account_id, number);
-- The word that brought a message to its account, or the opt-out word it said: '' where neither was in it.
alter table inbound_messages add column keyword text not null default '';

-- Progress bars: what is on its way and large enough to have one. Small orders never enter this index.
create index orders_running on orders (account_id, submit_at desc) where state = 'sending' and total > 10;

-- Traffic of an account by the hour in which its orders came. A settled hour is over and none of its orders can change;
-- the others are counted again whenever somebody looks.
create table traffic_hours (
  account_id bigint not null,
  hour timestamptz not null,
  orders integer not null,
  total bigint not null,
  delivered bigint not null,
  undelivered bigint not null,
  filtered bigint not null,
  credits bigint not null,
  settled boolean not null,
  primary key (account_id, hour)
);

-- `istanbul`, `ISTANBUL`, `İSTANBUL` and `ıstanbul` are one word to a search.
create function fold_turkish(given text) returns text language sql immutable as $$
  select lower(translate(given, 'İIıÇĞÖŞÜçğöşüÂâÎîÛû', 'iiicgosucgosuaaiiuu'))
$$;

-- Downloads of more than 50,000 rows: made in the background, kept for a day after they are ready. The file lies in pieces
-- of at most 1 MB; whoever makes it holds a lease, and the attempt tells a late writer that it was taken over.
create table exports (
  id bigint generated always as identity,
  account_id bigint not null references accounts (id),
  kind text not null,
  format text not null check (format in ('csv', 'xlsx')),
  language text not null check (language in ('tr', 'en')),
  filter jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'ready', 'failed')),
  row_count bigint not null default 0,
  bytes bigint not null default 0,
  attempt integer not null default 0,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  fetched_at timestamptz,
  primary key (id, account_id)
);
create index exports_of_account on exports (account_id, id desc);
create index exports_under_way on exports (id) where state in ('waiting', 'running');
create index exports_by_end on exports (expires_at) where expires_at is not null;

create table export_pieces (
  export_id bigint not null,
  account_id bigint not null,
  no integer not null,
  content bytea not null,
  primary key (export_id, no, account_id),
  foreign key (export_id, account_id) references exports (id, account_id) on delete cascade
);

-- A notice when the spendable credit falls below a figure that the account chose. `low_balance_at` is set while it is
-- below, `low_balance_told` once the owner's phone was written to: one message per crossing.
alter table accounts
  add column low_balance bigint,
  add column low_balance_sms boolean not null default false,
  add column low_balance_at timestamptz,
  add column low_balance_told boolean not null default false;
create index accounts_watched on accounts (id) where low_balance is not null or low_balance_at is not null;
