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

type Asked = { ownId: string; to: string };

/**
 * What the answer means for each message of the request. 'halve': all of a request with several were refused, though it may be for one
 * of them.
 */
export function judge(
  { ids, answer, batch }: Definition,
  status: number,
  body: string,
  messages: readonly Asked[],
): Judged[] | 'halve' {
  const reading = readAs(answer.read, body);
  const rule = answer.rules.find(one => fits(one, status, reading));
  if (batch?.list !== undefined && rule?.means === 'sent') {
    const entryOf = entries(batch, reading.list(batch.list), messages.length);
    return messages.map((message, i) => {
      const entry = entryOf(message, i);
      if (!entry)
        return { kind: 'unknown', words: `an answer without an entry for a message: ${wordsOf(status, undefined)}` };
      const ofEntry = batch.rules?.find(one => fits(one, status, entry));
      return meaning(ofEntry, status, entry, ids, message);
    });
  }
  if (rule?.means === 'failed' && messages.length > 1) return 'halve';
  return messages.map(message => meaning(rule, status, reading, ids, message));
}

/** Finds the entry of a message: by our id, by the last ten digits of its number, or by its position if none is missing. */
function entries({ id, number }: NonNullable<Definition['batch']>, list: Reading[], count: number) {
  const path = id ?? number;
  if (path === undefined) return (_: Asked, i: number) => (list.length === count ? list[i] : undefined);
  const keyOf = (text: string) => (id === undefined ? text.replace(/\D/g, '').slice(-10) : text);
  const found = new Map<string, Reading[]>();
  for (const entry of list) {
    const key = keyOf(entry.at(path) ?? '');
    found.set(key, [...(found.get(key) ?? []), entry]);
  }
  return ({ ownId, to }: Asked) => found.get(keyOf(id === undefined ? to : ownId))?.shift();
}

function meaning(
  rule: Rule | undefined,
  status: number,
  reading: Reading,
  ids: Definition['ids'],
  { ownId }: Asked,
): Judged {
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
    default:
      return { kind: rule.means, words };
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
