// Messages from phones to numbers that no account has, in every cell: read, assigned to an account, deleted.
import { addInboundNumber } from '../../inbound/numbers.ts';
import { deleteUnrouted, newestUnrouted, routeStored, type UnroutedLine } from '../../inbound/unrouted.ts';
import { staffAuditEntry } from '../audit/audit-entry.ts';
import { askEach, listOfCells, requireNoneSilent } from '../call/cells.ts';
import type { Handlers } from '../call/context.ts';
import { iso } from '../contract/input.ts';
import { PanelRefusal } from '../words/errors.ts';
import { requireAccount } from './accounts.ts';

const shownMax = 200;
const routedMax = 2_000;

export const staffUnroutedHandlers = {
  async 'staff.unrouted'(call) {
    const found = await listOfCells(call, db => newestUnrouted(db, shownMax + 1));
    const newest = found.sort((a, b) => b.receivedAt.getTime() - a.receivedAt.getTime()).slice(0, shownMax);
    return {
      numbers: numbersOf(newest),
      messages: newest.map(({ id, cell, number, sender, text, receivedAt }) => ({
        key: `${cell}.${id}`,
        number,
        from: sender,
        text,
        receivedAt: iso(receivedAt)!,
      })),
      isComplete: found.length <= shownMax,
    };
  },

  async 'staff.assignUnrouted'(call) {
    const accountId = await requireAccount(call);
    const { keyword = '' } = call.input;
    const number = await addInboundNumber(call.db, accountId, call.input.number, keyword).then(
      added => added.number,
      error => {
        const isTaken = /another account/.test((error as Error).message);
        throw new PanelRefusal(isTaken ? 'number-taken' : 'bad-number', { field: 'number' });
      },
    );
    const { answers, silent } = await askEach(call, (db, cell) => routeStored(db, cell, call.db, number, routedMax));
    const routed = answers.reduce((sum, one) => sum + one, 0);
    await staffAuditEntry(call, 'number.add', accountId, { number, keyword, messages: routed });
    requireNoneSilent(silent);
    return { routed, isComplete: answers.every(one => one < routedMax) };
  },

  async 'staff.deleteUnrouted'(call) {
    const { number, until } = call.input;
    const { answers, silent } = await askEach(call, db => deleteUnrouted(db, number, until));
    const deleted = answers.reduce((sum, one) => sum + one, 0);
    await staffAuditEntry(call, 'unrouted.delete', null, { number, messages: deleted });
    requireNoneSilent(silent);
    return { deleted };
  },
} satisfies Partial<Handlers>;

/** The number with the newest message first. */
function numbersOf(newest: UnroutedLine[]) {
  const numbers = new Map<string, { number: string; messages: number; lastAt: string; firstWord: string }>();
  for (const { number, text, receivedAt } of newest) {
    const known = numbers.get(number);
    if (known) known.messages++;
    else
      numbers.set(number, {
        number,
        messages: 1,
        lastAt: iso(receivedAt)!,
        firstWord: text.trim().split(/\s+/, 1)[0]!,
      });
  }
  return [...numbers.values()];
}
