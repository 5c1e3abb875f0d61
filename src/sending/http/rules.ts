// Decides what a carrier's answer means, by the first rule that fits. An answer that fits no rule is unknown, never sent; so is
// "sent" without the id that the receipt would name.

import type { Definition, Rule } from '../../carriers/http/definition.ts';
import type { Reason } from '../../orders/reasons.ts';
import type { SubmitVerdict } from '../../receipts/verdicts.ts';
import { holds, type Reading, readAs } from './read-answer.ts';

export type Judged =
  | { kind: 'sent'; id: string }
  | { kind: 'refused'; verdict: SubmitVerdict; words: string }
  /** Credit, password or address: the carrier is paused until staff look. */
  | { kind: 'account'; words: string }
  | { kind: 'unknown'; words: string };

const reasonsOf: Record<NonNullable<Rule['why']>, Reason> = { number: 12, sender: 13, text: 19, refused: 13 };
const busy: Reason = 17;

/** `ownId`: our id of the message. */
export function judge({ ids, answer }: Definition, status: number, body: string, ownId: string): Judged {
  const reading = readAs(answer.read, body);
  const rule = answer.rules.find(one => fits(one, status, reading));
  const words = wordsOf(status, rule?.words === undefined ? undefined : reading.at(rule.words));
  if (!rule) return { kind: 'unknown', words: `an answer that no rule knows: ${words}` };
  switch (rule.means) {
    case 'sent': {
      const id = ids === 'ours' ? ownId : (reading.at(rule.id ?? '') ?? '').trim();
      return id === '' ? { kind: 'unknown', words: `an answer without an id: ${words}` } : { kind: 'sent', id };
    }
    case 'retry':
      return { kind: 'refused', verdict: { kind: 'retry', reason: busy }, words };
    case 'slow':
      return { kind: 'refused', verdict: { kind: 'slow' }, words };
    case 'failed':
      return { kind: 'refused', verdict: { kind: 'failed', reason: reasonsOf[rule.why ?? 'refused'] }, words };
    case 'account':
      return { kind: 'account', words };
    case 'unknown':
      return { kind: 'unknown', words };
  }
}

function fits({ status: wanted, when = [] }: Rule, status: number, reading: Reading): boolean {
  const isStatus = !wanted || wanted.some(one => one === status || one === Math.floor(status / 100));
  return isStatus && when.every(one => holds(one, reading));
}

function wordsOf(status: number, words: string | undefined): string {
  const plain = words?.replace(/[^\x20-\x7e\u00a1-\u024f]+/g, ' ').trim();
  return plain ? `HTTP ${status}: ${plain}` : `HTTP ${status}`;
}
