// Commands about the installation: registry, audit, quarantine, migrate, settings.
import { recordAuditEntry } from '../accounts/audit-log.ts';
import { type AuditLogState, checkAuditLog } from '../accounts/audit-seals.ts';
import { type Audited, audit } from '../audit/invariants.ts';
import type { SyncTally } from '../consent/sync/context.ts';
import { migrate } from '../db/migrate.ts';
import { secretKeyOfData } from '../db/sealed-data.ts';
import { listQuarantined, type Quarantined, releaseQuarantined } from '../queue/quarantined.ts';
import { describeConfig } from '../settings/config.ts';
import { settingFaults } from '../settings/faults.ts';
import { type CellResult, type Command, operator, UsageError, wholeNumber } from './command.ts';
import { oneList } from './in-cells.ts';

export const systemCommands: Command[] = [
  {
    words: 'consent sync',
    args: [],
    everywhere: inAllCells,
    help: 'push queued consent records to the registry and pull its changes now',
    run: async ({ db, config, log }) => (await import('../consent/sync/sync.ts')).syncOnce({ db, config, log }),
  },
  {
    words: 'audit',
    args: [],
    everywhere: allAudits,
    help: 'check the invariants of the stored data; exit code 1 if one is violated',
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
    everywhere: allAuditLogs,
    help: 'check that the audit log was not changed without the key; exit code 1 if it was',
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
    everywhere: oneList,
    help: 'quarantined messages, which no dispatcher could send',
    run: ({ db }) => listQuarantined(db),
    show: (list: Quarantined[]) => list.map(showQuarantined).join('\n'),
    empty: 'nothing is set aside',
  },
  {
    words: 'quarantine release',
    args: ['ORDER'],
    everywhere: oneList,
    help: 'release the quarantined messages of an order once the cause is fixed',
    async run({ db, args }) {
      const order = wholeNumber(args[0], 'the order ID', 1, Number.MAX_SAFE_INTEGER);
      const released = await releaseQuarantined(db, order);
      if (released.length === 0)
        throw new UsageError(`order ${order} has no quarantined messages; peyk quarantine list shows all`);
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
    everywhere: () => ({ ok: true }),
    help: 'migrate the database schema, in every cell',
    async run({ connection, log }) {
      await migrate(connection, log);
      return { ok: true };
    },
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
    help: 'check the settings without starting anything; exit code 1 if something is wrong',
    database: 'none',
    takesWrongSettings: true,
    async run({ config, warnings: unknown, given, problems: wrong = [] }) {
      const faults = settingFaults(config, given);
      const problems = [...wrong, ...faults.filter(one => one.grave).map(one => one.text)];
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

/** The same shape as with one database. */
function inAllCells(results: CellResult[]): SyncTally {
  const sum: SyncTally = { sent: 0, accepted: 0, refused: 0, pulled: 0 };
  for (const { value } of results)
    for (const name of Object.keys(sum) as (keyof SyncTally)[]) sum[name] += (value as SyncTally)[name];
  return sum;
}

/** Each finding names its cell. */
function allAudits(results: CellResult[]): Audited {
  const findings = results.flatMap(({ cell, value }) =>
    (value as Audited).findings.map(one => ({ ...one, subject: `cell ${cell}, ${one.subject}` })),
  );
  return { ok: findings.length === 0, findings };
}

function allAuditLogs(results: CellResult[]): AuditLogState {
  const states = results.map(one => one.value as AuditLogState);
  const sum = (name: 'sealed' | 'waiting') => states.reduce((all, one) => all + one[name], 0);
  return {
    sealed: sum('sealed'),
    waiting: sum('waiting'),
    head: states[0]!.head,
    broken: results.flatMap(({ cell, value }) => (value as AuditLogState).broken.map(one => `cell ${cell}: ${one}`)),
  };
}
