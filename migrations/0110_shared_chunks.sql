-- needs: 0.1.0
-- shared: a chunk of several orders of one message each, of one account and sender, that were accepted together: orders and messages
-- have consecutive ids from order_id and first_message_id on (docs/decisions/0011-shared-chunks.md).
alter table chunks add column shared boolean not null default false;
create index chunks_shared on chunks (order_id) where shared;
