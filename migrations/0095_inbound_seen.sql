-- needs: 0.1.0
-- Inbound messages that carriers over HTTP already posted, by the carrier's own id: a post that comes again stores nothing.
create table inbound_seen (
  carrier_id integer not null,
  foreign_id text not null,
  seen_at timestamptz not null default now(),
  primary key (carrier_id, foreign_id)
);
-- For retention, which removes the oldest.
create index inbound_seen_at on inbound_seen (seen_at);
