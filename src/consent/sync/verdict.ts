// Interprets the refusal of a record. Usually it is final. But a retry of a record that the registry has stored can be refused
// for its age (three business days) although the first attempt counted; then the stored record decides.
import { toTurkeyTime } from '../../time/clock.ts';
import type { Movement } from '../registry/answer.ts';
import type { Failed } from '../registry/outcome.ts';
import type { Sync } from './context.ts';
import type { QueuedRecord, Verdict } from './queue.ts';

const tooOld = 'H467';
const twiceInBatch = 'H194';
const retryMs = 60_000;

export async function verdictOnRefusal(sync: Sync, record: QueuedRecord, code: string): Promise<Verdict> {
  // We never put an address into a batch twice; if the registry reports it, the second one goes with another batch.
  if (code === twiceInBatch) return { state: 'queued', code, afterMs: 1_000 };
  if (code === tooOld && record.attempts > 1) return verdictByWhatIsStored(sync, record);
  return { state: 'refused', code };
}

async function verdictByWhatIsStored(sync: Sync, record: QueuedRecord): Promise<Verdict> {
  const current = await sync.client.statusOf(record.brand, record);
  if (current.kind !== 'ok') return askAgain(current);
  if (current.consent === null) return { state: 'refused', code: tooOld };
  if (isSame(current.consent, record)) return accepted(current.consent);
  // Only a later movement can hide ours.
  if (current.consent.consentDate <= record.consentDate) return { state: 'refused', code: tooOld };
  const past = await sync.client.history(record.brand, record);
  if (past.kind !== 'ok') return askAgain(past);
  const found = past.list.find(movement => isSame(movement, record));
  return found ? accepted(found) : { state: 'refused', code: tooOld };
}

function isSame(movement: Movement, record: QueuedRecord): boolean {
  return (
    movement.status === record.status &&
    movement.source === record.source &&
    toTurkeyTime(movement.consentDate) === toTurkeyTime(record.consentDate)
  );
}

function accepted({ transactionId }: Movement): Verdict {
  return { state: 'accepted', transactionId };
}

function askAgain(failure: Failed): Verdict {
  return { state: 'queued', code: tooOld, afterMs: failure.kind === 'later' ? failure.afterMs : retryMs };
}
