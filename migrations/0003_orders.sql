-- Orders, their texts and messages, and the chunks by which dispatchers take work.

create sequence order_ids start with 100000001;
create sequence message_ids start with 1000000001;

-- Messages of one order get consecutive ids, so that a page of a report is a range of the primary key and messages
-- need no second index. The lock is of the session, held for microseconds: held until commit it would serialise all
-- acceptances. The handler gives it back when the statement is cancelled in between. Whoever needs an id comes here: a
-- nextval between the two halves would be given twice.
create function take_ids_1(p_orders integer, p_messages integer, out first_order bigint, out first_message bigint)
language plpgsql as $$
declare
  v_done bigint;
  v_free boolean;
begin
  if not pg_try_advisory_lock(7030002) then perform pg_advisory_lock(7030002); end if;
  begin
    first_order := nextval('order_ids');
    first_message := nextval('message_ids');
    if p_orders > 1 then v_done := setval('order_ids', first_order + p_orders - 1); end if;
    if p_messages > 1 then v_done := setval('message_ids', first_message + p_messages - 1); end if;
  exception when query_canceled or others then
    perform pg_advisory_unlock(7030002);
    raise;
  end;
  v_free := pg_advisory_unlock(7030002);
end $$;

create table orders (
  id bigint not null,
  account_id bigint not null,
  sender text not null,
  -- 0 transactional, 1 campaign (commercial: consent was checked)
  lane smallint not null,
  consent_list text,
  source text not null default 'api',
  -- scheduled, sending, finished, cancelled, failed
  state text not null,
  total integer not null,
  delivered integer not null default 0,
  undelivered integer not null default 0,
  reserved bigint not null default 0,
  consumed bigint not null default 0,
  -- Messages that were, or may have been, put on the air a second time after a lost link or process.
  resent integer not null default 0,
  first_message_id bigint not null,
  submit_at timestamptz not null,
  send_at timestamptz not null,
  -- Messages without a final receipt are closed after this time.
  close_after timestamptz not null,
  finished_at timestamptz,
  -- So many of its messages, from the first, stand in message_numbers; numbered: all of them.
  numbered_count integer not null default 0,
  numbered boolean not null default false,
  fingerprint bigint not null,
  -- The first text, for nearly all orders the only one. As sent: converted to the account's mode, without the operator code.
  text text not null,
  encoding smallint not null,
  parts smallint not null
);
-- Ascending, though read backwards: pages that only grow at their end are split there and stay full.
create index orders_by_time on orders (account_id, submit_at, id);
create index orders_duplicates on orders (account_id, fingerprint, submit_at);
create index orders_scheduled on orders (send_at) where state = 'scheduled';
create index orders_open on orders (close_after) where state = 'sending';
-- After the others: where a small table makes all indexes look alike, the planner takes the newest. With the key as the
-- oldest, orders were looked for by account alone until the first ANALYZE: 2.4 s for 448 of them after 4,000 had been sent.
alter table orders add primary key (id, account_id);
-- Not counted before there is something to count: what is known of fifty rows, while thousands more are being copied in,
-- misleads the planner more than the size of the file, which it goes by otherwise. See src/db/statistics.ts.
alter table orders set (autovacuum_analyze_threshold = 1000, autovacuum_vacuum_threshold = 1000);

-- From the second on.
create table more_texts (
  order_id bigint not null,
  account_id bigint not null,
  no integer not null,
  text text not null,
  encoding smallint not null,
  parts smallint not null,
  primary key (order_id, no, account_id)
);
create view order_texts as
  select id as order_id, account_id, 1 as no, text, encoding, parts from orders
  union all select order_id, account_id, no, text, encoding, parts from more_texts;

create table messages (
  id bigint not null,
  account_id bigint not null,
  order_id bigint not null,
  number bigint,
  text_no integer not null,
  credits smallint not null,
  status smallint not null,
  reason smallint not null default 0,
  final_at timestamptz,
  -- A bad number as it was given.
  given text,
  primary key (id, account_id)
) with (fillfactor = 80, autovacuum_analyze_threshold = 1000, autovacuum_vacuum_threshold = 1000);

create table idempotency_keys (
  account_id bigint not null,
  key text not null,
  body_digest bytea not null,
  order_id bigint not null,
  created_at timestamptz not null default now(),
  primary key (account_id, key)
);
create index idempotency_by_time on idempotency_keys (created_at);

create sequence lease_tokens;

-- One row per ≤ 500 messages: the unit a dispatcher leases. Gone once every message in it has an answer.
create table chunks (
  id bigint generated always as identity,
  account_id bigint not null,
  order_id bigint not null,
  lane smallint not null,
  -- 0 fresh, 1 retry of `ids`, 2 unsure: `ids` may already be on the air (their answer was lost)
  kind smallint not null default 0,
  -- Small orders (≤ 10 messages) go before large ones of the same account.
  rank smallint not null default 0,
  first_message_id bigint not null,
  count integer not null,
  ids bigint[],
  attempt smallint not null default 0,
  due_at timestamptz not null,
  lease_owner bigint,
  lease_token bigint,
  -- Messages before this position may have been written to a carrier under the current lease.
  mark integer not null default 0,
  lost smallint not null default 0,
  quarantined boolean not null default false,
  -- By order, because those of an order are looked for when it ends; by id alone only leased ones are.
  primary key (order_id, id, account_id)
);
create index chunks_ready on chunks (lane, account_id, rank, due_at, id) where lease_owner is null and not quarantined;
create index chunks_leased on chunks (id) where lease_owner is not null;

-- The pace of an account's transactional lane: the next message may leave at next_at (GCRA), for all processes alike.
create table dispatch_clocks (
  account_id bigint primary key,
  next_at timestamptz not null
);

-- Living dispatchers. `beat` grows every second; one that stands still is declared dead by the others' own clocks.
create table dispatchers (
  id bigint generated always as identity primary key,
  node text not null,
  beat bigint not null default 0,
  -- Number of the last flush that was stored, so that one whose commit was answered by silence is not stored twice.
  flush bigint not null default 0,
  started_at timestamptz not null default now()
);
