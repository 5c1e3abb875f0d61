-- An order is updated in its page: no index names a column that changes while an order of one message is on its way (docs/decisions/0005-how-orders-are-written.md).
-- Computed columns keep their value for small orders, so an index on them costs those nothing.
create table number_queue (
  order_id bigint not null, account_id bigint not null, first_message_id bigint not null, total integer not null,
  primary key (order_id, account_id));
insert into number_queue select id, account_id, first_message_id + numbered_count, total - numbered_count from orders
  where not numbered and state in ('finished', 'cancelled', 'failed');
-- Up to here (by close_after) every order has ended.
create table closing (one boolean primary key default true check (one), through timestamptz not null);
insert into closing (through) select coalesce(min(close_after) - interval '1 microsecond', now()) from orders where state = 'sending';
drop index orders_by_end;
drop index orders_open;
drop index orders_running;
drop index orders_scheduled;
drop index orders_unnumbered;
alter table orders drop column numbered;
alter table orders drop column numbered_count;
alter table orders add column planned boolean not null generated always as (state = 'scheduled') stored;
alter table orders add column running boolean not null generated always as (state = 'sending' and total > 10) stored;
alter table orders set (fillfactor = 50);
create index orders_by_close on orders (close_after);
create index orders_scheduled on orders (send_at) where planned;
create index orders_running on orders (account_id, submit_at desc) where running;
