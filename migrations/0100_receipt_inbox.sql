-- needs: 0.1.0
-- Receipts that were acknowledged and are not settled yet, a row for each commit: a carrier waits for the acknowledgement, not for what
-- follows from the receipt (docs/decisions/0009-receipt-inbox.md). Columns as in receipt_columns. no: counted by the dispatcher, so that
-- a row whose commit was answered by silence is not stored twice. Normally all but empty.
create table receipt_inbox (
  owner bigint not null,
  no bigint not null,
  received_at timestamptz not null default now(),
  carriers integer[] not null,
  ids text[] not null,
  statuses smallint[] not null,
  reasons smallint[] not null,
  numbers bigint[] not null,
  repeated boolean[] not null,
  primary key (owner, no)
);
-- Rows live for milliseconds: neither compressing them nor storing them apart pays.
alter table receipt_inbox alter column carriers set storage external, alter column ids set storage external,
  alter column statuses set storage external, alter column reasons set storage external, alter column numbers set storage external,
  alter column repeated set storage external;
alter table receipt_inbox set (toast_tuple_target = 8160);
