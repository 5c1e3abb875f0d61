// Commands that import lists of another service: blacklist, consents, sender IDs, from CSV or XLSX.
import { basename, resolve } from 'node:path';
import { recordAuditEntry } from '../accounts/audit-log.ts';
import { blacklistKind } from '../imports/blacklist.ts';
import { consentKind } from '../imports/consents.ts';
import { ImportProblem, type ImportResult, importFile } from '../imports/import-file.ts';
import type { Kind } from '../imports/kinds.ts';
import { senderKind } from '../imports/senders.ts';
import { existingAccount } from './accounts.ts';
import { type Command, type CommandContext, need, operator, UsageError } from './command.ts';

type Importable = {
  word: string;
  kind: Kind;
  help: string;
  /** Flag → the field whose missing values it fills. */
  presets?: Record<string, { field: string; help: string }>;
};

const importables: Importable[] = [
  { word: 'blacklist', kind: blacklistKind, help: 'import numbers into the blacklist of an account' },
  {
    word: 'consents',
    kind: consentKind,
    help: 'import consents that the registry already holds, from an export; they are not sent again, and each is checked at the registry',
    presets: {
      brand: { field: 'brand', help: 'brand code, if the file names none and the account has several' },
      status: { field: 'status', help: 'ONAY or RET, if the file has no column for it' },
      list: {
        field: 'recipientType',
        help: 'BIREYSEL or TACIR, if the file has no column for it; default BIREYSEL',
      },
      type: { field: 'type', help: 'MESAJ, ARAMA or EPOSTA, if the file has no column for it; default MESAJ' },
    },
  },
  { word: 'senders', kind: senderKind, help: 'import sender IDs that another service approved, as approved' },
];

const progressEveryMs = 2_000;

export const importCommands: Command[] = importables.map(one => ({
  words: `import ${one.word}`,
  args: ['FILE'],
  flags: {
    account: 'ID of the account; required',
    'dry-run': 'check and count only, store nothing',
    report: 'file for refused rows with their reasons; default: FILE.refused.csv in this folder',
    ...Object.fromEntries(Object.entries(one.presets ?? {}).map(([flag, { help }]) => [flag, help])),
  },
  switches: ['dry-run'],
  help: `${one.help}; CSV or XLSX, headings are detected; repeating it changes nothing`,
  run: context => runImport(one, context),
  show: (result: ImportResult & { dry: boolean }) => shown(result),
}));

async function runImport({ word, kind, presets = {} }: Importable, { db, args, flags }: CommandContext) {
  const path = resolve(need(args[0], 'the file'));
  const { id: accountId, abroad } = await existingAccount(db, flags.account);
  const isDry = flags['dry-run'] === 'on';
  const given = Object.entries(presets).filter(([flag]) => flags[flag] !== undefined);
  const preset = Object.fromEntries(given.map(([flag, { field }]) => [field, flags[flag]!]));
  const fileName = basename(path);
  try {
    const result = await importFile(db, {
      kind,
      path,
      context: { accountId, abroad, fileName, preset },
      isDry,
      reportPath: resolve(flags.report ?? `${fileName}.refused.csv`),
      onFirst: async tx => {
        const detail = { what: word, file: fileName };
        await recordAuditEntry(tx, { accountId, actor: operator, action: 'list.import', detail });
      },
      onProgress: progressTeller(),
    });
    return { dry: isDry, ...result };
  } catch (error) {
    if (error instanceof ImportProblem) throw new UsageError(`${path}: ${error.message}`);
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ERR_INVALID_ARG_VALUE') throw new UsageError(`${path} cannot be read`);
    throw error;
  }
}

/** On standard error, so that a person sees the progress of a long file. */
function progressTeller(): (share: number, rows: number) => void {
  let last = performance.now();
  return (share, rows) => {
    if (performance.now() - last < progressEveryMs) return;
    last = performance.now();
    process.stderr.write(`${Math.floor(share * 100)} %, ${rows} rows\n`);
  };
}

function shown({ dry, rows, added, known, refused, report, columns }: ImportResult & { dry: boolean }): string {
  const used = Object.entries(columns).map(([field, name]) => `${field} = ${name}`);
  return [
    `${rows} rows: ${added} ${dry ? 'would be new' : 'new'}, ${known} were there or stand twice, ${refused} refused`,
    `columns: ${used.join(', ')}`,
    ...(report ? [`refused rows with reasons: ${report}`] : []),
  ].join('\n');
}
