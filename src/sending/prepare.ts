// Prepares a leased chunk for writing. Each step may remove messages: a revoked sender, an ended validity, recipients who objected since
// the order was accepted.

import type { Db } from '../db/db.ts';
import { isPoison } from '../db/poison.ts';
import type { Log } from '../log.ts';
import { encodingName } from '../orders/encodings.ts';
import { revealSecret } from '../orders/order-secrets.ts';
import type { Reason } from '../orders/reasons.ts';
import type { AccountPaces } from '../queue/account-pace.ts';
import { blockedReasons, type ClaimedChunk, type OrderFacts } from '../queue/claim.ts';
import type { Recorder } from '../receipts/recorder.ts';
import { openText } from '../sealing/content.ts';
import type { SecretKey } from '../sealing/secrets.ts';
import { monotonicMs, nowMs } from '../time/clock.ts';
import { ChunkRun, type RunOrder } from './chunk-run.ts';
import type { Flight } from './flight.ts';
import type { Router } from './links/router.ts';

export type PrepareParts = {
  db: Db;
  /** Unseals texts. */
  key: SecretKey;
  log: Log;
  router: Router<Flight>;
  recorder: Recorder;
  validityMs: number;
};

type Ends = Map<number, Reason>;

/** May be repeated when the database fails in between. */
export async function prepareChunk(
  parts: PrepareParts,
  paces: AccountPaces,
  chunk: ClaimedChunk,
  lane: 0 | 1,
): Promise<ChunkRun> {
  chunk.ids ??= [];
  chunk.numbers ??= [];
  takeOut(parts.recorder, chunk, await whoMustNot(parts, chunk));
  const orders: [number, RunOrder][] = [];
  for (const facts of chunk.ids.length > 0 ? chunk.facts! : [])
    orders.push([facts.id, await readOrder(parts, chunk.accountId, facts)]);
  return new ChunkRun({
    chunkId: chunk.chunkId!,
    token: chunk.token,
    accountId: chunk.accountId,
    lane,
    small: chunk.rank === 0,
    attempt: chunk.attempt,
    pace: paces.of(chunk.accountId, chunk.rate),
    ids: chunk.ids,
    places: chunk.places,
    numbers: chunk.numbers,
    textNos: chunk.textNos,
    orderIds: chunk.orders,
    orders: new Map(orders),
    firstMessageId: chunk.firstMessageId,
    claimedMark: chunk.mark,
  });
}

/** Settles messages of a chunk without writing them. */
function takeOut(recorder: Recorder, chunk: ClaimedChunk, ends: Ends): void {
  if (ends.size === 0) return;
  for (const [id, reason] of ends) recorder.batch.addEnd(id, 112, reason);
  recorder.added();
  const stays = chunk.ids!.map(id => !ends.has(id));
  for (const name of ['numbers', 'places', 'textNos', 'orders', 'ids'] as const)
    chunk[name] = chunk[name]?.filter((_, i) => stays[i]) ?? null;
}

async function whoMustNot(parts: PrepareParts, chunk: ClaimedChunk): Promise<Ends> {
  const { ids, numbers, orders, facts, accountId, recheck } = chunk;
  const ends: Ends = new Map();
  for (const order of facts ?? []) {
    const places = [...ids!.keys()].filter(i => orders === null || orders[i] === order.id);
    const isLate = order.sendAtMs + parts.validityMs < nowMs();
    if (!order.senderOk || isLate) for (const i of places) ends.set(ids![i]!, order.senderOk ? 18 : 4);
    else if (recheck && places.length > 0) {
      const asked = places.map(i => numbers![i]!);
      const reasons = (await blockedReasons(parts.db, accountId, asked, order.list)) as (Reason | 0)[];
      for (const [at, i] of places.entries()) if (reasons[at]) ends.set(ids![i]!, reasons[at]);
    }
  }
  return ends;
}

/** An order that cannot be read has no texts: the pump sets its messages aside. */
async function readOrder(parts: PrepareParts, accountId: number, facts: OrderFacts): Promise<RunOrder> {
  const { id, sender, sendAtMs, list } = facts;
  const consent = list === null ? 'none' : list === 'TACIR' ? 'merchant' : 'individual';
  const order: RunOrder = { id, sender, texts: new Map(), deadlineMs: Number.POSITIVE_INFINITY };
  try {
    if (!Number.isFinite(sendAtMs)) throw new RangeError(`order ${id} has no time`);
    order.deadlineMs = monotonicMs() + sendAtMs + parts.validityMs - nowMs();
    const first = { no: 1, text: facts.text, encoding: facts.encoding };
    for (const { no, text, encoding: code } of [first, ...(facts.more ?? [])]) {
      const plain = await revealSecret(parts.db, parts.key, { accountId, orderId: id }, openText(text));
      const encoding = encodingName(code);
      if (!encoding) throw new RangeError(`order ${id} has the unknown encoding ${code}`);
      order.texts.set(no, { sender, text: plain, encoding, consent });
    }
  } catch (error) {
    if (!isPoison(error)) throw error;
    parts.log.error({ account: accountId, order: id, error: (error as Error).message }, 'order cannot be read');
    order.texts.clear();
  }
  return order;
}
