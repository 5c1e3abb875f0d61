// Adds the outcome of a message to the recorder: accepted by a carrier, failed, or postponed.

import { normaliseMessageId } from '../carriers/message-ids.ts';
import type { Reason } from '../orders/reasons.ts';
import type { Recorder } from '../receipts/recorder.ts';
import type { ChunkRun } from './chunk-run.ts';
import type { Flight } from './flight.ts';
import type { Link } from './links/link.ts';

const postponedMax = 500;

/** The carrier accepted a part under this id, perhaps after its time limit: a message with a late answer is not sent again. */
export function noteSubmit(recorder: Recorder, link: Link<Flight>, flight: Flight, messageId: string): void {
  const { carrier } = link;
  const { run, index, part, parts } = flight;
  const id = normaliseMessageId(messageId, carrier.answerIdFormat);
  const { ids, numbers } = run.facts;
  recorder.submitted(carrier.id, id, ids[index]!, numbers[index]!, part + 1, parts);
}

/** The message ends as 112. */
export function noteFailure(recorder: Recorder, run: ChunkRun, index: number, reason: Reason): void {
  recorder.batch.addEnd(run.facts.ids[index]!, 112, reason);
  recorder.added();
}

/** `carrier`, `writtenMs`: for a submit without an answer. */
export type Postponed = {
  kind: 1 | 2 | 3;
  delayMs: number;
  attempts: number;
  carrier: number | null;
  writtenMs: number | null;
};

/**
 * Kinds: 1 = retry, 2 = may be on the air, 3 = cannot be sent. Messages of one account with the same kind share an entry. Nothing is added
 * for a chunk whose lease we lost: its new owner decides.
 */
export function notePostponed(recorder: Recorder, run: ChunkRun, index: number, how: Postponed): void {
  if (run.abandoned) return;
  const { facts } = run;
  const { later } = recorder.batch;
  const { accountId: account, lane } = facts;
  const attempt = facts.attempt + how.attempts;
  const id = facts.ids[index]!;
  const { kind, delayMs: delay_ms, carrier } = how;
  const single = !run.long.has(index);
  const shared = { account, lane, kind, attempt, delay_ms, carrier, single };
  const names = Object.keys(shared) as (keyof typeof shared)[];
  const known = later.findLast(one => names.every(name => one[name] === shared[name]));
  if (known && known.ids.length < postponedMax) {
    known.ids.push(id);
    known.written.push(how.writtenMs);
  } else later.push({ ...shared, ids: [id], written: [how.writtenMs] });
  recorder.added();
}
