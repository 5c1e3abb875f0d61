-- Bad binds over SMPP by address, counted for all nodes together: five within five minutes, and it is let alone for as long.
create table smpp_bans (
  address text primary key,
  failures integer not null,
  since timestamptz not null,
  banned_until timestamptz
);
create index smpp_bans_age on smpp_bans (since);
