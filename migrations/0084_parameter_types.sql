-- needs: 0.1.0
-- What travels together to the functions that accept, claim and record, under one name each. A batch comes as columns: an array of
-- each value, the same place in all of them for one row, because that is how a driver sends it and unnest reads it at the least
-- cost. A type that changes is a new type under a new name, like a signature (docs/decisions/0003).

-- What all orders of one call have in common. duplicates_since: equal orders after it are duplicates; chunk: the most
-- messages of one chunk.
create type order_terms as (lane smallint, consent_list text, scheduled boolean, submit_at timestamptz, send_at timestamptz,
  close_after timestamptz, duplicates_since timestamptz, chunk integer);
-- Who sends: an account and what it sends as, each named once. A stamp of null: the account was read just now.
create type order_callers as (accounts bigint[], senders text[], stamps bigint[], hooked boolean[]);
-- Orders of one recipient and one text each; callers: whose each is, by its place in order_callers.
create type plain_orders as (callers integer[], sources text[], fingerprints bigint[], texts text[], encodings smallint[],
  parts smallint[], numbers bigint[]);
-- An order that was accepted, with its first text. undelivered: recipients who may not be written to; number: its only recipient,
-- null when its recipients are stored apart.
create type new_order as (account_id bigint, sender text, source text, fingerprint bigint, text text, encoding smallint,
  parts smallint, total integer, undelivered integer, price bigint, number bigint);
-- Recipients of one order as given, 0 for a bad number, whose text stands in bad_texts at bad_at; text_nos: which text each gets,
-- null when there is only one; reasons: 0 may be written to, else why not, null when all may.
create type recipient_columns as (numbers bigint[], text_nos integer[], bad_at integer[], bad_texts text[], reasons smallint[]);
create type text_columns as (texts text[], encodings smallint[], parts smallint[]);
create type idempotency_claim as (key text, body_digest bytea, since timestamptz);

-- Submits that a carrier accepted; final receipts; ends of messages; chunks under their leases.
create type submit_columns as (carriers integer[], ids text[], accounts bigint[], messages bigint[], part smallint[], parts smallint[]);
create type receipt_columns as (carriers integer[], ids text[], statuses smallint[], reasons smallint[], numbers bigint[],
  repeated boolean[]);
create type message_ends as (accounts bigint[], messages bigint[], statuses smallint[], reasons smallint[]);
create type chunk_leases as (chunks bigint[], tokens bigint[]);
