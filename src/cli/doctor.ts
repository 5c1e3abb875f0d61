// `peyk doctor`: checks the installation and says what to do. Changes nothing.

import { type Command, type CommandContext, errorText } from './command.ts';
import { withDatabase } from './database.ts';
import { openCellsBeside } from './doctor-cells.ts';
import { type Check, checks, type Look, type Seen } from './doctor-checks.ts';

type Finding = { check: string; wrong: string; todo: string };
/** `warnings`: nothing is broken, but an operator should know; they do not change the exit code. */
type Diagnosis = {
  ok: boolean;
  checks: { name: string; ok: boolean; saw: string }[];
  findings: Finding[];
  warnings: Finding[];
};

const unreachable = 'start the database, or correct DATABASE_URL or PEYK_DATA';

export const doctorCommand: Command = {
  words: 'doctor',
  args: [],
  help: 'check settings, database, clock, disk, carriers, registry, webhooks and certificates, and say what to do; exit code 1 if something is wrong',
  database: 'none',
  async run(context) {
    const diagnosis = await diagnose(context);
    if (!diagnosis.ok) process.exitCode = 1;
    return diagnosis;
  },
  show: ({ checks: done, findings, warnings }: Diagnosis) => {
    const sign = (name: string, ok: boolean) =>
      !ok ? 'WRONG' : warnings.some(one => one.check === name) ? 'WARN ' : 'ok   ';
    return [
      ...done.map(one => `${sign(one.name, one.ok)} ${one.name.padEnd(18)} ${one.saw}`),
      ...findings.map(one => `\n${one.check}: ${one.wrong}\n  → ${one.todo}`),
      ...warnings.map(one => `\nwarning, ${one.check}: ${one.wrong}\n  → ${one.todo}`),
    ].join('\n');
  },
};

const nothingYet = { saw: 'empty', wrong: ['the database is empty: no version of Peyk was ever started on it'] };

async function diagnose({ config, log, warnings, given }: CommandContext): Promise<Diagnosis> {
  const diagnosis: Diagnosis = { ok: true, checks: [], findings: [], warnings: [] };
  const offline = { db: undefined as never, config, warnings, given };
  for (const check of checks.filter(one => one.offline)) await examine(check, offline, diagnosis);
  try {
    await withDatabase({ name: 'doctor', config, log, asItIs: true }, async db => {
      // All following checks would only repeat this finding.
      const { rows } = await db.query(`select to_regclass('schema_migrations') is null as "isEmpty"`);
      if (rows[0].isEmpty) return note(diagnosis, 'database', nothingYet, 'run peyk start, or peyk migrate');
      for (const check of checks.filter(one => !one.offline))
        await examine(check, { db, config, warnings, given }, diagnosis);
      await examineCells({ db, config, warnings, given }, diagnosis);
    });
  } catch (error) {
    note(diagnosis, 'database', { saw: 'cannot be used', wrong: [errorText(error)] }, unreachable);
  }
  return diagnosis;
}

/** The check of cells has already reported one that does not answer. */
async function examineCells(context: Look, diagnosis: Diagnosis): Promise<void> {
  const { cells, close } = await openCellsBeside(context);
  try {
    for (const { cell, db } of cells)
      for (const check of checks.filter(one => one.inEachCell))
        await examine({ ...check, name: `cell ${cell}: ${check.name}` }, { ...context, db }, diagnosis);
  } finally {
    await close();
  }
}

/** A check that throws is a finding; the other checks still run. */
async function examine(check: Check, context: Look, diagnosis: Diagnosis): Promise<void> {
  try {
    note(diagnosis, check.name, await check.look(context), check.todo);
  } catch (error) {
    note(diagnosis, check.name, { saw: 'cannot be checked', wrong: [errorText(error)] }, check.todo);
  }
}

function note(diagnosis: Diagnosis, name: string, { saw, wrong, warnings = [] }: Seen, todo: string): void {
  const ok = wrong.length === 0;
  diagnosis.ok &&= ok;
  diagnosis.checks.push({ name, ok, saw });
  diagnosis.findings.push(...wrong.map(one => ({ check: name, wrong: one, todo })));
  diagnosis.warnings.push(...warnings.map(one => ({ check: name, wrong: one, todo })));
}
