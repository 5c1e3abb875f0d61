// Who may write a table: its owning folder, SQL functions included. Others read, or call the owner's function.

export const owners: Record<string, string> = Object.fromEntries(
  Object.entries({
    accounts:
      'accounts credentials credential_uses old_logins account_notices api_calls api_refusals api_usage audit_entries audit_seals credit_grants installation',
    backup: 'backup_state',
    balance: 'balances ledger_entries ledger_checkpoints ledger_progress ledger_totals',
    blacklist: 'blacklist_entries',
    cells: 'cells account_cells account_moves account_parcels carrier_shares cell_names this_cell',
    consent:
      'brands consent_records consent_batches consent_cursors consent_pauses consent_sync consent_usage registry_tokens',
    db: 'data_home refused_items',
    carriers: 'carriers carrier_links carrier_errors carrier_minutes carrier_words',
    drafts: 'send_drafts send_draft_pieces',
    exports: 'exports export_pieces',
    inbound: 'inbound_messages inbound_numbers inbound_parts inbound_seen inbound_unrouted',
    orders:
      'orders messages number_queue closing idempotency_keys message_numbers more_texts order_columns order_removals order_secrets order_traces',
    queue: 'chunks dispatchers dispatch_clocks dispatch_hold',
    people:
      'users memberships sessions invites attempts sms_codes recovery_codes sign_in_places legal_texts legal_acceptances welcome_credits',
    receipts:
      'submits submits_0 submits_1 submits_2 submits_3 submits_4 submits_5 submits_6 submits_7 submits_8 submits_9 submits_10 submits_11 part_receipts unsure receipt_inbox receipts',
    reports: 'traffic_counted traffic_sums',
    senders: 'senders applications documents identity_checks',
    webhooks: 'webhook_endpoints webhook_outbox webhook_deliveries webhook_states',
    'smpp-server': 'smpp_users smpp_nodes smpp_binds smpp_outbox smpp_groups smpp_parts smpp_bans',
  }).flatMap(([owner, tables]) => tables.split(' ').map(table => [table, owner])),
);

/** Other writers, with the reason. */
export const guests: { writer: string; tables: string; why: string }[] = [
  {
    writer: 'accept',
    tables: 'orders messages more_texts idempotency_keys chunks balances ledger_entries webhook_outbox',
    why: 'an order begins with all that belongs to it in one transaction, and is paid for in it',
  },
  {
    writer: 'inbound',
    tables: 'webhook_outbox smpp_outbox',
    why: 'an event is stored in the transaction of what it tells of',
  },
  {
    writer: 'settle',
    tables: 'messages orders number_queue closing chunks balances ledger_entries webhook_outbox',
    why: 'a message comes to its end in one transaction with everything that follows from it',
  },
  {
    writer: 'settle',
    tables: 'traffic_counted traffic_sums',
    why: 'a correction long after the hour was counted has it counted again',
  },
  {
    writer: 'receipts',
    tables: 'messages chunks orders dispatchers',
    why: 'a flush ends chunks with the answers of their messages, and a message in doubt is queued once more',
  },
  { writer: 'queue', tables: 'orders', why: 'a scheduled order is given another time, and begins when it is due' },
  { writer: 'sending', tables: 'carrier_links', why: 'each process shows the state of its own links' },
  { writer: 'queue', tables: 'unsure', why: 'what a dead dispatcher wrote without an answer is in doubt' },
  { writer: 'queue', tables: 'data_home', why: 'and no receipt is adopted after data were lost' },
  {
    writer: 'queue',
    tables: 'carrier_links',
    why: 'the links of a dead dispatcher go with its leases',
  },
  {
    writer: 'senders',
    tables: 'accounts',
    why: 'the stamp alone, in the statement of the change: a remembered account is out of date',
  },
  { writer: 'webhooks', tables: 'accounts', why: 'likewise' },
  {
    writer: 'cells',
    tables: 'accounts',
    why: 'the home keeps a row of each account that lives in another database, for the people who belong to it',
  },
  { writer: 'cells', tables: 'users memberships', why: 'and a cell keeps copies of the people of its accounts' },
  {
    writer: 'cells',
    tables:
      'ledger_totals message_numbers messages more_texts number_queue order_columns order_removals orders receipts smpp_binds smpp_outbox webhook_states',
    why: 'an account that changes its cell is written in the one and removed from the other, all of its tables alike',
  },
  {
    writer: 'db',
    tables: 'dispatch_hold',
    why: 'data in a new home is held in the statement that recognises it, before anybody can send',
  },
  { writer: 'people', tables: 'installation', why: 'a list of names, each row of whoever gave it its name' },
  {
    writer: 'example',
    tables: 'installation blacklist_entries chunks inbound_messages ledger_entries memberships messages orders',
    why: 'the example account’s month of traffic is accepted today by the owners’ functions and then moved into the past',
  },
];
