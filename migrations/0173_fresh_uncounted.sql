-- Nobody asks the planner about what flushes and receipts wait in, hundreds in a row: counting the members of such arrays is most of what
-- statistics cost while messages flow.
alter table fresh_submits alter column carriers set statistics 0;
alter table fresh_submits alter column ids set statistics 0;
alter table fresh_submits alter column accounts set statistics 0;
alter table fresh_submits alter column messages set statistics 0;
alter table receipt_inbox alter column carriers set statistics 0;
alter table receipt_inbox alter column ids set statistics 0;
alter table receipt_inbox alter column statuses set statistics 0;
alter table receipt_inbox alter column reasons set statistics 0;
alter table receipt_inbox alter column numbers set statistics 0;
alter table receipt_inbox alter column repeated set statistics 0;
-- Asked at the end of messages: has this account somebody who is told over SMPP?
create index smpp_users_by_account on smpp_users (account_id, id);
