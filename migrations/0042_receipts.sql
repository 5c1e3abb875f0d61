-- Receipts: intermediate words, submits in doubt, and what was settled already.

-- What carriers said about messages that has not ended them: ENROUTE, ACCEPTD, UNKNOWN and words of their own. One row for each
-- word, with the id it last came with; the dispatchers keep the newest twenty of a carrier.
create table carrier_words (
  carrier_id integer not null,
  word text not null,
  times bigint not null,
  last_id text not null default '',
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  primary key (carrier_id, word)
);

-- Of an unsure chunk whose link was lost: over which carrier its messages were written, and when each of them was, in the order
-- of `ids`. Null: a process died, nobody knows; then not before marked_at.
alter table chunks add column carrier_id integer, add column written_at timestamptz[];
create index chunks_unsure on chunks (id) where kind = 2;

-- Submits that were never answered, from the end of their pause on: a receipt with an unknown id may be about any of them,
-- also after they were sent once more or given up. Normally empty; kept three days, like such receipts.
create table doubts (
  message_id bigint not null,
  account_id bigint not null,
  number bigint not null,
  -- Null: it may have been any.
  carrier_id integer,
  written_at timestamptz not null,
  -- Receipts of a long message tell about one part of it: never enough to end it.
  single boolean not null,
  primary key (message_id, account_id)
);
create index doubts_by_number on doubts (number);

-- Digests of receipts that were matched, one row for each flush: a carrier that did not get our acknowledgement sends them again,
-- perhaps to another process, and by then their ids are unknown. Kept six hours.
create table settled_receipts (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  digests bigint[] not null
);
alter table settled_receipts alter column digests set storage external;

-- Told to be delivered after they were closed for lack of a receipt: to be corrected, in a transaction of its own, because the balance
-- is locked last (docs/decisions/0008-lock-order.md).
create table late_deliveries (
  message_id bigint not null,
  account_id bigint not null,
  primary key (message_id, account_id)
);
