// Commands about the key that seals stored secrets: create a new one and reseal everything with it.
import { randomBytes } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { recordAuditEntry } from '../accounts/audit-log.ts';
import { resealAuditLog } from '../accounts/audit-seals.ts';
import { openStore } from '../backup/open-store.ts';
import type { Db } from '../db/db.ts';
import { type Resealed, reseal, sealedColumns } from '../db/reseal.ts';
import { contentColumns, resealContent } from '../db/reseal-content.ts';
import { secretKeyOfData } from '../db/sealed-data.ts';
import { resealErasures } from '../privacy/erasures.ts';
import { useContentKeys } from '../sealing/content.ts';
import { keysOf, readSecretKeyFile, type SecretKey, secretKeyPath } from '../sealing/secrets.ts';
import { type Command, operator, UsageError } from './command.ts';
import { oneList } from './in-cells.ts';
import { table } from './table.ts';

export const secretCommands: Command[] = [
  {
    words: 'secrets rotate',
    args: [],
    help: 'create a new key for stored secrets; the previous one still opens them until secrets reseal --forget',
    async run({ db, config }) {
      const kept = await secretKeyOfData(db, config);
      const keys = [randomBytes(32), ...keysOf(kept)].map(one => one.toString('base64'));
      if (config.PEYK_SECRET_KEY) return { file: null, setting: keys.join(' ') };
      writeKeys(config.PEYK_DATA, keys);
      await recordAuditEntry(db, { actor: operator, action: 'secrets.rotate' });
      return { file: secretKeyPath(config.PEYK_DATA), setting: null };
    },
    show: ({ file, setting }: { file: string | null; setting: string | null }) =>
      file
        ? `a new key stands first in ${file}; restart the program, then run: peyk secrets reseal --forget`
        : `first give every node the two keys in the other order (PEYK_SECRET_KEY="OLD NEW") and restart it; then this one, and restart again; then run: peyk secrets reseal\n\nPEYK_SECRET_KEY="${setting}"`,
  },
  {
    words: 'secrets reseal',
    args: [],
    everywhere(results, { config, flags }) {
      const lines = oneList(results) as Resealed[];
      if (flags['forget'] !== undefined) forgetOlder(config, lines);
      return lines;
    },
    flags: {
      content: 'also reseal texts of messages, which otherwise keep their key until they are removed',
      forget: 'remove older keys from the file in PEYK_DATA if nothing needs them any more',
    },
    switches: ['content', 'forget'],
    help: 'reseal stored secrets of older keys with the first key; can be run and repeated at any time',
    async run({ db, config, flags, cells, cell }): Promise<Resealed[]> {
      if (flags['forget'] !== undefined && cell !== undefined && !cells)
        throw new UsageError('--forget is for all cells at once: leave --cell out');
      const key = await secretKeyOfData(db, config);
      const done: Resealed[] = [];
      for (const one of sealedColumns) done.push(await reseal(db, key, one));
      useContentKeys(key, 'sealed');
      const target = flags['content'] === undefined ? 'counted' : 'first-key';
      for (const one of contentColumns) done.push(await resealContent(db, key, one, target));
      done.push(await resealedLog(db, key));
      if (config.PEYK_BACKUP !== '' && !cell) done.push(await resealErasures(await openStore(config), key));
      await recordAuditEntry(db, { actor: operator, action: 'secrets.reseal' });
      // With several databases only after all of them are done.
      if (flags['forget'] !== undefined && !cells) forgetOlder(config, done);
      return done;
    },
    show: (lines: Resealed[]) =>
      `${table(
        ['secrets', 'sealed anew', 'already so', 'under an older key', 'opened by no key'],
        lines.map(one => [one.what, one.resealed, one.already, one.older ?? 0, one.lost]),
      )}\npasswords of SMPP users follow when they bind next: who has not bound since needs a new one when the old key is gone`,
  },
];

/** All or nothing: a broken chain counts as lost, and the older keys stay. */
async function resealedLog(db: Db, key: SecretKey): Promise<Resealed> {
  const { sealed, broken } = await resealAuditLog(db, key);
  const [resealed, already] = key.older && broken.length === 0 ? [sealed, 0] : [0, sealed];
  return { what: 'entries of the audit log', resealed, already, lost: broken.length };
}

function forgetOlder(config: { PEYK_DATA: string; PEYK_SECRET_KEY: string }, done: Resealed[]): void {
  if (config.PEYK_SECRET_KEY)
    throw new UsageError('--forget is for the file in PEYK_DATA; shorten PEYK_SECRET_KEY yourself');
  const lost = done.reduce((sum, one) => sum + one.lost, 0);
  if (lost > 0)
    throw new UsageError(
      `${lost} secrets cannot be opened with the given keys; the older keys stay: add the key that sealed them`,
    );
  const older = done.reduce((sum, one) => sum + (one.older ?? 0), 0);
  if (older > 0)
    throw new UsageError(
      `${older} texts of messages need an older key, which stays: wait until they are removed, or give --content`,
    );
  writeKeys(config.PEYK_DATA, [readSecretKeyFile(config.PEYK_DATA)!.toString('base64')]);
}

/** Replaced atomically: a half-written key opens nothing. */
function writeKeys(folder: string, keys: string[]): void {
  const path = secretKeyPath(folder);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${keys.join('\n')}\n`, { mode: 0o600, flush: true });
  renameSync(draft, path);
}
