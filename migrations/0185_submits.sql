-- What carriers took, what they said of it, and what may be on the air without an answer (docs/decisions/0022-submits.md).
-- Every part that a carrier took, for ten days: append only. A ring of twelve days: the partition of the day to come is emptied in advance,
-- so no table is made or dropped while the program runs. message_id below 0: a test message of `peyk carrier test`, and -message_id is its number.
create table submits (
  day smallint not null,
  carrier_id integer not null,
  smsc_id text collate "C" not null,
  message_id bigint not null,
  part smallint not null,
  parts smallint not null,
  submitted_at timestamptz not null default now()
) partition by list (day);
create table submits_0 partition of submits for values in (0);
create table submits_1 partition of submits for values in (1);
create table submits_2 partition of submits for values in (2);
create table submits_3 partition of submits for values in (3);
create table submits_4 partition of submits for values in (4);
create table submits_5 partition of submits for values in (5);
create table submits_6 partition of submits for values in (6);
create table submits_7 partition of submits for values in (7);
create table submits_8 partition of submits for values in (8);
create table submits_9 partition of submits for values in (9);
create table submits_10 partition of submits for values in (10);
create table submits_11 partition of submits for values in (11);
create index submits_by_id on submits (carrier_id, smsc_id);
create index submits_by_message on submits using brin (message_id) with (pages_per_range = 16);

-- Delivered parts of messages of several.
create table part_receipts (
  message_id bigint not null,
  part smallint not null,
  received_at timestamptz not null default now(),
  primary key (message_id, part)
);
create index part_receipts_by_time on part_receipts using brin (received_at);

-- A row for each copy of a message that may be on the air: its answer was lost. decide_at: when it is decided what becomes of the message;
-- null: that was decided, or its answer came late. A copy stays for three days, because a receipt may be about it. single: a message of one part.
create table unsure (
  message_id bigint not null,
  account_id bigint not null,
  attempt smallint not null,
  number bigint not null,
  lane smallint not null,
  -- Null: nobody knows which of several it was.
  carrier_id integer,
  written_at timestamptz not null,
  decide_at timestamptz,
  single boolean not null,
  primary key (message_id, account_id, attempt)
);
create index unsure_by_number on unsure ((number % 10000000000));
create index unsure_by_time on unsure (written_at);
create index unsure_due on unsure (decide_at) where decide_at is not null;

-- messages: whom the dispatcher knew a receipt to be about when it came; 0: nobody.
alter table receipt_inbox add column messages bigint[];
update receipt_inbox set messages = array_fill(0::bigint, array[cardinality(ids)]);
alter table receipt_inbox alter column messages set not null;
alter table receipt_inbox alter column messages set storage external;
alter table receipt_inbox alter column messages set statistics 0;
alter table receipt_inbox drop column repeated;
-- Rows for a dispatcher that is gone, under numbers below 0 where they were handed to another: they are settled as ever.

-- mismatch: a submit has this id, and the receipt is for another number.
alter table receipts add column mismatch boolean not null default false;
create index receipts_by_number on receipts ((number % 10000000000));

-- Messages that came to their end, summed up by order: a place in all columns is one order (src/settle).
create type order_ends as (accounts bigint[], orders bigint[], delivered bigint[], undelivered bigint[], consumed bigint[], released bigint[],
  messages bigint[], numbers bigint[]);

-- Items of batches that the database refuses, whoever tries: set aside one by one, for staff. See src/db/poison.ts.
create table refused_items (
  id bigint generated always as identity primary key,
  what text not null,
  item text not null,
  error text not null,
  at timestamptz not null default now()
);

-- When data were lost last: they were restored, or a standby took over without the newest. Until three days after it no receipt is adopted.
alter table data_home add column lost_at timestamptz;
update data_home set lost_at = now() where exists (select 1 from dispatch_hold where reason <> 'operator');

-- Of a running 0.2.0.
insert into submits (day, carrier_id, smsc_id, message_id, part, parts, submitted_at)
  select (extract(epoch from s.submitted_at)::bigint / 86400 % 12)::smallint, s.carrier_id, s.smsc_id, s.message_id, s.part, s.parts, s.submitted_at
  from submissions s where s.submitted_at > now() - interval '10 days'
  union all
  select (extract(epoch from f.submitted_at)::bigint / 86400 % 12)::smallint, u.carrier, u.id, u.message, 1, 1, f.submitted_at
  from fresh_submits f cross join lateral unnest(f.carriers, f.ids, f.messages) u(carrier, id, message);
insert into part_receipts (message_id, part, received_at)
  select distinct s.message_id, s.part, s.submitted_at from submissions s where s.delivered and s.parts > 1 on conflict do nothing;
-- Repeats of receipts that were settled are known by their digests alone: they tell of nobody from now on.
delete from receipts r where hashtextextended(r.smsc_id, r.carrier_id) in (select unnest(t.digests) from settled_receipts t);
insert into unsure (message_id, account_id, attempt, number, lane, carrier_id, written_at, decide_at, single)
  select d.message_id, d.account_id, 0, d.number, 0, d.carrier_id, d.written_at, null, d.single from doubts d where d.written_at > now() - interval '3 days';
insert into unsure (message_id, account_id, attempt, number, lane, carrier_id, written_at, decide_at, single)
  select m.id, m.account_id, k.attempt, m.number, k.lane, k.carrier_id, coalesce(u.written_at, k.marked_at, now()), k.due_at, m.credits = 1
  from chunks k cross join lateral unnest(k.ids, k.written_at) u(id, written_at)
  join messages m on m.id = u.id and m.account_id = k.account_id and m.status = 110 and m.number is not null
  where k.kind = 2 on conflict do nothing;
delete from chunks where kind = 2;
-- What we closed and was reported to be delivered: told once more by the inbox, and corrected there.
insert into receipt_inbox (owner, no, carriers, ids, statuses, reasons, numbers, messages)
  select 0, 1, array_fill(0, array[count(*)::integer]), array_fill(''::text, array[count(*)::integer]), array_fill(111::smallint, array[count(*)::integer]),
    array_fill(0::smallint, array[count(*)::integer]), array_fill(0::bigint, array[count(*)::integer]), array_agg(l.message_id)
  from late_deliveries l having count(*) > 0;

drop table submissions;
drop table fresh_submits;
drop table settled_receipts;
drop table late_deliveries;
drop table doubts;
drop type fresh_columns cascade;
drop type submit_columns cascade;
drop type message_ends cascade;
drop type receipt_columns cascade;
drop type chunk_leases cascade;
alter table dispatchers drop column takes_handed;
