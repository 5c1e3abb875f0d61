// Everything that belongs to an account, table by table: how its rows are found, and how they get to another cell. A table with an
// account_id that is missing here fails tables.test.ts. What stands here in one row is published, guarded, compared and removed.

/** By which of an account's own numbers its rows are found: itself, its webhook addresses, its SMPP users. */
export type Owner = 'account' | 'hooks' | 'users';

export type MovedTable = {
  name: string;
  column: string;
  owner: Owner;
  /**
   * Written by the hundred for many accounts, behind what they are told (calls that were counted, receipts that a customer answered):
   * the last of it may stay behind, so it is neither guarded nor compared.
   */
  isLog?: true;
  /** Of those that grow for ever, which rows are compared while the account waits: the newest. $1: the account, $2: since when. */
  newest?: string;
  /** How rows are found without reading the table through: `o` are the orders of the account. */
  ofOrder?: string;
};

const ofMessages = 't.id between o.first_message_id and o.first_message_id + o.total - 1';
const newestIds = (table: string) =>
  `t.id > (select coalesce(max(x.id), 0) - 100000 from ${table} x where x.account_id = $1)`;

const plain = (names: string): MovedTable[] =>
  names.split(' ').map(name => ({ name, column: 'account_id', owner: 'account' }));
const logs = (names: string): MovedTable[] => plain(names).map(one => ({ ...one, isLog: true }));
const hooked = (names: string): MovedTable[] => plain(names).map(one => ({ ...one, owner: 'hooks' }));
const byOrder = (name: string, ofOrder: string): MovedTable => ({ ...plain(name)[0]!, ofOrder });

/** Streamed from the old cell to the new one. */
export const movedTables: MovedTable[] = [
  ...plain('balances senders brands blacklist_entries credentials old_logins credit_grants'),
  ...plain('account_notices applications documents identity_checks'),
  ...plain('consent_cursors consent_usage'),
  { ...plain('consent_records')[0]!, newest: newestIds('consent_records') },
  { ...plain('ledger_entries')[0]!, newest: newestIds('ledger_entries') },
  ...plain('ledger_checkpoints'),
  { ...plain('orders')[0]!, newest: "(t.submit_at > $2 or t.state in ('scheduled', 'sending'))" },
  byOrder('messages', ofMessages),
  byOrder('more_texts', 't.order_id = o.id'),
  byOrder('order_columns', 't.order_id = o.id'),
  ...plain('chunks'),
  ...plain('unsure order_removals number_queue order_secrets idempotency_keys dispatch_clocks'),
  {
    ...plain('message_numbers')[0]!,
    newest:
      't.message_id >= (select min(o.first_message_id) from orders o where o.account_id = $1 and o.submit_at > $2)',
  },
  ...plain('traffic_counted traffic_sums'),
  ...plain('inbound_numbers'),
  { ...plain('inbound_messages')[0]!, newest: newestIds('inbound_messages') },
  ...plain('exports export_pieces send_drafts send_draft_pieces smpp_users'),
  ...hooked('webhook_endpoints webhook_outbox webhook_states webhook_deliveries'),
  { name: 'smpp_outbox', column: 'user_id', owner: 'users', isLog: true },
  ...logs('api_calls api_refusals'),
];

/**
 * A few rows that cannot be published by a filter, or must not be there before their time: written in the new cell while the account
 * waits. `rows`: of $1, the account; `meet`: what becomes of one that the target has already; it is replaced unless said otherwise.
 */
export const carriedTables: { name: string; rows: string; key: string; meet?: string }[] = [
  { name: 'accounts', rows: 't.id = $1', key: 'id' },
  { name: 'smpp_groups', rows: 't.user_id in (select u.id from smpp_users u where u.account_id = $1)', key: 'id' },
  {
    name: 'smpp_parts',
    rows: 't.group_id in (select g.id from smpp_groups g join smpp_users u on u.id = g.user_id where u.account_id = $1)',
    key: 'id',
  },
  {
    name: 'consent_batches',
    rows: "t.request_id in (select r.request_id from consent_records r where r.account_id = $1 and r.sync_state = 'sent')",
    key: 'request_id',
  },
  {
    name: 'consent_pauses',
    rows: 't.brand in (select b.code from brands b where b.account_id = $1)',
    key: 'brand',
    meet: 'nothing',
  },
  // Counted behind the calls, by whoever answered them: the last of an earlier stay may come to the new cell at any time.
  {
    name: 'api_usage',
    rows: 't.account_id = $1',
    key: 'account_id, day, operation, address',
    meet: `update set calls = api_usage.calls + excluded.calls, accepted = api_usage.accepted + excluded.accepted,
      last_at = greatest(api_usage.last_at, excluded.last_at)`,
  },
  {
    name: 'credential_uses',
    rows: 't.account_id = $1',
    key: 'account_id, key',
    meet: 'update set last_at = greatest(credential_uses.last_at, excluded.last_at)',
  },
];

/** Have an account_id and do not go with it. */
export const stayingTables: Record<string, string> = {
  account_cells: 'the directory, at home',
  account_fences: 'of this database',
  account_moves: 'the directory, at home',
  audit_entries: 'sealed in the database where it happened, and read over all cells',
  cell_names: 'the directory, at home',
  invites: 'people are at home',
  ledger_totals: 'summed up anew when the account goes (src/cells/move/sums.ts)',
  memberships: 'people are at home',
  sessions: 'people are at home',
  smpp_binds: 'connections of this moment',
  welcome_credits: 'people are at home',
};

/** The numbers by which the rows of an account are found. */
export type Owned = { account: number; hooks: number[]; users: number[] };

/** As a condition of a publication, a trigger or a statement; never true where the account has none of the kind. */
export function ownedBy(table: MovedTable, owned: Owned, prefix = ''): string {
  const numbers = table.owner === 'account' ? [owned.account] : owned[table.owner];
  const column = `${prefix}${table.column}`;
  if (numbers.length === 0) return `${column} is null`;
  return numbers.length === 1 ? `${column} = ${numbers[0]}` : `${column} in (${numbers.join(', ')})`;
}
