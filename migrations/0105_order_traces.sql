-- needs: 0.1.0
-- Under which trace an order was accepted; written only where traces are told to a collector, and kept for three days.
create table order_traces (
  order_id bigint primary key,
  trace_id uuid not null,
  -- Of the request that brought it, eight bytes.
  span_id bytea not null,
  at timestamptz not null default now()
);
create index order_traces_by_time on order_traces using brin (at);
