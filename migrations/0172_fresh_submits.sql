-- needs: 0.1.0
-- Submits of the last seconds that the dispatcher which made them remembers by their ids, a row for each of its flushes: most are
-- reported before anybody else asks for them, and never need a row and an index entry of their own in submissions
-- (docs/decisions/0022-fresh-submits.md). no: the flush. first_message, last_message: between them lie all of its messages.
create table fresh_submits (
  owner bigint not null,
  no bigint not null,
  submitted_at timestamptz not null default now(),
  first_message bigint not null,
  last_message bigint not null,
  carriers integer[] not null,
  ids text[] not null,
  accounts bigint[] not null,
  messages bigint[] not null,
  primary key (owner, no)
);
-- Rows live for seconds: neither compressing them nor storing them apart pays.
alter table fresh_submits alter column carriers set storage external;
alter table fresh_submits alter column ids set storage external;
alter table fresh_submits alter column accounts set storage external;
alter table fresh_submits alter column messages set storage external;
alter table fresh_submits set (toast_tuple_target = 8160);
-- What a flush says of them. carriers, ids, accounts, messages: new ones; is_open: some of these have no receipt in the same flush.
-- known_accounts, known_messages: what the receipts of the flush are about, in their order: 0 = not remembered, -1 = told by one before
-- it; told: how many receipts there should be. relied: the rows from which that is known, or which end. gone: rows that end, kept: their messages without a receipt.
-- seen: receipts that fit nothing are known up to this id. is_forgetful: nothing remembered may be trusted.
create type fresh_columns as (carriers integer[], ids text[], accounts bigint[], messages bigint[], is_open boolean,
  known_accounts bigint[], known_messages bigint[], told integer, relied bigint[], gone bigint[], kept bigint[], seen bigint, is_forgetful boolean);
