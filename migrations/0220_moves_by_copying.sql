-- Accounts move between cells by copying: docs/decisions/0014-moving-accounts.md.

-- A move that an earlier version began by replication ends by that version.
do $$
begin
  if exists (select 1 from account_moves) or exists (select 1 from account_fences where why <> 'left') then
    raise exception 'an account is being moved to another cell: finish it (peyk account move) or take it back (--cancel) with the version that began it';
  end if;
end $$;

-- What accounts left behind that moved lately was kept still by their fences. Now an account has nothing in a cell that it left but rows of ended
-- orders, until they are removed.
delete from chunks where account_id in (select account_id from account_fences);
delete from unsure where account_id in (select account_id from account_fences);
delete from webhook_outbox where account_id in (
  select e.account_id from webhook_endpoints e where e.owner_id in (select account_id from account_fences));
delete from webhook_states where account_id in (
  select e.account_id from webhook_endpoints e where e.owner_id in (select account_id from account_fences));
delete from webhook_deliveries where account_id in (
  select e.account_id from webhook_endpoints e where e.owner_id in (select account_id from account_fences));
delete from webhook_endpoints where owner_id in (select account_id from account_fences);
delete from smpp_outbox where user_id in (select id from smpp_users where account_id in (select account_id from account_fences));
delete from smpp_bundles where user_id in (select id from smpp_users where account_id in (select account_id from account_fences));
delete from smpp_users where account_id in (select account_id from account_fences);
delete from exports where account_id in (select account_id from account_fences);
delete from send_drafts where account_id in (select account_id from account_fences);
delete from consent_records where account_id in (select account_id from account_fences);
delete from consent_cursors where account_id in (select account_id from account_fences);
delete from brands where account_id in (select account_id from account_fences);
delete from account_notices where account_id in (select account_id from account_fences);
delete from inbound_numbers where account_id in (select account_id from account_fences);
delete from credentials where account_id in (select account_id from account_fences);
delete from old_logins where account_id in (select account_id from account_fences);
delete from number_queue where account_id in (select account_id from account_fences);
delete from order_secrets where account_id in (select account_id from account_fences);
delete from balances where account_id in (select account_id from account_fences);
with gone as (
  delete from orders where account_id in (select account_id from account_fences) returning account_id, first_message_id, total)
insert into order_removals select account_id, first_message_id, total from gone on conflict do nothing;
drop table account_fences;
drop function if exists refuse_fenced_1();

-- On its way: calls are told 503, nothing is claimed or fired, for the seconds of the last copy.
alter table accounts drop constraint accounts_status_check;
alter table accounts add constraint accounts_status_check check (status in ('active', 'suspended', 'moving'));

alter table account_moves drop column hooks;
alter table account_moves drop column users;
alter table account_moves drop constraint account_moves_step_check;
alter table account_moves add constraint account_moves_step_check check (step in ('copying', 'leaving', 'moved'));
-- What the account is to be again in the one place or the other.
alter table account_moves add column status text not null default 'active';

-- What an account took with it from here, from the moment it is gone until the new cell has it.
create table account_parcels (
  account_id bigint not null,
  no bigint generated always as identity,
  name text not null,
  rows text not null,
  primary key (account_id, no)
);

-- Nothing is published any more.
alter table api_calls replica identity default;
alter table api_refusals replica identity default;
alter table applications replica identity default;
alter table credentials replica identity default;
alter table documents replica identity default;
alter table inbound_numbers replica identity default;
alter table smpp_outbox replica identity default;
