-- What went wrong with a carrier lately, for the operator's eyes: one row for each error in its own words, so that ten
-- thousand refusals of one kind are one line. The dispatchers keep the newest twenty of a carrier.

create table carrier_errors (
  carrier_id integer not null,
  error text not null,
  times bigint not null,
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  primary key (carrier_id, error)
);

-- Staff ask for a round with the registry now: ends the rest that the worker takes after trouble.
alter table consent_sync add column wanted boolean not null default false;
