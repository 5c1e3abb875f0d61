// Commands about the installation: registry, audit, quarantine, migrate, settings.
import { recordAuditEntry } from '../accounts/audit-log.ts';
import { type AuditLogState, checkAuditLog } from '../accounts/audit-seals.ts';
import { audit } from '../audit/invariants.ts';
import { describeConfig } from '../config.ts';
import { secretKeyOfData } from '../db/sealed-data.ts';
import { listQuarantined, type Quarantined, releaseQuarantined } from '../orders/quarantined.ts';
import { settingFaults } from '../setting-faults.ts';
import { type Command, operator, UsageError, wholeNumber } from './command.ts';

export const systemCommands: Command[] = [
  {
    words: 'consent sync',
    args: [],
    help: 'push queued consent records to the registry and pull its changes now',
    run: async ({ db, config, log }) => (await import('../consent/sync/sync.ts')).syncOnce({ db, config, log }),
  },
  {
    words: 'audit',
    args: [],
    help: 'check the invariants of the stored data; exit code 1 when something is wrong',
    async run({ db }) {
      const result = await audit(db);
      if (!result.ok) process.exitCode = 1;
      return result;
    },
    show: (result: { ok: boolean; findings: { invariant: string; subject: string; detail: string }[] }) =>
      result.ok ? 'ok' : result.findings.map(one => `${one.subject}: ${one.invariant}: ${one.detail}`).join('\n'),
  },
  {
    words: 'audit log',
    args: [],
    help: 'check that nobody changed the audit log without the key; exit code 1 when somebody did',
    async run({ db, config }): Promise<AuditLogState> {
      const state = await checkAuditLog(db, await secretKeyOfData(db, config));
      if (state.broken.length > 0) process.exitCode = 1;
      return state;
    },
    show: ({ sealed, waiting, head, broken }: AuditLogState) =>
      [...broken, `${sealed} entries sealed, ${waiting} wait for their seal; head ${head ?? 'none'}`].join('\n'),
  },
  {
    words: 'quarantine list',
    args: [],
    help: 'messages that were set aside because no dispatcher could send them',
    run: ({ db }) => listQuarantined(db),
    show: (list: Quarantined[]) => list.map(showQuarantined).join('\n'),
    empty: 'nothing is set aside',
  },
  {
    words: 'quarantine release',
    args: ['ORDER'],
    help: 'let dispatchers try the messages of an order again that were set aside, once the cause is mended',
    async run({ db, args }) {
      const order = wholeNumber(args[0], 'the order ID', 1, Number.MAX_SAFE_INTEGER);
      const released = await releaseQuarantined(db, order);
      if (released.length === 0) throw new UsageError(`nothing of order ${order} is set aside`);
      const { accountId } = released[0]!;
      const detail = { order, chunks: released.length };
      await recordAuditEntry(db, { accountId, actor: operator, action: 'quarantine.release', detail });
      return released;
    },
    show: (list: Quarantined[]) => list.map(showQuarantined).join('\n'),
  },
  {
    words: 'migrate',
    args: [],
    help: 'bring the database schema up to date',
    run: async () => ({ ok: true }),
    show: () => 'the schema is up to date',
  },
  {
    words: 'config',
    args: [],
    help: 'effective settings, without secrets',
    database: 'none',
    run: async ({ config }) => describeConfig(config),
  },
  {
    words: 'config check',
    args: [],
    help: 'read the settings and say what is wrong with them, without starting anything; exit code 1 when something is',
    database: 'none',
    async run({ config, warnings: unknown, given }) {
      // Wrong values have ended the command before it ran.
      const faults = settingFaults(config, given);
      const problems = faults.filter(one => one.grave).map(one => one.text);
      const warnings = [...unknown, ...faults.filter(one => !one.grave).map(one => one.text)];
      const ok = problems.length + warnings.length === 0;
      if (!ok) process.exitCode = 1;
      return { ok, problems, warnings };
    },
    show: ({ ok, problems, warnings }: { ok: boolean; problems: string[]; warnings: string[] }) =>
      ok ? 'ok' : [...problems.map(one => `WRONG   ${one}`), ...warnings.map(one => `WARNING ${one}`)].join('\n'),
  },
];

function showQuarantined({ chunkId, orderId, accountId, messages, lost }: Quarantined): string {
  return `order ${orderId} of account ${accountId}: ${messages} messages (chunk ${chunkId}, lost ${lost} times)`;
}
