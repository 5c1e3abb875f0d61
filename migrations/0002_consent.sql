-- Brand codes of the national consent registry, the records given to us, and where each stands with the registry.

create table brands (
  account_id bigint not null references accounts (id),
  code bigint not null,
  -- Records per calendar month (Turkey time); null = no limit.
  quota integer,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  primary key (account_id, code)
);

create table consent_usage (
  account_id bigint not null,
  brand bigint not null,
  month text not null,
  used integer not null,
  primary key (account_id, brand, month)
);

-- Never deleted, never changed but for the columns of synchronisation. The current record of a recipient is the one
-- with the latest consent_date (ties by arrival) among those that count.
create table consent_records (
  id bigint generated always as identity,
  account_id bigint not null references accounts (id),
  brand bigint not null,
  recipient text not null,
  recipient_type text not null check (recipient_type in ('BIREYSEL', 'TACIR')),
  type text not null check (type in ('MESAJ', 'EPOSTA', 'ARAMA')),
  status text not null check (status in ('ONAY', 'RET')),
  source text not null,
  consent_date timestamptz not null,
  origin text not null default 'api' check (origin in ('api', 'panel', 'registry')),
  created_at timestamptz not null default now(),
  -- queued → sent → accepted | refused; records pulled from the registry are born accepted.
  sync_state text not null default 'queued' check (sync_state in ('queued', 'sent', 'accepted', 'refused')),
  -- false for an ONAY that the registry refused; a RET always counts.
  counts boolean not null default true,
  request_id text,
  request_index integer,
  transaction_id text,
  refusal_code text,
  refusal_text text,
  sync_attempts integer not null default 0,
  sync_after timestamptz not null default now(),
  synced_at timestamptz,
  primary key (id, account_id)
);
create index consent_current on consent_records
  (account_id, brand, type, recipient_type, recipient, consent_date desc, id desc);
create index consent_queue on consent_records (sync_after, id) where sync_state in ('queued', 'sent');
create index consent_refusals_since on consent_records (account_id, created_at) where status = 'RET';
create unique index consent_transaction on consent_records (account_id, brand, transaction_id) where origin = 'registry';

-- Where the pull of changes stands, per brand.
create table consent_cursors (
  account_id bigint not null,
  brand bigint not null,
  after text,
  pulled_at timestamptz,
  primary key (account_id, brand)
);
