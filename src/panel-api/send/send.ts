// Sending from the panel: options of the form, the dry run, the order, which takes the same path as one of the API. Lists are
// sent from a stored draft (drafts.ts); here recipients come with the message and become one order.

import { createHash } from 'node:crypto';
import { acceptOrder } from '../../accept/accept.ts';
import type { OrderDraft } from '../../accept/draft.ts';
import { findRepeat } from '../../accept/idempotency.ts';
import { readRecipients } from '../../accept/recipients.ts';
import { readBalance } from '../../balance/ledger.ts';
import type { DraftHead, ListShape } from '../../drafts/drafts.ts';
import { ListWalk, type Slice } from '../../drafts/walk.ts';
import { limits } from '../../limits.ts';
import { findUser, mobileText } from '../../people/users.ts';
import { testSender } from '../../senders/senders.ts';
import { Refusal } from '../../status.ts';
import { auditEntry } from '../audit/audit-entry.ts';
import { homeDb } from '../call/cells.ts';
import type { AccountCall, Given, Handlers } from '../call/context.ts';
import { bad } from '../contract/input.ts';
import { sendersByUse } from '../senders/sender-list.ts';
import { PanelRefusal } from '../words/errors.ts';
import { batchesOf } from './batches.ts';
import { columnsOfSlice, type SliceColumns, storeSliceColumns } from './columns.ts';
import { orderDraft, readInlineList, readSendHead, sendTime } from './form.ts';
import { findEarlierOrder } from './order-duplicate.ts';
import { previewSend } from './preview.ts';

export const sendHandlers = {
  async 'send.options'(call) {
    const { account } = call;
    const used = await sendersByUse(call.db, account.id);
    const user = await findUser(homeDb(call), call.session.userId);
    return {
      senders: account.senders.length ? used : [testSender],
      mode: account.mode,
      abroad: account.abroad,
      brands: account.brands,
      balance: (await readBalance(call.db, account.id))!.sms,
      rate: account.rate,
      operatorCode: call.options.operatorCode,
      ownMobile: mobileText(user?.mobile ?? null),
      recipientsMax: limits.recipientsPerOrder,
      partsMax: limits.partsMax,
    };
  },

  async 'send.prepare'(call) {
    const head = readSendHead(call.input);
    const { walk, slices } = inlineWalk(call, head);
    return await previewSend(call.db, call.account, head, walk, batchesOf(head, slices, call.now), call.now);
  },

  async 'send.submit'(call) {
    const key = call.input.idempotencyKey;
    if (!/^[\x21-\x7e]{8,200}$/.test(key)) throw bad('idempotencyKey');
    // The key of a browser's draft must not equal a key that an API client chose.
    const idempotency = { key: `panel ${key}`, bodyDigest: digestOf(call) };
    const repeated = await findRepeat(call.db, call.account.id, idempotency, call.now);
    const { draft, columns } = await readOrder(call);
    if (repeated) {
      // The process may have died between storing the order and its columns.
      await storeSliceColumns(call.db, call.account.id, [repeated], [columns]);
      return { orderId: repeated };
    }
    const orderId = await acceptOrder(call.orders, call.account, draft, idempotency, call.now).catch(error =>
      nameEarlierOrder(call, draft, error),
    );
    await storeSliceColumns(call.db, call.account.id, [orderId], [columns]);
    await auditEntry(call, 'order.send', { orderId });
    return { orderId };
  },
} satisfies Partial<Handlers>;

function inlineWalk(
  call: AccountCall & Given<'send.prepare'>,
  head: DraftHead,
): { walk: ListWalk; slices: AsyncGenerator<Slice>; shape: ListShape } {
  const { shape, cells } = readInlineList(call.input);
  // One order, however many recipients: the order itself refuses too many (452).
  const walk = new ListWalk(head, shape, cells.length, call.account.abroad, Number.POSITIVE_INFINITY);
  return { walk, slices: walk.slices([cells]), shape };
}

async function readOrder(
  call: AccountCall & Given<'send.submit'>,
): Promise<{ draft: OrderDraft; columns: SliceColumns | null }> {
  const head = readSendHead(call.input);
  const { slices, shape } = inlineWalk(call, head);
  const slice: Slice = (await slices.next()).value ?? { texts: [], recipients: 0 };
  return {
    draft: orderDraft(head, slice, sendTime(head), sourceOf(call)),
    columns: await columnsOfSlice(shape, slice, call.account.abroad),
  };
}

export function sourceOf(call: AccountCall): string {
  return `panel:${call.session.userId}`;
}

function digestOf(call: Given<'send.submit'>): Buffer {
  const { idempotencyKey: _, ...draft } = call.input;
  return createHash('sha256').update(JSON.stringify(draft)).digest();
}

export async function nameEarlierOrder(call: AccountCall, draft: OrderDraft, error: unknown): Promise<never> {
  if (!(error instanceof Refusal) || error.code !== 451) throw error;
  const { fingerprint } = await readRecipients(draft, call.account.abroad);
  const orderId = await findEarlierOrder(call.db, call.account.id, fingerprint, call.now);
  if (orderId === null) throw error;
  throw new PanelRefusal('451', { orderId, field: 'text' });
}
