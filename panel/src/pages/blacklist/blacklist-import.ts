// Imports a column of a file into the blacklist, piece by piece, with one report in the file's own lines. Rows that
// were added stay added if a later piece fails; a retry adds nothing twice.
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { call } from '../../api.ts';
import type { OnShare } from '../../progress-post.ts';
import { askBook } from '../../recipients/client.ts';
import type { LineSample } from '../../recipients/messages.ts';

export type BlacklistOutcome = Pick<OutputOf<'blacklist.add'>, 'added' | 'existing' | 'repeated'> & {
  invalid: LineSample[];
  /** Processed rows; fewer than all if `failure` ended the import. */
  done: number;
  failure: unknown;
};

const rowsPerCall = 10_000;

type Wanted = { count: number; column: number; note?: string };

export async function importBlacklist(wanted: Wanted, onShare: OnShare): Promise<BlacklistOutcome> {
  const outcome: BlacklistOutcome = { added: 0, existing: 0, repeated: 0, invalid: [], done: 0, failure: null };
  try {
    for (let from = 0; from < wanted.count; from += rowsPerCall) {
      const to = Math.min(wanted.count, from + rowsPerCall);
      const { rows, lines } = await askBook('tableRows', { from, to, columns: [wanted.column] });
      const numbers = rows.map(row => row[0] ?? '');
      const report = await call('blacklist.add', { numbers, note: wanted.note, isImport: true });
      addReport(outcome, report, lines);
      outcome.done = to;
      onShare(to / wanted.count);
    }
  } catch (error) {
    outcome.failure = error;
  }
  return outcome;
}

function addReport(outcome: BlacklistOutcome, report: OutputOf<'blacklist.add'>, lines: number[]): void {
  outcome.added += report.added;
  outcome.existing += report.existing;
  outcome.repeated += report.repeated;
  for (const { row, ...sample } of report.invalid) outcome.invalid.push({ ...sample, line: lines[row] ?? row + 1 });
}

export async function addTyped(values: string[], lines: number[], note?: string): Promise<BlacklistOutcome> {
  const outcome: BlacklistOutcome = { added: 0, existing: 0, repeated: 0, invalid: [], done: 0, failure: null };
  const report = await call('blacklist.add', { numbers: values, note });
  addReport(outcome, report, lines);
  return { ...outcome, done: values.length };
}
