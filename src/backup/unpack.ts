// Unpacks a backup into a folder from which PostgreSQL recovers by itself: the files of the base backup, and the log where the
// server reads it. Every piece is compared with its checksum.
import { appendFile, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createGunzip, gunzip } from 'node:zlib';
import { ConfigError } from '../settings/config.ts';
import type { Part } from './catalogue.ts';
import type { LogPart, Plan } from './choose.ts';
import { Damaged, type Store } from './store.ts';
import { sha256 } from './take-base.ts';
import { TarReader, unpackInto } from './untar.ts';

/** Into a missing or empty folder: unpacked beside it and renamed once complete. A failure leaves nothing. */
export async function unpackNew(store: Store, plan: Plan, folder: string): Promise<void> {
  const there = await readdir(folder).catch(() => []);
  if (there.length > 0) throw new ConfigError(`${folder} is not empty: choose another folder.`);
  const draft = `${folder}.restoring`;
  await rm(draft, { recursive: true, force: true });
  await unpack(store, plan, draft).catch(async error => {
    await rm(draft, { recursive: true, force: true });
    throw error;
  });
  await rm(folder, { recursive: true, force: true });
  await rename(draft, folder);
}

export async function unpack(store: Store, plan: Plan, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const archive = new TarReader(unpackInto(folder));
  for await (const piece of unfolded(store, plan.base.parts)) await archive.add(piece);
  archive.end();
  for (const part of plan.log) await bringLog(store, part, folder, plan.base.segmentBytes);
  const lines = Object.entries(recoverySettings(plan)).map(([name, value]) => `${name} = '${value}'`);
  await appendFile(join(folder, 'postgresql.auto.conf'), `${lines.join('\n')}\n`, { mode: 0o600 });
  // Makes the server recover instead of starting.
  await writeFile(join(folder, 'recovery.signal'), '', { mode: 0o600 });
}

export async function* unfolded(store: Store, parts: Part[]): AsyncIterable<Buffer> {
  const unfold = createGunzip();
  const feed = async () => {
    for (const part of parts) {
      const body = await store.get(part.key);
      if (!body) throw new Damaged(`${part.key} is missing`);
      if (sha256(body) !== part.sha256) throw new Damaged(`${part.key} is damaged`);
      if (!unfold.write(body)) await new Promise(resolve => unfold.once('drain', resolve));
    }
    unfold.end();
  };
  feed().catch(cause => unfold.destroy(cause as Error));
  try {
    yield* unfold;
  } catch (error) {
    const isUnreadable = String((error as NodeJS.ErrnoException).code).startsWith('Z_');
    throw isUnreadable ? new Damaged('the archive of the backup is damaged', { cause: error }) : error;
  }
}

/** gzip has its own checksum. */
export async function readLogPart(store: Store, { key }: LogPart): Promise<Buffer> {
  const body = await store.get(key);
  if (!body) throw new Damaged(`${key} is missing`);
  return promisify(gunzip)(body).catch(cause => {
    throw new Damaged(`${key} is damaged`, { cause });
  });
}

async function bringLog(store: Store, part: LogPart, folder: string, segmentBytes: number): Promise<void> {
  const bytes = await readLogPart(store, part);
  const file = await open(join(folder, 'pg_wal', part.segment), 'w', 0o600);
  try {
    await file.writeFile(bytes);
    // The rest of a begun segment is empty, which ends the log.
    if (bytes.length < segmentBytes) await file.truncate(segmentBytes);
  } finally {
    await file.close();
  }
}

/** Settings of the recovering server. The command fails, so the server reads the log from pg_wal. */
export function recoverySettings({ at }: Plan): Record<string, string> {
  return {
    restore_command: 'exit 1',
    recovery_target_timeline: 'current',
    recovery_target_action: 'promote',
    // Without a Z: the server does not know names of time zones yet.
    ...(at ? { recovery_target_time: at.toISOString().replace('Z', '+00'), recovery_target_inclusive: 'on' } : {}),
  };
}
