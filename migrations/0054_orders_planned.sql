-- outside a transaction
create index concurrently if not exists orders_planned on orders (account_id, send_at) where send_at > submit_at
