// Seals or unseals all stored texts: PEYK_CONTENT applies only to texts that are stored from then on.
import { recordAuditEntry } from '../accounts/audit-log.ts';
import type { Resealed } from '../db/reseal.ts';
import { contentColumns, resealContent } from '../db/reseal-content.ts';
import { secretKeyOfData } from '../db/sealed-data.ts';
import { useContentKeys } from '../sealing/content.ts';
import { type Command, type CommandContext, operator, UsageError } from './command.ts';
import { oneList } from './in-cells.ts';
import { table } from './table.ts';

export const contentCommands: Command[] = [
  {
    words: 'content seal',
    args: [],
    everywhere: oneList,
    help: 'seal texts that were stored before PEYK_CONTENT=sealed was set; can be run and repeated at any time',
    run: context => bring(context, 'sealed'),
    show: lines => shown(lines, 'sealed'),
  },
  {
    words: 'content open',
    args: [],
    everywhere: oneList,
    help: 'unseal all texts after PEYK_CONTENT=sealed was removed; can be run and repeated at any time',
    run: context => bring(context, 'plain'),
    show: lines => shown(lines, 'opened'),
  },
];

const actions = { sealed: 'content.sealed', plain: 'content.plain' };

async function bring({ db, config }: CommandContext, target: 'sealed' | 'plain'): Promise<Resealed[]> {
  if (config.PEYK_CONTENT !== target)
    throw new UsageError(
      `PEYK_CONTENT is ${config.PEYK_CONTENT}, so what comes in meanwhile would be stored otherwise: set PEYK_CONTENT=${target} for all nodes and restart them first`,
    );
  const key = await secretKeyOfData(db, config);
  useContentKeys(key, target);
  const done: Resealed[] = [];
  for (const one of contentColumns) done.push(await resealContent(db, key, one, target));
  await recordAuditEntry(db, { actor: operator, action: actions[target] });
  return done;
}

function shown(lines: Resealed[], verb: string): string {
  return table(
    ['texts', `${verb} now`, 'already so', 'opened by no key'],
    lines.map(one => [one.what, one.resealed, one.already, one.lost]),
  );
}
