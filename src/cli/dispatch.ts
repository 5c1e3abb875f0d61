// Commands about dispatch as a whole: show whether and why it is held, hold it, release it.
import { recordAuditEntry } from '../accounts/audit-log.ts';
import {
  closeHeld,
  type DispatchHold,
  holdDispatch,
  holdOldData,
  holdReasons,
  readHold,
  releaseDispatch,
} from '../queue/dispatch-hold.ts';
import { toTurkeyTime } from '../time/clock.ts';
import { type CellResult, type Command, operator, UsageError } from './command.ts';

type Status = { held: false } | { held: true; reason: DispatchHold['reason']; detail: string; since: string };

export const dispatchCommands: Command[] = [
  {
    words: 'dispatch status',
    args: [],
    everywhere: firstHeld,
    help: 'show whether sending is held, since when and why',
    run: async ({ db }) => shown(await readHold(db)),
    show: words,
  },
  {
    words: 'dispatch hold',
    args: [],
    everywhere: firstHeld,
    flags: {
      reason: 'the reason, shown to operators',
      'old-data':
        'the data were restored from a snapshot of a volume or machine, which the program cannot detect: ids jump far ahead; run it before the program starts',
    },
    switches: ['old-data'],
    help: 'hold sending until it is released; orders are still accepted',
    async run({ db, flags }) {
      const detail = flags['reason'] ?? '';
      const isOld = flags['old-data'] !== undefined;
      if (isOld) await holdOldData(db, detail);
      else if (!(await holdDispatch(db, detail)))
        throw new UsageError('dispatch is held already: peyk dispatch status');
      const reason = isOld ? `${detail} (--old-data)`.trim() : detail;
      await recordAuditEntry(db, { actor: operator, action: 'dispatch.hold', detail: { reason } });
      return shown(await readHold(db));
    },
    show: words,
  },
  {
    words: 'dispatch release',
    args: [],
    everywhere: results => ({
      held: false,
      closed: results.reduce((sum, one) => sum + (one.value as { closed: number }).closed, 0),
    }),
    flags: {
      close:
        'first end all messages accepted before the hold as undelivered and return their credit, instead of sending them',
    },
    switches: ['close'],
    help: 'resume sending',
    async run({ db, flags }) {
      const hold = await readHold(db);
      if (!hold) throw new UsageError('dispatch is not held');
      const closed = flags['close'] === undefined ? 0 : await closeHeld(db, hold.since);
      await releaseDispatch(db);
      await recordAuditEntry(db, {
        actor: operator,
        action: 'dispatch.release',
        detail: { reason: hold.reason, closed },
      });
      return { held: false, closed };
    },
    show: ({ closed }: { closed: number }) =>
      `sending goes on${closed > 0 ? `; ${closed} messages were ended instead of sent` : ''}`,
  },
];

function shown(hold: DispatchHold | null): Status {
  return hold ? { held: true, ...hold, since: hold.since.toISOString() } : { held: false };
}

function words(status: Status): string {
  if (!status.held) return 'sending is not held';
  const detail = status.detail ? ` (${status.detail})` : '';
  const since = toTurkeyTime(new Date(status.since));
  return `held since ${since}: ${holdReasons[status.reason]}${detail}\npeyk dispatch release [--close] lets it go on`;
}

/** Dispatch is held if one of the cells holds it. */
function firstHeld(results: CellResult[]): Status {
  const states = results.map(one => ({ ...(one.value as Status), cell: one.cell }));
  return states.find(one => one.held) ?? { held: false };
}
