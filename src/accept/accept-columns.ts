// Writes orders as the arrays that the function `accept` takes: an element is an order, a recipient or a further text.
// A column that a caller fills is a member of `StoredAsGiven` (draft.ts) and an entry of `orderColumns`.
import { createHash } from 'node:crypto';
import { booleans, int2s, int4s, int8s, texts } from '../db/arrays.ts';
import type { Sql } from '../db/db.ts';
import { limits } from '../limits.ts';
import { encodingCodes } from '../orders/encodings.ts';
import { chunkSize } from '../queue/chunk-size.ts';
import { sealDigest } from '../sealing/content.ts';
import type { AcceptRequest } from './accept-request.ts';

/** `isUnpaid`: the caller takes the credit. */
type AcceptWay = { closeAfterMs: number; isStrict: boolean; isUnpaid: boolean };

/** The type new_orders, in its order. A column that no order uses is null. */
const orderColumns: ((requests: AcceptRequest[]) => unknown)[] = [
  all => int8s(all.map(one => one.accountId)),
  all => int8s(all.map(one => one.stamp)),
  all => texts(all.map(one => one.sender)),
  all => texts(all.map(one => one.given.source)),
  all => `{${all.map(one => one.recipients.fingerprint).join(',')}}`,
  all => booleans(all.map(one => one.repeatable)),
  all => int2s(all.map(one => one.lane)),
  all => unlessNone(all.map(one => one.consentList)),
  all => unlessNone(all.map(one => one.sendAt?.toISOString())),
  all => texts(all.map(one => one.texts[0]!.text)),
  all => int2s(all.map(one => encodingCodes[one.texts[0]!.encoding])),
  all => int2s(all.map(one => one.texts[0]!.parts)),
  all => int4s(all.map(one => one.recipients.numbers.length)),
  all => int4s(all.map(chunkSize)),
  all => unlessNone(all.map(one => one.idempotency?.key)),
  all => unlessNone(all.map(one => one.idempotency && sealDigest(one.idempotency.bodyDigest))),
  all => unlessNone(all.map(one => one.given.smpp)),
];

export type Accepted = { codes: number[]; ids: number[]; prices: number[] };
const more = orderColumns.length + 1;
const parameters = `row(${placeholders(1, orderColumns.length)})::new_orders, row(${placeholders(more, 5)})::new_recipients,
    row(${placeholders(more + 5, 5)})::new_texts, ${placeholders(more + 10, 7)}`;
/** Within a transaction of the caller. */
export const acceptSql: Sql<Accepted> = {
  name: 'accept orders',
  text: `select codes, order_ids as ids, prices from accept(${parameters})`,
};
/** A transaction of its own. */
export const acceptDurablySql: Sql<Accepted> = {
  name: 'accept orders durably',
  text: `call accept_durably(${parameters}, null, null, null)`,
};

function placeholders(first: number, count: number): string {
  return Array.from({ length: count }, (_, i) => `$${first + i}`).join(', ');
}

/** The parameters of `acceptSql`. */
export function acceptColumns(requests: AcceptRequest[], { closeAfterMs, isStrict, isUnpaid }: AcceptWay): unknown[] {
  const locks = locksOf(requests);
  return [
    ...orderColumns.map(column => column(requests)),
    ...recipientColumns(requests),
    ...textColumns(requests),
    locks.length > 0 ? `{${locks.join(',')}}` : null,
    requests[0]!.submitAt.toISOString(),
    `${closeAfterMs} ms`,
    `${limits.duplicateWindowMs} ms`,
    `${limits.idempotencyWindowMs} ms`,
    isStrict,
    isUnpaid,
  ];
}

/** The type new_recipients: the recipients of all orders, one order after the other. */
function recipientColumns(requests: AcceptRequest[]): unknown[] {
  const [first] = requests;
  const isOne = requests.length === 1;
  const isMixed = requests.some(one => one.recipients.textNos !== null);
  return [
    isOne ? null : int4s(requests.flatMap(({ recipients }, i) => recipients.numbers.map(() => i + 1))),
    int8s(isOne ? first!.recipients.numbers : requests.flatMap(one => one.recipients.numbers)),
    isMixed ? int4s(requests.flatMap(one => one.recipients.textNos ?? one.recipients.numbers.map(() => 1))) : null,
    isMixed ? int2s(requests.flatMap(creditsOf)) : null,
    requests.some(one => one.recipients.badAt.length > 0) ? requests.flatMap(givenOf) : null,
  ];
}

function creditsOf({ recipients, texts }: AcceptRequest): number[] {
  return recipients.numbers.map((_, i) => texts[(recipients.textNos?.[i] ?? 1) - 1]!.parts);
}

/** The given text of each bad number. */
function givenOf({ recipients: { numbers, badAt, badTexts } }: AcceptRequest): (string | null)[] {
  const given: (string | null)[] = numbers.map(() => null);
  for (const [i, at] of badAt.entries()) given[at - 1] = badTexts[i]!;
  return given;
}

/** The type new_texts: further texts of each order; the first is stored with the order. */
function textColumns(requests: AcceptRequest[]): unknown[] {
  const more = requests.flatMap((one, i) => one.texts.slice(1).map((text, at) => ({ owner: i + 1, no: at + 2, text })));
  if (more.length === 0) return [null, null, null, null, null];
  return [
    int4s(more.map(one => one.owner)),
    int4s(more.map(one => one.no)),
    texts(more.map(one => one.text.text)),
    int2s(more.map(one => encodingCodes[one.text.encoding])),
    int2s(more.map(one => one.text.parts)),
  ];
}

function unlessNone<T>(values: (T | null | undefined)[]): unknown {
  return values.some(value => value != null) ? values : null;
}

/** Names that two orders in one batch must not share: the idempotency key, and the fingerprint where duplicates are refused. */
export function namesOf({ accountId, idempotency, repeatable, recipients }: AcceptRequest): string[] {
  const names = repeatable ? [`${accountId} ${recipients.fingerprint}`] : [];
  return idempotency ? [...names, `${accountId} key ${idempotency.key}`] : names;
}

/** Sorted, so that two batches cannot deadlock. */
function locksOf(requests: AcceptRequest[]): BigInt64Array {
  const locks = requests.flatMap(one => [
    ...(one.repeatable ? [one.recipients.fingerprint ^ BigInt(one.accountId)] : []),
    ...(one.idempotency ? [keyLock(one.accountId, one.idempotency.key)] : []),
  ]);
  return BigInt64Array.from(locks).sort();
}

function keyLock(accountId: number, key: string): bigint {
  return createHash('sha256').update(`${accountId} ${key}`).digest().readBigInt64LE(0);
}
