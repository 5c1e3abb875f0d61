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
    why: 'one transaction stores an order with everything that belongs to it, and takes its credit',
  },
  {
    writer: 'inbound',
    tables: 'webhook_outbox smpp_outbox',
    why: 'an event is stored in the transaction of the change that it reports',
  },
  {
    writer: 'settle',
    tables: 'messages orders number_queue closing chunks balances ledger_entries webhook_outbox',
    why: 'a message ends in one transaction with all consequences',
  },
  {
    writer: 'settle',
    tables: 'traffic_counted traffic_sums',
    why: 'a late correction has its hour counted again',
  },
  {
    writer: 'receipts',
    tables: 'messages chunks orders dispatchers',
    why: 'a flush ends chunks with the answers of their messages, and queues messages in doubt again',
  },
  { writer: 'queue', tables: 'orders', why: 'a scheduled order is given another time, and begins when it is due' },
  { writer: 'sending', tables: 'carrier_links', why: 'each process publishes the state of its own links' },
  { writer: 'queue', tables: 'unsure', why: 'messages that a dead dispatcher wrote without an answer are in doubt' },
  { writer: 'queue', tables: 'data_home', why: 'no receipt is adopted after data were lost' },
  {
    writer: 'queue',
    tables: 'carrier_links',
    why: 'the links of a dead dispatcher go with its leases',
  },
  {
    writer: 'senders',
    tables: 'accounts',
    why: 'only the stamp, in the statement of the change, because it outdates cached accounts',
  },
  { writer: 'webhooks', tables: 'accounts', why: 'the same stamp' },
  {
    writer: 'cells',
    tables: 'accounts',
    why: 'the home keeps a row of each account that lives in another database, for the people who belong to it',
  },
  { writer: 'cells', tables: 'users memberships', why: 'a cell keeps copies of the people of its accounts' },
  {
    writer: 'cells',
    tables:
      'ledger_totals message_numbers messages more_texts number_queue order_columns order_removals orders receipts smpp_binds smpp_outbox webhook_states',
    why: 'moving an account writes all of its tables in one cell and removes them from the other',
  },
  {
    writer: 'db',
    tables: 'dispatch_hold',
    why: 'sending is put on hold in the statement that detects copied data',
  },
  { writer: 'people', tables: 'installation', why: 'a list of names, each row written by the owner of its name' },
  {
    writer: 'example',
    tables: 'installation blacklist_entries chunks inbound_messages ledger_entries memberships messages orders',
    why: 'the example account’s month of traffic is accepted today by the owners’ functions and then dated back',
  },
];
