-- Staff give a number to an account, or delete what was written to it.
create index inbound_unrouted_by_number on inbound_unrouted (recipient, id);
