// Writes orders as the arrays that the function `accept` takes: an element is an order, a recipient or a further text.
import { createHash } from 'node:crypto';
import { booleans, int2s, int4s, int8s, texts } from '../db/arrays.ts';
import { limits } from '../limits.ts';
import { encodingCode } from '../orders/encodings.ts';
import { chunkSize } from '../queue/chunk-size.ts';
import { sealDigest } from '../sealing/content.ts';
import type { AcceptRequest } from './accept-request.ts';

/** `isUnpaid`: the caller takes the credit. */
type AcceptWay = { closeAfterMs: number; isStrict: boolean; isUnpaid: boolean };

export function acceptColumns(requests: AcceptRequest[], { closeAfterMs, isStrict, isUnpaid }: AcceptWay): unknown[] {
  const locks = locksOf(requests);
  return [
    ...orderColumns(requests),
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

/** The type new_orders. A column that no order uses is null. */
function orderColumns(requests: AcceptRequest[]): unknown[] {
  return [
    int8s(requests.map(one => one.accountId)),
    int8s(requests.map(one => one.stamp)),
    texts(requests.map(one => one.sender)),
    texts(requests.map(one => one.source)),
    `{${requests.map(one => one.recipients.fingerprint).join(',')}}`,
    booleans(requests.map(one => one.repeatable)),
    int2s(requests.map(one => one.lane)),
    unlessNone(requests.map(one => one.consentList)),
    unlessNone(requests.map(one => one.sendAt?.toISOString() ?? null)),
    texts(requests.map(one => one.texts[0]!.text)),
    int2s(requests.map(one => encodingCode(one.texts[0]!.encoding))),
    int2s(requests.map(one => one.texts[0]!.parts)),
    int4s(requests.map(one => one.recipients.numbers.length)),
    int4s(requests.map(chunkSize)),
    unlessNone(requests.map(one => one.idempotency?.key ?? null)),
    unlessNone(requests.map(one => one.idempotency && sealDigest(one.idempotency.bodyDigest))),
    unlessNone(requests.map(one => one.smpp)),
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
    int2s(more.map(one => encodingCode(one.text.encoding))),
    int2s(more.map(one => one.text.parts)),
  ];
}

function unlessNone<T>(values: (T | null)[]): (T | null)[] | null {
  return values.some(value => value !== null) ? values : null;
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
