-- What each carrier did in each minute, written by dispatchers as sums (a row per carrier and minute), kept for seven days.
create table carrier_minutes (
  carrier_id integer not null,
  minute timestamptz not null,
  submitted bigint not null default 0,
  throttled bigint not null default 0,
  refused bigint not null default 0,
  receipts bigint not null default 0,
  -- Receipts that say a message was not delivered.
  undelivered bigint not null default 0,
  -- From answer to receipt, over a sample: sum and number.
  lag_ms bigint not null default 0,
  lag_count bigint not null default 0,
  -- The most at any moment of the minute: submits without an answer, and messages due that nobody had taken.
  unanswered bigint not null default 0,
  waiting bigint not null default 0,
  primary key (carrier_id, minute)
);
create index carrier_minutes_by_age on carrier_minutes (minute);
