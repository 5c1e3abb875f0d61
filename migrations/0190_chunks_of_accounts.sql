-- A chunk belongs to an account and a lane, and no longer to an order: a range of message ids, or a list of ids to try again. So chunks
-- that several orders share are chunks like any other. All nodes stand still while this runs.
-- Given back with a mark and not cut at it yet: as of a dispatcher that nobody knows, so that the next one to start releases them.
update chunks set lease_owner = 0, lease_token = 0 where lease_owner is null and mark > 0 and kind <> 2;
update chunks set kind = 0 where kind = 1;
-- Set aside: lost twice or more.
update chunks set lost = 100 where quarantined and lost < 2;
update chunks set lost = 1 where lost > 1 and not quarantined;
drop index chunks_cut;
drop index chunks_shared;
drop index chunks_ready;
alter table chunks drop constraint chunks_pkey;
alter table chunks drop column order_id;
alter table chunks drop column shared;
alter table chunks drop column quarantined;
-- By account and message: whoever decides about messages asks which chunks hold them.
alter table chunks add primary key (account_id, first_message_id, id);
create index chunks_ready on chunks (lane, account_id, rank, due_at, id) where lease_owner is null and lost < 2;
create index chunks_lists on chunks (account_id) where ids is not null;
