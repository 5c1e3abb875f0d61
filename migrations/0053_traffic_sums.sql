-- What an account sent, summed for each hour by sender, source and operator: what the overview, the balance and the reports
-- show without looking at messages. The hour is the one in which an order was to leave; cancelled and still scheduled ones are
-- in none. `operator` is 'all' for the sums of whole orders (only there are orders counted), else the operator of the numbers.
-- Hours that can no longer change are counted once; only they are here. (traffic_hours, by the hour of submission, was kept by
-- earlier releases and may go with the next one.)
create table traffic_sums (
  account_id bigint not null,
  hour timestamptz not null,
  sender text not null,
  source text not null,
  operator text not null,
  orders integer not null,
  total bigint not null,
  delivered bigint not null,
  undelivered bigint not null,
  filtered bigint not null,
  credits bigint not null,
  primary key (account_id, hour, sender, source, operator)
);

-- Hours that are counted, empty ones too. `changes` rises when a late report corrects an order of the hour, so that a count
-- that began before does not stand.
create table traffic_counted (
  account_id bigint not null,
  hour timestamptz not null,
  settled boolean not null,
  changes integer not null default 0,
  primary key (account_id, hour)
);

-- The code of the answer with which an address fails.
alter table webhook_states add column answer_status integer;

-- Calls that were answered 200 among those that were authenticated. Earlier ones were counted together.
alter table api_usage add column accepted bigint not null default 0;
update api_usage set accepted = calls;
