-- One way to accept orders (docs/decisions/0005-how-orders-are-written.md). Ids are drawn in blocks: those of one order, and of the orders
-- of one batch, follow one another without a lock.
alter sequence message_ids increment by 128;
create type new_orders as (accounts bigint[], stamps bigint[], senders text[], sources text[], fingerprints bigint[], repeatable boolean[],
  lanes smallint[], lists text[], send_at timestamptz[], texts text[], encodings smallint[], parts smallint[], totals integer[], sizes integer[],
  keys text[], digests bytea[], smpp jsonb[]);
create type new_recipients as (owners integer[], numbers bigint[], text_nos integer[], credits smallint[], given text[]);
create type new_texts as (owners integer[], nos integer[], texts text[], encodings smallint[], parts smallint[]);
drop type new_order;
drop type order_callers;
drop type plain_orders;
drop type order_terms;
drop type text_columns;
drop type recipient_columns;
drop type idempotency_claim;
