-- Who stands behind an application for a subscription: asked of an identity service (or its simulator), or looked at by
-- staff. What came out is kept beside the application.
create table identity_checks (
  id bigint generated always as identity primary key,
  application_id bigint not null references applications (id),
  account_id bigint not null references accounts (id),
  method text not null check (method in ('simulator', 'manual')),
  state text not null default 'begun' check (state in ('begun', 'confirmed', 'refused', 'failed')),
  -- Of the word that comes back with the browser; good once.
  state_digest bytea unique,
  nonce text,
  begun_by text not null,
  begun_at timestamptz not null default now(),
  expires_at timestamptz,
  used_at timestamptz,
  finished_at timestamptz,
  -- The name that the service confirmed, or what staff noted.
  detail text not null default ''
);
create index identity_checks_of_application on identity_checks (application_id, id desc);
