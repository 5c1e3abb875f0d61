-- Where these data live, as they last saw it: compared at each start and by each new connection of a dispatcher. A restored or
-- copied database differs, and what it holds as waiting may have been sent meanwhile by the one it was taken from.
create table data_home (
  one boolean primary key default true check (one),
  -- Of the PostgreSQL cluster; the timeline changes when a backup is recovered or a standby promoted.
  system text,
  timeline bigint,
  database_oid bigint,
  -- Of the embedded server: which files these are, and where they were seen (for people to read).
  files text,
  folder text,
  at timestamptz not null default now()
);

-- At most one row; while it is there nothing is leased, and no schedule fires. Orders are accepted as ever.
create table dispatch_hold (
  one boolean primary key default true check (one),
  -- operator, other-database, other-timeline, other-folder
  reason text not null,
  detail text not null default '',
  since timestamptz not null default now()
);
