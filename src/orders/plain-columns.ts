// Plain orders of a batch as the columns that accept_many_4 takes: whatever several of them have alike is named once.
import { int2s, int4s, int8s, texts } from '../db/arrays.ts';
import { limits } from '../limits.ts';
import type { AcceptRequest } from './accept-request.ts';
import { chunkSize } from './chunk-size.ts';
import { encodingCode } from './encodings.ts';

/** The parameters of accept_many_4. */
export function plainColumns(
  requests: AcceptRequest[],
  groups: number[] | null,
  announced: string,
  closeAfterMs: number,
): unknown[] {
  const submitAt = requests[0]!.submitAt;
  const callers = new Callers();
  const callerNos = requests.map(one => callers.numberOf(one));
  const origins = new Origins();
  const originNos = requests.map(one => origins.numberOf(one.smpp));
  const locks = requests.some(one => one.repeatable) ? duplicateLocks(requests) : null;
  return [
    ...callers.parameters(),
    submitAt.toISOString(),
    new Date(submitAt.getTime() + closeAfterMs).toISOString(),
    new Date(submitAt.getTime() - limits.duplicateWindowMs).toISOString(),
    int4s(callerNos),
    texts(requests.map(one => one.source)),
    `{${requests.map(one => one.recipients.fingerprint).join(',')}}`,
    texts(requests.map(one => one.texts[0]!.text)),
    int2s(requests.map(one => encodingCode(one.texts[0]!.encoding))),
    int2s(requests.map(one => one.texts[0]!.parts)),
    int8s(requests.map(one => one.recipients.numbers[0]!)),
    locks && `{${locks.join(',')}}`,
    locks?.some((name, i) => name === locks[i - 1]) ?? false,
    announced,
    origins.list.length > 0 ? origins.list : null,
    origins.list.length > 0 ? int4s(originNos) : null,
    Math.min(...requests.map(chunkSize)),
    groups && int4s(groups),
  ];
}

/** A lock for each pair of account and fingerprint, sorted, so that two batches cannot wait for one another. */
function duplicateLocks(requests: AcceptRequest[]): BigInt64Array {
  return BigInt64Array.from(requests, one => one.recipients.fingerprint ^ BigInt(one.accountId)).sort();
}

/** What orders of SMPP remember of it, each once in a batch, counted from 1; 0 for none. */
class Origins {
  readonly list: string[] = [];
  readonly #known = new Map<string | null, number>([[null, 0]]);

  numberOf(origin: string | null): number {
    const known = this.#known.get(origin);
    if (known !== undefined) return known;
    this.#known.set(origin, this.list.push(origin!));
    return this.list.length;
  }
}

/** Who sends, each named once in a batch, counted from 1. */
class Callers {
  readonly #list: AcceptRequest[] = [];

  numberOf(request: AcceptRequest): number {
    const { accountId, sender, stamp } = request;
    const same = (one: AcceptRequest) => one.accountId === accountId && one.sender === sender && one.stamp === stamp;
    const known = this.#list.findIndex(same);
    return known < 0 ? this.#list.push(request) : known + 1;
  }

  parameters(): unknown[] {
    const list = this.#list;
    return [
      int8s(list.map(one => one.accountId)),
      texts(list.map(one => one.sender)),
      list.map(one => one.stamp),
      list.map(one => one.hooked),
    ];
  }
}
