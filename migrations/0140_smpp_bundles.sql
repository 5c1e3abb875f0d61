-- needs: 0.1.0
-- Receipts that are owed to one SMPP user by one statement, at most 100, as one row (docs/decisions/0016-bundles-of-receipts.md): arrays, an
-- element for each. told: a bit for each, 1 when the customer has answered its deliver_sm or it stands in smpp_outbox by itself. The row
-- goes with the last of them. What comes alone or must wait alone stands in smpp_outbox.
create table smpp_bundles (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  orders bigint[] not null,
  messages bigint[] not null,
  statuses smallint[] not null,
  reasons smallint[] not null,
  told bit varying not null,
  created_at timestamptz not null default now(),
  -- The process that is about to hand them over; null: nobody.
  node_id bigint
) with (fillfactor = 50, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_threshold = 1000, autovacuum_analyze_scale_factor = 0.5,
  toast_tuple_target = 8160);
-- Rows live for milliseconds: neither compressing them nor storing them apart pays.
alter table smpp_bundles alter column orders set storage external, alter column messages set storage external,
  alter column statuses set storage external, alter column reasons set storage external;
create index smpp_bundles_due on smpp_bundles (user_id, id) where node_id is null;
create index smpp_bundles_taken on smpp_bundles (node_id) where node_id is not null;
