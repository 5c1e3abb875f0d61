// Personal data of recipients and of people who write to an account, in the order in which a number is erased.
import { eraseRefusedItems, refusedItemsEnd } from '../db/refused-items.ts';
import { eraseFromDrafts } from '../drafts/erase.ts';
import { eraseExports } from '../exports/erase.ts';
import { eraseInboundOfAll, eraseInboundParts, eraseUnrouted } from '../inbound/erase.ts';
import { messagesEnd, partsEnd, seenEnd, unroutedEnd } from '../inbound/retention.ts';
import { eraseMessagesOfAll } from '../orders/erase.ts';
import { secretsEnd } from '../orders/retention.ts';
import { eraseDoubts, eraseReceipts } from '../receipts/erase.ts';
import { eraseParts } from '../smpp-server/erase.ts';
import { eraseDeliveries } from '../webhooks/erase.ts';
import { type PersonalTable, soon } from './personal-table.ts';

const orderDays = 'PEYK_RETENTION_DAYS';

export const ofRecipients: PersonalTable[] = [
  {
    table: 'account_parcels',
    owner: 'cells',
    holds: { rows: 'file' },
    besides: 'name',
    ends: { task: 'moves', after: 'the move of its account' },
    // The command tells the operator to run it again when no account is being moved.
    erase: soon('minutes'),
  },
  {
    table: 'exports',
    owner: 'exports',
    holds: { filter: 'text' },
    besides: 'kind format language state',
    ends: { task: 'exports', after: '1 day' },
    // First, because it must find the accounts that have the number.
    erase: eraseExports,
  },
  {
    table: 'export_pieces',
    owner: 'exports',
    holds: { content: 'file' },
    besides: '',
    ends: { with: 'exports' },
    erase: { with: 'exports' },
  },
  {
    table: 'messages',
    owner: 'orders',
    holds: { number: 'number', given: 'number' },
    besides: '',
    ends: { task: 'order retention', after: orderDays },
    erase: eraseMessagesOfAll,
  },
  {
    table: 'message_numbers',
    owner: 'orders',
    holds: { number: 'number' },
    besides: '',
    ends: { with: 'messages' },
    erase: { with: 'messages' },
  },
  {
    table: 'orders',
    owner: 'orders',
    holds: { text: 'text' },
    besides: 'sender consent_list source state smpp',
    ends: { task: 'order retention', after: orderDays },
    erase: { with: 'messages' },
  },
  {
    table: 'more_texts',
    owner: 'orders',
    holds: { text: 'text' },
    besides: '',
    ends: { with: 'orders' },
    erase: { with: 'messages' },
  },
  {
    table: 'order_columns',
    owner: 'orders',
    holds: { names: 'text', content: 'file' },
    besides: '',
    ends: { with: 'orders' },
    erase: { with: 'messages' },
  },
  {
    table: 'order_secrets',
    owner: 'orders',
    holds: { sealed: 'text' },
    besides: 'key',
    ends: secretsEnd,
    erase: soon('a day'),
  },
  {
    table: 'idempotency_keys',
    owner: 'orders',
    // Made by the customer's program; some contain the number.
    holds: { key: 'number' },
    besides: 'body_digest',
    ends: { task: 'order retention', after: '1 day' },
    erase: soon('a day'),
  },
  {
    table: 'inbound_messages',
    owner: 'inbound',
    holds: { number: 'number', number_text: 'number', text: 'text' },
    besides: 'recipient effect keyword',
    ends: messagesEnd,
    erase: eraseInboundOfAll,
  },
  {
    table: 'inbound_unrouted',
    owner: 'inbound',
    holds: { sender: 'number', text: 'text' },
    besides: 'recipient',
    ends: unroutedEnd,
    erase: eraseUnrouted,
  },
  {
    table: 'inbound_parts',
    owner: 'inbound',
    holds: { sender: 'number', text: 'text' },
    besides: 'recipient',
    ends: partsEnd,
    erase: eraseInboundParts,
  },
  {
    table: 'inbound_seen',
    owner: 'inbound',
    // The provider's id of a message; some contain the number.
    holds: { foreign_id: 'number' },
    besides: '',
    ends: seenEnd,
    erase: soon('7 days'),
  },
  {
    table: 'receipts',
    owner: 'receipts',
    holds: { number: 'number' },
    besides: 'smsc_id',
    ends: { task: 'receipt retention', after: '3 days' },
    erase: eraseReceipts,
  },
  {
    table: 'receipt_inbox',
    owner: 'receipts',
    holds: { numbers: 'number' },
    besides: 'ids messages',
    ends: { task: 'receipts', after: 'seconds' },
    erase: soon('seconds'),
  },
  {
    table: 'unsure',
    owner: 'receipts',
    holds: { number: 'number' },
    besides: '',
    ends: { task: 'receipt retention', after: '3 days' },
    // After messages.
    erase: eraseDoubts,
  },
  {
    table: 'refused_items',
    owner: 'db',
    holds: { item: 'file', error: 'text' },
    besides: 'what',
    ends: refusedItemsEnd,
    erase: eraseRefusedItems,
  },
  {
    table: 'send_drafts',
    owner: 'drafts',
    holds: { head: 'text', shape: 'text' },
    besides: 'order_ids',
    ends: { task: 'draft retention', after: '30 days' },
    erase: eraseFromDrafts,
  },
  {
    table: 'send_draft_pieces',
    owner: 'drafts',
    holds: { content: 'file' },
    besides: '',
    ends: { with: 'send_drafts' },
    erase: { with: 'send_drafts' },
  },
  {
    table: 'smpp_groups',
    owner: 'smpp-server',
    holds: { recipient: 'number' },
    besides: 'sender',
    ends: { task: 'SMPP parts', after: '3 days' },
    erase: eraseParts,
  },
  {
    table: 'smpp_parts',
    owner: 'smpp-server',
    holds: { text: 'text' },
    besides: 'origin',
    ends: { with: 'smpp_groups' },
    erase: { with: 'smpp_groups' },
  },
  {
    table: 'webhook_deliveries',
    owner: 'webhooks',
    holds: { body: 'file', answer_body: 'text', error: 'text' },
    besides: 'kind event state signature',
    ends: { task: 'webhook retention', after: '14 days' },
    erase: eraseDeliveries,
  },
  {
    table: 'blacklist_entries',
    owner: 'blacklist',
    holds: { number: 'number', note: 'text' },
    besides: 'source',
    ends: { stays: 'until the account removes it: a refusal is honoured for good' },
    erase: { kept: 'without it a refusal could not be honoured' },
  },
  {
    table: 'consent_records',
    owner: 'consent',
    holds: { recipient: 'number', refusal_text: 'text' },
    besides: 'recipient_type type status source origin sync_state request_id transaction_id refusal_code waiting_code',
    ends: { stays: 'the law asks for proof of consent' },
    erase: { kept: 'the law asks for proof of consent' },
  },
  {
    table: 'consent_cursors',
    owner: 'consent',
    holds: { reconcile_recipient: 'number' },
    besides: 'after reconcile_type reconcile_recipient_type',
    ends: { stays: 'one row of each brand: how far its register was compared' },
    erase: { kept: 'it moves on with the next comparison' },
  },
];
