-- The audit log in sealed stretches, each over the one before it: src/accounts/audit-seals.ts.
alter table audit_entries add column seal bigint;
create index audit_unsealed on audit_entries (id) where seal is null;
create index audit_by_seal on audit_entries (seal, id) where seal is not null;
create table audit_seals (
  no bigint primary key,
  entries integer not null,
  digest bytea not null,
  at timestamptz not null default now()
);
