-- needs: 0.1.0
-- Several webhook addresses for an account. State and lease, outbox and deliveries go by the key of an address, which stands in
-- their columns named account_id: the account's own id for its first address, so that a program of 0.1.0 goes on serving and
-- changing that one, and a negative number for each further one, which such a program does not see (webhook_claim_1). An event
-- becomes a row of the outbox for each address that wants it: order, retries and giving up are each address's own affair.
create sequence webhook_keys;
alter table webhook_endpoints
  drop constraint webhook_endpoints_account_id_fkey,
  -- Of further addresses; null: account_id.
  add column of_account bigint references accounts (id),
  -- By which people name it: 1 for the first.
  add column no smallint not null default 1,
  -- The URL of an address that is turned off; its url is empty meanwhile.
  add column off_url text not null default '';
alter table webhook_endpoints add column owner_id bigint generated always as (coalesce(of_account, account_id)) stored;
create unique index webhook_endpoints_of_owner on webhook_endpoints (owner_id, no);
