-- Numbers in messages that belong to nobody are found by their last ten digits, old messages of accounts by their time.
create index inbound_unrouted_by_sender on inbound_unrouted (right(sender, 10), id);
create index inbound_by_age on inbound_messages using brin (received_at) with (pages_per_range = 16, autosummarize = on);
create index webhook_outbox_parked on webhook_outbox (parked_at) where parked_at is not null;
