// All tables with rows of an account: how to find the rows ($1: the account), and how they get to another cell. tables.test.ts compares the
// list with the schema.

/** `rows`: a condition on `t`. `each`: rows in one piece of a parcel, where rows are large. `conflict`: what follows ON CONFLICT. */
export type Table = { name: string; rows: string; each?: number; conflict?: string };

const own = 't.account_id = $1';
const hooks = `(t.account_id = $1 or t.account_id in (select w.account_id from webhook_endpoints w where w.owner_id = $1))`;
const users = 't.user_id in (select u.id from smpp_users u where u.account_id = $1)';
const tables = (names: string, rows = own): Table[] => names.split(' ').map(name => ({ name, rows }));

/** Needed to answer calls: these rows stay until the directory is switched, so that calls get 503 and not 401. */
export const namedTables: Table[] = [
  { name: 'accounts', rows: 't.id = $1' },
  ...tables('credentials old_logins smpp_users'),
];

/** Tables that move in the parcel, in the order of their references. */
export const parcelTables: Table[] = [
  ...tables('balances senders brands blacklist_entries credit_grants account_notices applications'),
  { name: 'documents', rows: own, each: 1 },
  ...tables('identity_checks consent_cursors consent_usage consent_records'),
  {
    name: 'consent_batches',
    rows: "t.request_id in (select r.request_id from consent_records r where r.account_id = $1 and r.sync_state = 'sent')",
  },
  ...tables('ledger_checkpoints chunks unsure number_queue order_secrets idempotency_keys dispatch_clocks'),
  ...tables('traffic_counted traffic_sums inbound_numbers exports api_calls'),
  { name: 'export_pieces', rows: own, each: 1 },
  ...tables('send_drafts'),
  { name: 'send_draft_pieces', rows: own, each: 1 },
  { name: 'webhook_endpoints', rows: 't.owner_id = $1' },
  ...tables('webhook_outbox webhook_states webhook_deliveries', hooks),
  ...tables('smpp_groups', users),
  {
    name: 'smpp_parts',
    rows: 't.group_id in (select g.id from smpp_groups g join smpp_users u on u.id = g.user_id where u.account_id = $1)',
  },
  ...tables('smpp_outbox', users),
  // Counted after the calls, so rows of an earlier stay may still be added to.
  {
    name: 'api_usage',
    rows: own,
    conflict: `(account_id, day, operation, address) do update set calls = api_usage.calls + excluded.calls,
      accepted = api_usage.accepted + excluded.accepted, last_at = greatest(api_usage.last_at, excluded.last_at)`,
  },
  {
    name: 'credential_uses',
    rows: own,
    conflict: '(account_id, key) do update set last_at = greatest(credential_uses.last_at, excluded.last_at)',
  },
];

/** Append-only, with an id and the time of the transaction that wrote the row: copied while the account works. */
export const appendedTables: (Table & { at: string })[] = [
  { name: 'ledger_entries', rows: own, at: 'created_at' },
  { name: 'inbound_messages', rows: own, at: 'received_at' },
  { name: 'api_refusals', rows: own, at: 'at' },
];

/** What belongs to an order beside its messages. */
export const textTables = ['more_texts', 'order_columns'];
/** Found by orders (src/cells/move/history.ts). */
export const orderTables = ['orders', 'messages', ...textTables, 'message_numbers'];

/** Tables with an account_id that stay, and why. */
export const stayingTables: Record<string, string> = {
  account_cells: 'the directory, at home',
  account_moves: 'the directory, at home',
  account_parcels: 'of the move itself',
  audit_entries: 'sealed in the database where it happened, and read over all cells',
  cell_names: 'the directory, at home',
  invites: 'people are at home',
  ledger_totals: 'summed up anew where the account arrives',
  memberships: 'people are at home',
  order_removals: 'messages that wait to be removed here',
  sessions: 'people are at home',
  smpp_binds: 'connections of this moment',
  welcome_credits: 'people are at home',
};
