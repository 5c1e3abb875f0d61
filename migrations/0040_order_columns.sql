-- What stood beside the numbers in the customer's own list, in the order of the order's messages: given back in the export
-- of its recipients, gone with the order. A thousand rows a part, as JSON, compressed: 50,000 rows of ten columns come to
-- some 2 MB.
create table order_columns (
  order_id bigint not null,
  account_id bigint not null,
  no integer not null,
  names text[] not null,
  content bytea not null,
  primary key (order_id, no, account_id)
);
