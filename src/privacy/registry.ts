// Every column that can hold personal data: the kind of data, the owner of the table, when its rows are removed, how a
// number is erased. `peyk privacy erase` runs the erasers listed here and the task `retention` the removal steps; a
// test compares the list with migrations/schema.sql.
import type { Eraser } from '../db/erase.ts';
import type { RetentionStep } from '../db/retention.ts';
import { ofCustomers } from './of-customers.ts';
import { ofRecipients } from './of-recipients.ts';
import type { Counted, PersonalTable } from './personal-table.ts';

/** In the order in which a number is erased. */
export const personalTables: readonly PersonalTable[] = [...ofRecipients, ...ofCustomers];

/** Columns of text, bytes and lists in tables without personal data. */
export const impersonalTables: Record<string, string> = {
  account_moves: 'step status',
  audit_seals: 'digest',
  backup_state: 'chain trouble damage',
  carrier_errors: 'error',
  carrier_links: 'state last_error',
  carrier_words: 'word last_id',
  carriers:
    'name host system_id password system_type bind_type answer_id_format receipt_id_format long_messages prefixes unsure pause_reason wanted_by kind preset definition base_url api_user secrets copied',
  cell_names: 'kind name',
  cells: 'address',
  chunks: 'ids',
  consent_batches: 'request_id',
  consent_pauses: 'code',
  consent_sync: 'registry_url holder trouble',
  consent_usage: 'month',
  credentials: 'key hash_digest disabled_reason name scopes',
  credit_grants: 'key',
  data_home: 'system files folder jumped_for',
  dispatch_hold: 'reason detail',
  dispatchers: 'node working',
  inbound_numbers: 'number keyword',
  installation: 'name value',
  memberships: 'role',
  order_traces: 'span_id',
  recovery_codes: 'code_digest',
  registry_tokens: 'login state held',
  submits: 'smsc_id',
  this_cell: 'home',
  traffic_sums: 'sender source operator',
  webhook_outbox: 'kind message_ids',
  webhook_states: 'state reason',
};

export function erasers(): (Eraser | Counted)[] {
  return personalTables.flatMap(({ erase }) => (typeof erase === 'function' ? [erase] : []));
}

export function retentionSteps(): RetentionStep[] {
  return personalTables.flatMap(({ ends }) => ('statement' in ends ? [ends] : []));
}
