-- Wrong passwords over SMPP by address and system_id, counted for all nodes together: five within five minutes, and the address is
-- banned for that user; of a user from all addresses together twenty. An address alone is never banned: others share it.
drop table smpp_bans;
create table smpp_bans (
  system_id text not null,
  -- Empty: all addresses together.
  address text not null,
  failures integer not null,
  since timestamptz not null,
  banned_until timestamptz,
  primary key (system_id, address)
);
create index smpp_bans_age on smpp_bans (since);
