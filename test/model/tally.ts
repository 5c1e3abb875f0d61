// How often each kind of step was answered how.
import { operations } from '../../src/api/operations.ts';

const tally = new Map<string, number>();

export function count(kind: string, seen: unknown): void {
  const code = (seen as { code?: number } | null | undefined)?.code;
  const name = code === undefined ? kind : `${kind} ${code}`;
  tally.set(name, (tally.get(name) ?? 0) + 1);
}

export function tallied(): string {
  return [...tally]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, times]) => `${name}: ${times}`)
    .join(', ');
}

/** The kind of step that calls each operation. */
const kindOf: Record<string, string> = {
  'send-sms': 'send',
  'cancel-order': 'cancel',
  'get-report': 'report',
  'get-reports': 'reports',
  'get-balance': 'balance',
  'get-sender': 'senders',
  'get-blacklist': 'getBlacklist',
  'add-blacklist': 'addBlacklist',
  'delete-blacklist': 'deleteBlacklist',
  'iys-register': 'register',
  'iys-check': 'show',
  'get-inbox': 'getInbox',
};
/** More than 5,000 records in each of many sequences would show what one test shows (src/api/consent.test.ts). */
const leftOut = ['iys-register 475'];

/** Codes of the interface that no step was answered with. */
export function codesUnseen(): string[] {
  return operations.flatMap(({ name, codes }) =>
    [200, 401, ...codes]
      .filter(code => !leftOut.includes(`${name} ${code}`) && !tally.has(`${kindOf[name]} ${code}`))
      .map(code => `${name} ${code}`),
  );
}
